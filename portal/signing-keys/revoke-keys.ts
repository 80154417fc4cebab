import type { Transaction } from 'kysely';
import type { SecretBox } from '#runtime/secret-box.ts';
import type { SigningKeyRow } from '../database/rows.ts';
import type { PortalTables } from '../database/tables.ts';
import { changeKey, makeKey, makeNext, readKeys, retired, signerOf } from './key-changes.ts';
import { type Signer, signRevocations } from './key-statements.ts';

type Trx = Transaction<PortalTables>;

export type KeyRevocation =
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
export const revokeKeys = async (
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
