import type { KeyObject } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Jwks } from '#contracts/licenses.ts';
import type { Log } from '#runtime/log.ts';
import { StartupError } from '#runtime/program.ts';
import { type SecretBox, UnknownKeyError } from '#runtime/secret-box.ts';
import type { PortalTables } from '../database/tables.ts';
import { generateKeyPair, signatureJwk, signingKey, verifyingKey } from './raw-key.ts';

/** The keys that tokens are signed and verified with. */
export interface KeyRing {
  readonly active: { readonly kid: string; readonly publicKey: string; readonly signer: KeyObject };
  /** By `kid`: every key that was not struck. A retired one signs nothing more, but its tokens still prove identity. */
  readonly verifiers: ReadonlyMap<string, KeyObject>;
  readonly jwks: Jwks;
}

export interface KeyRingOptions {
  readonly db: Kysely<PortalTables>;
  readonly box: SecretBox;
  readonly now: Date;
  readonly log: Log;
}

/** Chosen at random; held while the first key is made, so that of several processes only one makes it. */
const creationLock = 4_071_937_206;

const placeOf = (kid: string): string => `signing_keys:${kid}:private_key`;

/**
 * Loads the keys; makes the first one where there is none.
 * @throws {StartupError} when PORTAL_MASTER_KEY is not the one that this database was made with
 */
export const loadKeyRing = async (options: KeyRingOptions): Promise<KeyRing> => {
  const { db, box } = options;
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${creationLock})`.execute(trx);
    const any = await trx.selectFrom('signing_keys').select('kid').limit(1).executeTakeFirst();
    if (!any) await createFirstKey(trx, options);
  });
  const rows = await db.selectFrom('signing_keys').selectAll().orderBy('sequence').execute();
  const trusted = rows.filter((row) => row.struck_at === null);
  const active = trusted.find((row) => row.state === 'active');
  if (!active?.private_key_sealed) throw new StartupError('The database holds no usable active signing key.');
  const { kid, public_key: publicKey } = active;
  const privateKey = openPrivateKey(box, active.private_key_sealed, placeOf(kid));
  return {
    active: { kid, publicKey, signer: signingKey(publicKey, privateKey) },
    verifiers: new Map(trusted.map((row) => [row.kid, verifyingKey(row.public_key)])),
    jwks: {
      keys: trusted
        .filter((row) => row.state !== 'retired')
        .map((row) => signatureJwk(row.kid, row.public_key)),
    },
  };
};

const createFirstKey = async (trx: Transaction<PortalTables>, { box, now, log }: KeyRingOptions) => {
  const { kid, publicKey, privateKey } = await generateKeyPair();
  await trx
    .insertInto('signing_keys')
    .values({
      kid,
      sequence: 1,
      public_key: publicKey,
      private_key_sealed: box.seal(privateKey, placeOf(kid)),
      state: 'active',
      created_at: now,
    })
    .execute();
  log.info({ kid }, 'the first signing key was made');
};

const openPrivateKey = (box: SecretBox, sealed: string, place: string): string => {
  try {
    return box.open(sealed, place).toString();
  } catch (error) {
    if (!(error instanceof UnknownKeyError)) throw error;
    throw new StartupError(
      'PORTAL_MASTER_KEY is not the one that this database was made with; restore the right one.',
      { cause: error },
    );
  }
};
