import { sql, type Transaction } from 'kysely';
import type { SecretBox } from '#runtime/secret-box.ts';
import type { SigningKeyRow } from '../database/rows.ts';
import type { PortalTables } from '../database/tables.ts';
import { type Signer, signEndorsement } from './key-statements.ts';
import { openPrivateKey, sealPrivateKey } from './private-keys.ts';
import { generateKeyPair } from './raw-key.ts';

type Trx = Transaction<PortalTables>;

/** A random number; held by the process that changes the keys, so that of several processes one does a step and the others see it. */
const keyLock = 4_071_937_206;

/** Waits for its turn. */
export const lockKeys = (trx: Trx): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(${keyLock})`.execute(trx);

export const readKeys = (trx: Trx): Promise<SigningKeyRow[]> =>
  trx.selectFrom('signing_keys').selectAll().orderBy('sequence').execute();

export const changeKey = async (
  trx: Trx,
  kid: string,
  change: Partial<Omit<SigningKeyRow, 'kid'>>,
): Promise<void> => {
  await trx.updateTable('signing_keys').set(change).where('kid', '=', kid).execute();
};

/** The key as a signing key; null if its private half is gone. */
export const signerOf = (box: SecretBox, row: SigningKeyRow): Signer | null => {
  const privateKey = openPrivateKey(box, row);
  return privateKey && { kid: row.kid, privateKey };
};

export const makeKey = async (
  trx: Trx,
  box: SecretBox,
  {
    state,
    sequence,
    endorser,
    now,
  }: {
    readonly state: SigningKeyRow['state'];
    readonly sequence: number;
    /** Null for the very first key. */
    readonly endorser: Signer | null;
    readonly now: Date;
  },
): Promise<SigningKeyRow> => {
  const { kid, publicKey, privateKey } = await generateKeyPair();
  return trx
    .insertInto('signing_keys')
    .values({
      kid,
      sequence,
      public_key: publicKey,
      private_key_sealed: sealPrivateKey(box, kid, privateKey),
      state,
      endorsement: endorser && signEndorsement({ kid, key: publicKey, sequence }, endorser),
      created_at: now,
      activated_at: state === 'active' ? now : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
};

/**
 * Clients accept one key per place, the first one that they see there. A database that was restored from a backup does
 * not know the keys made since; counting on from its last one would give the next key the place of a lost one, and
 * installations that know the lost one would never accept the new key. So the place is the time: in minutes since 1970.
 */
const placeOf = (now: Date): number => Math.floor(now.getTime() / 60_000);

/** The key that will follow the active one, endorsed by it. */
export const makeNext = (
  trx: Trx,
  box: SecretBox,
  keys: readonly SigningKeyRow[],
  active: SigningKeyRow,
  now: Date,
): Promise<SigningKeyRow> => {
  const sequence = Math.max(placeOf(now), ...keys.map((key) => key.sequence + 1));
  return makeKey(trx, box, { state: 'next', sequence, endorser: signerOf(box, active), now });
};

/** What remains of a key whose private half must never sign again. */
export const retired = (now: Date) =>
  ({ state: 'retired', private_key_sealed: null, retired_at: now }) satisfies Partial<SigningKeyRow>;
