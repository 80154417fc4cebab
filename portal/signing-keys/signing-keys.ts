import { type Kysely, sql, type Transaction } from 'kysely';
import type { Clock } from '#runtime/clock.ts';
import type { Log } from '#runtime/log.ts';
import type { SecretBox } from '#runtime/secret-box.ts';
import type { SigningKeyRow } from '../database/rows.ts';
import type { PortalTables } from '../database/tables.ts';
import { mayRetire, readyAt } from './due-step.ts';
import { changeKey, lockKeys, makeKey, makeNext, readKeys, retired, signerOf } from './key-changes.ts';
import { type Signer, signRevocations } from './key-statements.ts';

type Trx = Transaction<PortalTables>;

type KeyRevocation =
  | {
      readonly outcome: 'struck';
      readonly number: number;
      /** All keys revoked so far. */
      readonly struck: readonly string[];
      /** The key that signs tokens from now on. */
      readonly activeKid: string;
    }
  | { readonly outcome: 'refused'; readonly reason: string };

/** The most keys that a revocation names as genuine; older ones have long left every chain that is still followed. */
const maxGenuine = 200;

/**
 * Revokes keys, under the lock of the keys: their private halves are destroyed, another key signs immediately if the
 * active one was among them, and a later key signs the revocation that clients will see.
 */
const revokeKeys = async (
  trx: Trx,
  box: SecretBox,
  kids: readonly string[],
  now: Date,
): Promise<KeyRevocation> => {
  const keys = await readKeys(trx);
  const unknown = kids.find((kid) => !keys.some((key) => key.kid === kid));
  if (unknown) return { outcome: 'refused', reason: `There is no signing key ${unknown}.` };
  const already = keys.find((key) => kids.includes(key.kid) && key.struck_at !== null);
  if (already) return { outcome: 'refused', reason: `Key ${already.kid} is already revoked.` };

  // Before anything is destroyed: the stolen key itself may be the only one that can endorse its successor.
  const endorser = bestEndorser(box, keys, kids);
  for (const kid of kids) await changeKey(trx, kid, { ...retired(now), struck_at: now });
  const active = await ensureActive(trx, box, keys, kids, endorser, now);
  const before = await readKeys(trx);
  const hasNext = before.some(({ state }) => state === 'next');
  if (!hasNext) await makeNext(trx, box, before, active, now);

  const rows = await readKeys(trx);
  const struck = rows.filter(({ struck_at }) => struck_at !== null);
  const lastStruck = Math.max(...struck.map(({ sequence }) => sequence));
  const later = rows.find(
    (row) => row.sequence > lastStruck && ['active', 'next'].includes(row.state) && row.struck_at === null,
  );
  const signer = later && signerOf(box, later);
  if (!signer) throw new Error('no signing key is later than the revoked ones');
  const last = await trx
    .selectFrom('key_strikes')
    .select('number')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  const number = (last?.number ?? 0) + 1;
  const names = struck.map(({ kid }) => kid);
  const genuine = rows.map(({ kid }) => kid).slice(-maxGenuine);
  const document = signRevocations({ number, struck: names, genuine }, signer);
  await trx.insertInto('key_strikes').values({ number, document, made_at: now }).execute();
  return { outcome: 'struck', number, struck: names, activeKid: active.kid };
};

/** The latest key that was not stolen; if there is none, the latest of all, whose endorsement the revocation then confirms. */
const bestEndorser = (
  box: SecretBox,
  keys: readonly SigningKeyRow[],
  stolen: readonly string[],
): Signer | null => {
  const able = keys.filter(({ private_key_sealed }) => private_key_sealed !== null);
  const row = able.findLast(({ kid }) => !stolen.includes(kid)) ?? able.at(-1);
  return row ? signerOf(box, row) : null;
};

/** The active key; if it was revoked, the next one takes its place, or one that is created for it. */
const ensureActive = async (
  trx: Trx,
  box: SecretBox,
  keys: readonly SigningKeyRow[],
  struck: readonly string[],
  endorser: Signer | null,
  now: Date,
): Promise<SigningKeyRow> => {
  const left = keys.filter(({ kid }) => !struck.includes(kid));
  const active = left.find(({ state }) => state === 'active');
  if (active) return active;
  const next = left.find(({ state }) => state === 'next');
  if (!next) {
    const sequence = Math.max(...keys.map((key) => key.sequence)) + 1;
    return makeKey(trx, box, { state: 'active', sequence, endorser, now });
  }
  await changeKey(trx, next.kid, { state: 'active', activated_at: now });
  return { ...next, state: 'active', activated_at: now };
};

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

/** The steps in the life of the signing keys. Each is one transaction under one lock: done as a whole, or not at all. */
export interface SigningKeys {
  list(): Promise<readonly SigningKeyRow[]>;
  /** Creates the next key if there is none. @returns whether there was none */
  prepare(): Promise<boolean>;
  rotate(wish: {
    /** The key that was active when the rotation was requested; null: any. */
    readonly activeKid: string | null;
    /** Does not wait until the next key has been published for long enough. */
    readonly urgent?: boolean;
  }): Promise<Rotation>;
  /** Destroys the private half of a replaced key; without a `kid`, of all that were replaced long enough ago. */
  retire(kid: string | null): Promise<Retirement>;
  revoke(kids: readonly string[]): Promise<KeyRevocation>;
}

export const createSigningKeys = ({
  db,
  box,
  clock,
  log,
  onChange,
}: {
  readonly db: Kysely<PortalTables>;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly log: Log;
  /** Called after every step: the keys have changed. */
  readonly onChange: () => Promise<void>;
}): SigningKeys => {
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
