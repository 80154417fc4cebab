import { hkdfSync } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { StartupError } from '#runtime/program.ts';
import type { SealedColumn } from '#runtime/sealed/sealed-column.ts';
import type { Secret } from '#runtime/secret.ts';
import { keyIdOf, namedKeyId, type SecretBox, UnknownKeyError } from '#runtime/secret-box.ts';
import type { VaultKeyRow } from '../database/rows.ts';
import type { PortalTables } from '../database/tables.ts';

export const vaultKeyColumn: SealedColumn = {
  table: 'vault_keys',
  key: ['name'],
  column: 'key_sealed',
  placeOf: (name) => `vault_keys:${name}:key`,
};

/** A random number; of several processes that start on a database without such a key, one creates it. */
const creationLock = 2_115_530_617;

const hashKeyName = 'license-key-hash';

/**
 * The key that license keys are hashed with, the same for the database's whole life. If it is not stored yet, it is the
 * one that older versions derived from the master key, so that their hashes still match.
 * @throws {StartupError} if no master key opens it
 */
export const readHashKey = async (options: {
  readonly db: Kysely<PortalTables>;
  readonly box: SecretBox;
  /** The current one first. */
  readonly masterKeys: readonly [Secret, ...Secret[]];
  readonly now: Date;
}): Promise<Buffer> => {
  const { db, box, now } = options;
  const row = await db.transaction().execute(async (trx): Promise<VaultKeyRow> => {
    await sql`select pg_advisory_xact_lock(${creationLock})`.execute(trx);
    const kept = await trx
      .selectFrom('vault_keys')
      .selectAll()
      .where('name', '=', hashKeyName)
      .executeTakeFirst();
    if (kept) return kept;
    const hashKey = deriveHashKey(await firstMasterKey(trx, options.masterKeys));
    return trx
      .insertInto('vault_keys')
      .values({
        name: hashKeyName,
        key_sealed: box.seal(hashKey.toString('hex'), vaultKeyColumn.placeOf(hashKeyName)),
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  try {
    return Buffer.from(box.open(row.key_sealed, vaultKeyColumn.placeOf(hashKeyName)).toString(), 'hex');
  } catch (error) {
    if (!(error instanceof UnknownKeyError)) throw error;
    throw new StartupError(
      'PORTAL_MASTER_KEY is not the one that this database was made with; restore the right one.',
      { cause: error },
    );
  }
};

export const deriveHashKey = (masterKey: Secret): Buffer =>
  Buffer.from(
    hkdfSync('sha256', Buffer.from(masterKey.reveal(), 'hex'), '', 'castellan-portal license key hash', 32),
  );

/** The master key that the oldest signing key names: the one that older versions hashed with. */
const firstMasterKey = async (
  db: Kysely<PortalTables>,
  masterKeys: readonly [Secret, ...Secret[]],
): Promise<Secret> => {
  const oldest = await db
    .selectFrom('signing_keys')
    .select('private_key_sealed')
    .where('private_key_sealed', 'is not', null)
    .orderBy('sequence')
    .limit(1)
    .executeTakeFirst();
  const keyId = namedKeyId(oldest?.private_key_sealed ?? '');
  return masterKeys.find((key) => keyIdOf(key) === keyId) ?? masterKeys[0];
};
