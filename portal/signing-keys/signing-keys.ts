import { type Kysely, sql } from 'kysely';
import type { Clock } from '#runtime/clock.ts';
import type { Log } from '#runtime/log.ts';
import type { SecretBox } from '#runtime/secret-box.ts';
import type { SigningKeyRow } from '../database/rows.ts';
import type { PortalTables } from '../database/tables.ts';
import { mayRetire, readyAt } from './due-step.ts';
import { changeKey, lockKeys, makeNext, readKeys, retired } from './key-changes.ts';
import { type KeyRevocation, revokeKeys } from './revoke-keys.ts';

export type Rotation =
  | {
      readonly outcome: 'rotated';
      readonly activeKid: string;
      readonly retiringKid: string;
      readonly nextKid: string;
    }
  /** There was no next key: it was created, and signs from `readyAt` on at the earliest. */
  | { readonly outcome: 'prepared'; readonly nextKid: string; readonly readyAt: Date }
  | { readonly outcome: 'too-early'; readonly nextKid: string; readonly readyAt: Date }
  /** Another caller has just rotated; one step is enough. */
  | { readonly outcome: 'rotated-meanwhile'; readonly activeKid: string };

type Retirement =
  | { readonly outcome: 'retired'; readonly kids: readonly string[] }
  | { readonly outcome: 'refused'; readonly reason: string };

interface RotationWish {
  /** The key that was active when the rotation was requested; null: any. */
  readonly activeKid: string | null;
  /** Does not wait until the next key has been published for long enough. */
  readonly urgent?: boolean;
}

/** The steps in the life of the signing keys. Each is one transaction under one lock: done as a whole, or not at all. */
export interface SigningKeys {
  list(): Promise<readonly SigningKeyRow[]>;
  /** Creates the next key if there is none. @returns whether there was none */
  prepare(): Promise<boolean>;
  rotate(wish: RotationWish): Promise<Rotation>;
  /** Destroys the private half of a replaced key; without a `kid`, of all that were replaced long enough ago. */
  retire(kid: string | null): Promise<Retirement>;
  revoke(kids: readonly string[]): Promise<KeyRevocation>;
}

interface SigningKeysOptions {
  readonly db: Kysely<PortalTables>;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly log: Log;
  /** Called after every step: the keys have changed. */
  readonly onChange: () => Promise<void>;
}

export const createSigningKeys = ({ db, box, clock, log, onChange }: SigningKeysOptions): SigningKeys => {
  const step = async <T>(work: Parameters<typeof inTransaction<T>>[1]): Promise<T> => {
    const result = await inTransaction(db, work);
    // The step is done even if this fails: every process reads the keys again within seconds.
    await onChange().catch((error: unknown) => log.warn({ err: error }, 'could not read the changed keys'));
    return result;
  };

  /** Frees the space of destroyed keys in the table's pages, so that it is overwritten. */
  const sweep = () =>
    sql`vacuum signing_keys`
      .execute(db)
      .catch((error: unknown) => log.warn({ err: error }, 'could not vacuum signing_keys'));

  return {
    list: () => db.selectFrom('signing_keys').selectAll().orderBy('sequence').execute(),

    prepare: () =>
      step(async (trx, keys, active) => {
        if (keys.some(({ state }) => state === 'next')) return false;
        await makeNext(trx, box, keys, active, clock.now());
        return true;
      }),

    rotate: ({ activeKid, urgent = false }) =>
      step<Rotation>(async (trx, keys, active) => {
        const now = clock.now();
        if (activeKid !== null && active.kid !== activeKid)
          return { outcome: 'rotated-meanwhile', activeKid: active.kid };
        const known = keys.find(({ state }) => state === 'next');
        const next = known ?? (await makeNext(trx, box, keys, active, now));
        if (!urgent && readyAt(next) > now)
          return { outcome: known ? 'too-early' : 'prepared', nextKid: next.kid, readyAt: readyAt(next) };
        await changeKey(trx, active.kid, { state: 'retiring', retiring_since: now });
        await changeKey(trx, next.kid, { state: 'active', activated_at: now });
        const rows = await readKeys(trx);
        const { kid: nextKid } = await makeNext(trx, box, rows, next, now);
        return { outcome: 'rotated', activeKid: next.kid, retiringKid: active.kid, nextKid };
      }),

    async retire(kid) {
      const retirement = await step<Retirement>(async (trx, keys) => {
        const now = clock.now();
        const wanted = keys.filter((key) => (kid === null ? mayRetire(key, now) : key.kid === kid));
        const other = wanted.find(({ state }) => state !== 'retiring');
        if (kid !== null && wanted.length === 0)
          return { outcome: 'refused', reason: `There is no signing key ${kid}.` };
        if (other)
          return {
            outcome: 'refused',
            reason: `Key ${other.kid} is ${other.state}; only a retiring one can be retired.`,
          };
        for (const key of wanted) await changeKey(trx, key.kid, retired(now));
        return { outcome: 'retired', kids: wanted.map((key) => key.kid) };
      });
      if (retirement.outcome === 'retired' && retirement.kids.length > 0) await sweep();
      return retirement;
    },

    async revoke(kids) {
      const revocation = await step((trx) => revokeKeys(trx, box, kids, clock.now()));
      if (revocation.outcome === 'struck') await sweep();
      return revocation;
    },
  };
};

const inTransaction = <T>(
  db: Kysely<PortalTables>,
  work: (
    trx: Parameters<typeof readKeys>[0],
    keys: readonly SigningKeyRow[],
    active: SigningKeyRow,
  ) => Promise<T>,
): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await lockKeys(trx);
    const keys = await readKeys(trx);
    const active = keys.find(({ state }) => state === 'active');
    if (!active) throw new Error('there is no active signing key');
    return work(trx, keys, active);
  });
