import type { Activation } from '#contracts/license-answers.ts';
import { parseLicenseKey } from '#contracts/license-key.ts';
import { problems } from '#contracts/problems.ts';
import type { Clock } from '../clock.ts';
import { type Arrival, type Installation, ofUse } from './check-license.ts';
import type { HeldLicense } from './held-license.ts';
import type { PortalClient } from './portal/portal-client.ts';
import { sealLicenseKey } from './record/license-record.ts';
import type { KeyTrust } from './succession/key-trust.ts';

export interface ActivationParts {
  readonly held: HeldLicense;
  readonly trust: KeyTrust;
  readonly portal: PortalClient;
  readonly installation: Installation;
  readonly clock: Clock;
  readonly arrival: () => Arrival;
  readonly stop: AbortSignal;
}

/** Binds this machine to the license whose key a person typed, and writes the record. */
export const activateLicense = async (
  typedKey: string,
  { held, trust, portal, installation, clock, arrival, stop }: ActivationParts,
): Promise<Activation> => {
  const licenseKey = parseLicenseKey(typedKey);
  if (licenseKey === null)
    return {
      outcome: 'invalid-key',
      detail: 'This is no license key, or it is mistyped: its check character does not fit.',
    };
  await held.refresh();
  await held.recognize();
  const { identity, opened } = held.view;
  if (identity === null) {
    const { meaning, remedy } = problems.HWID_UNAVAILABLE;
    return { outcome: 'hwid-unavailable', detail: `${meaning} ${remedy}` };
  }

  const { hwid, secret } = identity;
  const answer = ofUse(await portal.activate({ licenseKey, hwid, ...installation }, stop), arrival());
  if (answer.outcome !== 'confirmed') return answer;
  const record = {
    instanceId: installation.instanceId,
    licenseKey: sealLicenseKey(licenseKey, secret),
    tenantId: answer.claims.tenantId,
    token: answer.token,
    endsAt: answer.endsAt,
    refusal: null,
    lastCheck: { at: clock.now().toISOString(), outcome: 'confirmed' as const, detail: null },
    seals: await held.sealsOfToday(identity, opened?.record.seals ?? []),
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
