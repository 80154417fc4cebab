import type { Clock } from '../clock.ts';
import { formerIdentity, type Identity, readIdentifiers, readOwnIdentifiers } from './hwid/hwid.ts';
import type { Machine } from './hwid/machine.ts';
import { rewrapped, type WrappedKey } from './hwid/wrapped-keys.ts';
import { claimsOf } from './license-status.ts';
import { type LicenseView, viewRecord } from './license-view.ts';
import type { LicenseRecord } from './record/license-record.ts';
import type { NewRecord, RecordStore, Snapshot } from './record/record-store.ts';
import type { KeyTrust } from './succession/key-trust.ts';

/** The license as this process holds it: the content of license.json when last read, on this machine. */
export interface HeldLicense {
  readonly view: LicenseView;
  /** The latest time known to have passed: the token's issue plus the time since we received it. */
  knownMs(): number | null;
  /** What the clock would show if no one had set it since this process read the token. */
  unsetMs(): number;
  /** Reads what other processes have written. */
  refresh(): Promise<void>;
  /** Reads the machine's identifiers again if the record did not open with the previous ones. */
  recognize(): Promise<void>;
  /** Overwrites the current record. @throws when it cannot be written */
  write(next: NewRecord): Promise<void>;
  /**
   * Writes unless another process has written since `from` was read. A change that cannot be written (a full disk) still holds in
   * this process until another one writes.
   */
  update(
    from: LicenseRecord,
    next: NewRecord,
  ): Promise<'written' | 'superseded' | { readonly unwritten: unknown }>;
  /** What this machine may have been bound as before; null: nothing else. See `formerIdentity` of the HWID. */
  formerIdentity(): Promise<Identity | null>;
  /** The seals that fit the current machine. */
  sealsOfToday(identity: Identity, seals: readonly WrappedKey[]): Promise<WrappedKey[]>;
}

export const holdLicense = async ({
  store,
  trust,
  clock,
  readMachine,
}: {
  readonly store: RecordStore;
  readonly trust: KeyTrust;
  readonly clock: Clock;
  readonly readMachine: () => Machine;
}): Promise<HeldLicense> => {
  let machine = readMachine();
  let view = await viewRecord(await store.read(), machine, trust);
  let heldSinceMs = clock.monotonicMs();
  let heldAtMs = clock.now().getTime();
  let last: Promise<unknown> = Promise.resolve();

  /** One at a time: an older read of the file never replaces a newer one. */
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const result = last.then(task);
    last = result.catch(() => 'told to who asked');
    return result;
  };

  const take = async (snapshot: Snapshot): Promise<void> => {
    const before = tokenOf(view.snapshot);
    view = await viewRecord(snapshot, machine, trust);
    if (tokenOf(view.snapshot) === before) return;
    heldSinceMs = clock.monotonicMs();
    heldAtMs = clock.now().getTime();
  };

  return {
    get view() {
      return view;
    },
    knownMs() {
      const claims = claimsOf(view);
      return claims && claims.iat * 1000 + (clock.monotonicMs() - heldSinceMs);
    },
    unsetMs: () => heldAtMs + (clock.monotonicMs() - heldSinceMs),
    refresh: () =>
      inTurn(async () => {
        const snapshot = await store.read();
        const isPassing = snapshot.kind === 'unreadable' && snapshot.fault === 'file';
        if (isPassing && view.snapshot.kind === 'record') return;
        if (!isSame(snapshot, view.snapshot)) await take(snapshot);
      }),
    recognize: () =>
      inTurn(async () => {
        if (view.opened !== null) return;
        machine = readMachine();
        await take(view.snapshot);
      }),
    write: (next) =>
      inTurn(async () => {
        const replacement = await store.replace(next, null);
        if (replacement.outcome === 'written') await take({ kind: 'record', record: replacement.record });
      }),
    update: (from, next) =>
      inTurn(async () => {
        try {
          const replacement = await store.replace(next, from.revision);
          if (replacement.outcome === 'written') await take({ kind: 'record', record: replacement.record });
          else await take(await store.read());
          return replacement.outcome;
        } catch (error) {
          await take({ kind: 'record', record: { ...next, revision: from.revision } });
          return { unwritten: error };
        }
      }),
    formerIdentity: () => formerIdentity(machine),
    async sealsOfToday(identity, seals) {
      machine = readMachine();
      const own = await readOwnIdentifiers(machine);
      // A home that was bound to a shared one keeps it as long as there is nothing else.
      return rewrapped(identity.secret, own.size > 0 ? own : await readIdentifiers(machine), seals);
    },
  };
};

const tokenOf = (snapshot: Snapshot): string | null =>
  snapshot.kind === 'record' ? snapshot.record.token : null;

const isSame = (a: Snapshot, b: Snapshot): boolean => {
  if (a.kind === 'record' && b.kind === 'record') return a.record.revision === b.record.revision;
  return a.kind === b.kind;
};
