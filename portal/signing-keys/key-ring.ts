import type { KeyObject } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type KeySuccession, maxEndorsements } from '#contracts/license/key-succession.ts';
import type { Jwks } from '#contracts/license/licenses.ts';
import type { Log } from '#runtime/log.ts';
import { StartupError } from '#runtime/program.ts';
import { type SecretBox, UnknownKeyError } from '#runtime/secret-box.ts';
import type { SigningKeyRow } from '../database/rows.ts';
import type { PortalTables } from '../database/tables.ts';
import { lockKeys, makeKey } from './key-changes.ts';
import { openPrivateKey } from './private-keys.ts';
import { signatureJwk, verifyingKey } from './raw-key.ts';

/** The current keys for signing and verifying tokens: every read may differ from the one before. */
export interface KeyRing extends Disposable {
  readonly active: { readonly kid: string; readonly publicKey: string; readonly signer: KeyObject };
  /**
   * By `kid`: every key that ever existed. A retired one no longer signs, but its tokens still prove identity; only the
   * database knows immediately whether one was revoked in between, and the statement of the daily check asks it.
   */
  readonly verifiers: ReadonlyMap<string, KeyObject>;
  readonly jwks: Jwks;
  readonly succession: KeySuccession;
  /** The number of the newest revocation; 0 if there is none. */
  readonly revocationNumber: number;
  /** Reads the database; what was there before the call is seen after it. */
  refresh(): Promise<void>;
}

interface KeyRingOptions {
  readonly db: Kysely<PortalTables>;
  readonly box: SecretBox;
  readonly now: Date;
  readonly log: Log;
}

/** How long another process may still sign with the previous key. */
const lookMs = 2000;

type Keys = Pick<KeyRing, 'active' | 'verifiers' | 'jwks' | 'succession' | 'revocationNumber'>;

/**
 * Loads the keys and follows all their changes; creates the first one if there is none.
 * @throws {StartupError} if PORTAL_MASTER_KEY is not the one that this database was created with
 */
export const openKeyRing = async (options: KeyRingOptions): Promise<KeyRing> => {
  const { db, box, log } = options;
  await makeFirstKey(options);
  let read = await readAll(db);
  let keys = keysOf(read, signerAtStart(box, read.rows));
  let running: Promise<void> = Promise.resolve();
  let queued: Promise<void> | null = null;

  const look = async (): Promise<void> => {
    const found = await readAll(db);
    if (JSON.stringify(found) === JSON.stringify(read)) return;
    const { kid } = keys.active;
    keys = keysOf(found, signerNow(box, found.rows, keys.active, log));
    read = found;
    if (keys.active.kid !== kid) log.info({ kid: keys.active.kid }, 'the active signing key changed');
  };
  const refresh = (): Promise<void> => {
    queued ??= running.then(() => {
      queued = null;
      const looking = look();
      running = looking.catch(() => undefined);
      return looking;
    });
    return queued;
  };
  const timer = setInterval(() => {
    refresh().catch((error: unknown) => log.debug({ err: error }, 'could not read the signing keys'));
  }, lookMs).unref();

  return {
    get active() {
      return keys.active;
    },
    get verifiers() {
      return keys.verifiers;
    },
    get jwks() {
      return keys.jwks;
    },
    get succession() {
      return keys.succession;
    },
    get revocationNumber() {
      return keys.revocationNumber;
    },
    refresh,
    [Symbol.dispose]: () => clearInterval(timer),
  };
};

const makeFirstKey = ({ db, box, now, log }: KeyRingOptions): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await lockKeys(trx);
    const any = await trx.selectFrom('signing_keys').select('kid').limit(1).executeTakeFirst();
    if (any) return;
    const { kid } = await makeKey(trx, box, { state: 'active', sequence: 1, endorser: null, now });
    log.info({ kid }, 'created the first signing key');
  });

interface ReadKeys {
  readonly rows: readonly SigningKeyRow[];
  readonly revocation: { readonly number: number; readonly document: string } | null;
}

/** The revocation is read first: one that happens in between is then missed although its keys are seen, never the other way round. */
const readAll = async (db: Kysely<PortalTables>): Promise<ReadKeys> => {
  const revocation = await db
    .selectFrom('key_strikes')
    .select(['number', 'document'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  const rows = await db.selectFrom('signing_keys').selectAll().orderBy('sequence').execute();
  return { rows, revocation: revocation ?? null };
};

const keysOf = ({ rows, revocation }: ReadKeys, active: KeyRing['active']): Keys => ({
  active,
  verifiers: new Map(rows.map((row) => [row.kid, verifyingKey(row.public_key)])),
  jwks: {
    keys: rows
      .filter((row) => row.struck_at === null && row.state !== 'retired')
      .map((row) => signatureJwk(row.kid, row.public_key)),
  },
  succession: {
    endorsements: rows.flatMap((row) => row.endorsement ?? []).slice(-maxEndorsements),
    strikes: revocation?.document ?? null,
  },
  revocationNumber: revocation?.number ?? 0,
});

const activeOf = (box: SecretBox, rows: readonly SigningKeyRow[]): KeyRing['active'] | null => {
  const row = rows.find(({ state, struck_at }) => state === 'active' && struck_at === null);
  const signer = row && openPrivateKey(box, row);
  return row && signer ? { kid: row.kid, publicKey: row.public_key, signer } : null;
};

const signerAtStart = (box: SecretBox, rows: readonly SigningKeyRow[]): KeyRing['active'] => {
  try {
    const active = activeOf(box, rows);
    if (active) return active;
  } catch (error) {
    if (!(error instanceof UnknownKeyError)) throw error;
    throw new StartupError(
      'PORTAL_MASTER_KEY is not the one that this database was made with; restore the right one, or put it into ' +
        'PORTAL_MASTER_KEY_PREVIOUS.',
      { cause: error },
    );
  }
  throw new StartupError('The database holds no usable active signing key.');
};

/** A process that cannot read the new key continues with its current one: its tokens are still valid, and the log says what is wrong. */
const signerNow = (
  box: SecretBox,
  rows: readonly SigningKeyRow[],
  before: KeyRing['active'],
  log: Log,
): KeyRing['active'] => {
  const row = rows.find(({ state, struck_at }) => state === 'active' && struck_at === null);
  if (row?.kid === before.kid) return before;
  try {
    const active = activeOf(box, rows);
    if (active) return active;
    log.error('the database has no usable active signing key');
  } catch (error) {
    if (!(error instanceof UnknownKeyError)) throw error;
    log.error(
      { kid: row?.kid },
      'the active signing key is encrypted with a master key that this process does not have; restart it with the new master key',
    );
  }
  return before;
};
