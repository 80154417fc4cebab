import { problems } from '#contracts/kernel/problems.ts';
import type { Activation } from '#contracts/license/license-answers.ts';
import { licenseKeysIn } from '#contracts/license/license-key.ts';
import type { Clock } from '../clock.ts';
import { type Arrival, type Installation, ofUse } from './check-license.ts';
import type { HeldLicense } from './held-license.ts';
import type { Identity } from './hwid/hwid.ts';
import type { PortalClient } from './portal/portal-client.ts';
import { sealLicenseKey } from './record/license-record.ts';
import type { KeyTrust } from './succession/key-trust.ts';

/** Binds this machine to the license whose key a person typed, and writes the record. */
export const activateLicense = async (
  typedKey: string,
  {
    held,
    trust,
    portal,
    installation,
    clock,
    arrival,
    stop,
  }: {
    readonly held: HeldLicense;
    readonly trust: KeyTrust;
    readonly portal: PortalClient;
    readonly installation: Installation;
    readonly clock: Clock;
    readonly arrival: () => Arrival;
    readonly stop: AbortSignal;
  },
): Promise<Activation> => {
  const [licenseKey, another] = licenseKeysIn(typedKey);
  if (licenseKey === undefined || another !== undefined)
    return {
      outcome: 'invalid-key',
      detail:
        another === undefined
          ? 'This is no license key, or it is mistyped: its check character does not fit.'
          : 'This text contains several license keys. Enter only the one for this computer.',
    };
  await held.refresh();
  await held.recognize();
  const { identity, opened } = held.view;
  if (identity === null) {
    const { meaning, remedy } = problems.HWID_UNAVAILABLE;
    return { outcome: 'hwid-unavailable', detail: `${meaning} ${remedy}` };
  }

  const activateAs = async (bound: Identity) => {
    const asked = { licenseKey, hwid: bound.hwid, ...installation };
    return { identity: bound, answer: ofUse(await portal.activate(asked, stop), arrival()) };
  };
  const first = await activateAs(identity);
  const isMismatch = first.answer.outcome === 'refused' && first.answer.code === 'HWID_MISMATCH';
  // Without a record, nothing tells which rule a home went by that is gone.
  const former = isMismatch && opened === null ? await held.formerIdentity() : null;
  const second = former && (await activateAs(former));
  const { answer, identity: bound } = second?.answer.outcome === 'confirmed' ? second : first;
  if (answer.outcome !== 'confirmed') return answer;
  const record = {
    instanceId: installation.instanceId,
    licenseKey: sealLicenseKey(licenseKey, bound.secret),
    tenantId: answer.claims.tenantId,
    token: answer.token,
    endsAt: answer.endsAt,
    refusal: null,
    lastCheck: { at: clock.now().toISOString(), outcome: 'confirmed' as const, detail: null },
    seals: await held.sealsOfToday(bound, opened?.record.seals ?? []),
    ...trust.kept,
  };
  try {
    await held.write(record);
    return { outcome: 'activated' };
  } catch (error) {
    return {
      outcome: 'not-saved',
      detail: `The license was accepted, but not saved: ${(error as Error).message}`,
    };
  }
};
