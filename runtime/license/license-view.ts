import { type Identity, identityOf, newIdentity, readOwnIdentifiers } from './hwid/hwid.ts';
import type { Machine } from './hwid/machine.ts';
import { unwrapKeys } from './hwid/wrapped-keys.ts';
import type { LicenseRecord } from './record/license-record.ts';
import type { Snapshot } from './record/record-store.ts';
import type { KeyTrust } from './succession/key-trust.ts';
import { readToken, type TokenReading } from './token.ts';

/** license.json as seen from this machine. */
export interface LicenseView {
  readonly snapshot: Snapshot;
  /** From the record when it opens here, else the identity that this machine would be activated with. Null: nothing to bind to. */
  readonly identity: Identity | null;
  readonly opened: OpenedRecord | null;
}

export interface OpenedRecord {
  readonly record: LicenseRecord;
  readonly identity: Identity;
  readonly token: TokenReading;
}

/** Also learns the succession of keys kept in the record. */
export const viewRecord = async (
  snapshot: Snapshot,
  machine: Machine,
  trust: KeyTrust,
): Promise<LicenseView> => {
  const record = snapshot.kind === 'record' ? snapshot.record : null;
  const secret = record === null ? null : await unwrapKeys(record.seals, machine);
  const identity = secret === null ? newIdentity(await readOwnIdentifiers(machine)) : identityOf(secret);
  if (record === null || identity === null) return { snapshot, identity, opened: null };

  await trust.learn({ endorsements: record.successorKeys, strikes: record.strikes });
  const token = await readToken(record.token, trust.keys);
  // Without a seal that opens, a machine that would get the same HWID that the portal signed is still the right one.
  const isOurs = secret !== null || (token.kind === 'verified' && token.claims.hwid === identity.hwid);
  return { snapshot, identity, opened: isOurs ? { record, identity, token } : null };
};
