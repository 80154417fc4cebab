import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SecretsStatus, secretsHttp, secretsStatus } from '#contracts/operations/secrets.ts';
import { eventually } from '#harness/eventually.ts';
import { Secret } from '#runtime/secret.ts';
import { discordTokenColumn } from '../../discord/discord-token.ts';
import { totpSecretColumn } from '../../identity/admins/second-factor.ts';
import { secretsHealthOf } from '../../operations/health/secrets-health.ts';
import { settingsSecrets } from '../../operations/settings/settings-secrets.ts';
import { rconPasswordColumn } from '../../servers/game-servers/rcon-password.ts';
import { uncontestedLeases } from '../commands/testing/uncontested-leases.ts';
import { openNotifications } from '../database/notifications.ts';
import { createJobSender } from '../queues/job-sender.ts';
import { startQueueEngine, stopQueueEngine } from '../queues/queue-engine.ts';
import { createWorkers } from '../queues/workers.ts';
import { ask } from '../testing/ask.ts';
import { type MigratedDatabase, migratedDatabase, serveFeature, silentLog } from '../testing/feature-api.ts';
import { inspectSecrets } from './inspect-secrets.ts';
import { reencryptionWorker } from './reencryption.ts';
import type { DescribedColumn } from './sealed-column.ts';
import { bindSecretsRoutes } from './secrets.routes.ts';
import { createSecrets, type Secrets } from './secrets.ts';

const newKey = () => new Secret(randomBytes(32).toString('hex'));
const columns = [settingsSecrets];

let owned: AsyncDisposableStack;
let database: MigratedDatabase;
beforeEach(async () => {
  owned = new AsyncDisposableStack();
  database = owned.use(await migratedDatabase());
});
afterEach(() => owned.disposeAsync());

const fieldOf = (index: number) => `f${String(index).padStart(4, '0')}`;

/** Stores secrets `plain-<index>`, sealed by the given keys. */
const store = async (secrets: Secrets, from: number, count: number): Promise<void> => {
  const rows = Array.from({ length: count }, (_, index) => {
    const field = fieldOf(from + index);
    const plain = new Secret(`plain-${from + index}`);
    return { section: 'many', field, sealed: secrets.seal(settingsSecrets, ['many', field], plain) };
  });
  await database.db.insertInto('settings_secrets').values(rows).execute();
};

const read = async (index: number): Promise<string> => {
  const row = await database.db
    .selectFrom('settings_secrets')
    .select('sealed')
    .where('field', '=', fieldOf(index))
    .executeTakeFirstOrThrow();
  return row.sealed;
};

const openWith = async (secrets: Secrets, index: number): Promise<string> => {
  const opened = secrets.open(settingsSecrets, ['many', fieldOf(index)], await read(index));
  return opened.outcome === 'open' ? opened.secret.reveal() : opened.fault;
};

/** The queues and the routes, as in the API. */
const start = async (
  secrets: Secrets,
  counted: readonly DescribedColumn[] = columns,
  { beforeJobEnds = async () => undefined }: { readonly beforeJobEnds?: () => Promise<unknown> } = {},
) => {
  const notifications = owned.use(openNotifications(database.url, silentLog));
  const boss = await startQueueEngine({
    pool: database.pool,
    notifications,
    leases: uncontestedLeases,
    log: silentLog,
  });
  owned.defer(() => stopQueueEngine(boss));
  const { db } = database;
  const worker = reencryptionWorker({ db, columns, secrets, log: silentLog });
  const workers = owned.use(
    createWorkers(
      [
        {
          ...worker,
          async handle(jobs, signal) {
            await worker.handle(jobs, signal);
            await beforeJobEnds();
          },
        },
      ],
      silentLog,
    ),
  );
  const jobs = createJobSender();
  jobs.attach(boss);
  const { port } = owned.use(
    await serveFeature((routes) => bindSecretsRoutes(routes, { db, columns: counted, secrets, jobs })),
  );
  const { status, reencrypt } = secretsHttp;
  return {
    work: () => workers.attach(boss),
    status: async (): Promise<SecretsStatus> => secretsStatus.parse((await ask(port, status.path)).json),
    reencrypt: async (): Promise<SecretsStatus> =>
      secretsStatus.parse((await ask(port, reencrypt.path, { method: 'POST' })).json),
  };
};

const audited = async (): Promise<unknown[]> => {
  const rows = await database.db.selectFrom('audit_logs').select(['action', 'actor', 'after']).execute();
  return rows.map(({ action, after }) => [action, after]);
};

// Guarantee: every secret is counted under the key that it names; unreadable ones are named and distinguished.
test('the count of secrets on each key', async () => {
  const [old, current, lost] = [newKey(), newKey(), newKey()];
  const secrets = createSecrets([current, old]);
  await store(secrets, 0, 3);
  await store(createSecrets([old]), 10, 2);
  await store(createSecrets([lost]), 20, 4);
  await database.pool.query(`update settings_secrets set sealed = left(sealed, -6) where field = 'f0010'`);
  await database.pool.query(`update settings_secrets set sealed = 'nonsense' where field = 'f0000'`);
  const { status } = await start(secrets);
  const seen = await status();
  expect(seen).toMatchObject({ total: 9, unreadable: 4, damaged: 2, reencryption: null });
  expect(seen.keys).toEqual([
    { keyId: secrets.keyId, state: 'current', count: 2 },
    { keyId: createSecrets([old]).keyId, state: 'previous', count: 2 },
    { keyId: createSecrets([lost]).keyId, state: 'unknown', count: 4 },
  ]);
  expect(seen.faults).toContainEqual({ secret: 'many.f0010 in the settings', fault: 'damaged' });
  expect(secretsHealthOf(seen, [])).toEqual({
    status: 'degraded',
    detail:
      'Secrets that cannot be read: 4. Put the old key into CONFIG_ENCRYPTION_KEY_PREVIOUS. Damaged secrets: 2. Enter them again.',
  });
});

// Guarantee: afterwards the current key alone opens everything that could be read; the rest is unchanged.
test('re-encryption', async () => {
  const [old, current, lost] = [newKey(), newKey(), newKey()];
  const secrets = createSecrets([current, old]);
  await store(createSecrets([old]), 0, 250);
  await store(createSecrets([lost]), 500, 1);
  await database.pool.query(`update settings_secrets set sealed = left(sealed, -6) where field = 'f0007'`);
  const [unknown, damaged] = [await read(500), await read(7)];

  const { reencrypt, status, work } = await start(secrets);
  expect((await reencrypt()).reencryption).toMatchObject({ state: 'waiting', total: null, done: 0 });
  expect((await reencrypt()).reencryption).toMatchObject({ state: 'waiting' });
  work();
  // Each status check also opens every secret; a run has an hour.
  await eventually(
    async () =>
      expect((await status()).reencryption).toMatchObject({
        state: 'done',
        total: 250,
        done: 249,
        failed: 1,
      }),
    30_000,
  );
  const alone = createSecrets([current]);
  for (const index of [0, 99, 100, 101, 249]) expect(await openWith(alone, index)).toBe(`plain-${index}`);
  expect([await read(500), await read(7)]).toEqual([unknown, damaged]);
  expect((await status()).keys.map(({ count }) => count)).toEqual([249, 1, 1]);
  expect(await audited()).toEqual([
    ['secrets.reencrypt', null],
    ['secrets.reencrypt-end', { done: 249, failed: 1 }],
  ]);
});

// Guarantee: a request between the end of a run and the end of its job is carried out.
test('a request at the end of a run', async () => {
  const [old, current] = [newKey(), newKey()];
  const secrets = createSecrets([current, old]);
  await store(createSecrets([old]), 0, 1);
  const ends: (() => Promise<unknown>)[] = [];
  const { reencrypt, status, work } = await start(secrets, columns, {
    beforeJobEnds: async () => ends.pop()?.(),
  });
  ends.push(async () => {
    await store(createSecrets([old]), 1, 2);
    expect((await reencrypt()).reencryption).toMatchObject({ state: 'waiting', done: 0 });
  });
  await reencrypt();
  work();
  await eventually(async () =>
    expect((await status()).reencryption).toMatchObject({ state: 'done', done: 2 }),
  );
  for (const index of [0, 1, 2])
    expect(await openWith(createSecrets([current]), index)).toBe(`plain-${index}`);
  expect(await audited()).toEqual([
    ['secrets.reencrypt', null],
    ['secrets.reencrypt-end', { done: 1, failed: 0 }],
    ['secrets.reencrypt', null],
    ['secrets.reencrypt-end', { done: 2, failed: 0 }],
  ]);
});

// Guarantee: a run whose job has finally failed is resumed by the next request, not by a second run.
test('a run whose job is gone', async () => {
  const [old, current] = [newKey(), newKey()];
  const secrets = createSecrets([current, old]);
  await store(createSecrets([old]), 0, 3);
  const { reencrypt, status, work } = await start(secrets);
  await reencrypt();
  await database.pool.query(`update queue.job set state = 'failed' where name = 'reencrypt-secrets'`);
  await reencrypt();
  work();
  await eventually(async () =>
    expect((await status()).reencryption).toMatchObject({ state: 'done', done: 3 }),
  );
  const { rows } = await database.pool.query('select count(*)::int as runs from secret_reencryptions');
  expect(rows).toEqual([{ runs: 1 }]);
});

// Guarantee: what released versions sealed still opens: the places that are bound to their ciphertexts stay.
test('the place of each secret', () => {
  const places = [settingsSecrets.placeOf('mail', 'password'), totpSecretColumn.placeOf('1')];
  expect([...places, rconPasswordColumn.placeOf('2'), discordTokenColumn.placeOf('discord')]).toEqual([
    '["settings_secrets","sealed","mail","password"]',
    '["admins","totp_secret","1"]',
    '["game_servers","password","2"]',
    '["discord_settings","token","discord"]',
  ]);
});

/** A requested run that nothing carries out yet. */
const askedRun = async (): Promise<string> => {
  const requester = { kind: 'admin', id: '1', name: 'Owner', address: '127.0.0.1' };
  const { id } = await database.db
    .insertInto('secret_reencryptions')
    .values({ requested_by: JSON.stringify(requester) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};

const carryOut = (secrets: Secrets, run: string): Promise<void> => {
  const { handle } = reencryptionWorker({ db: database.db, columns, secrets, log: silentLog });
  const { signal } = new AbortController();
  const times = { expireInSeconds: 60, heartbeatSeconds: null, retryCount: 0 };
  return handle([{ id: '1', name: 'reencrypt-secrets', data: { run }, signal, ...times }], signal);
};

const progress = (run: string) =>
  database.db
    .selectFrom('secret_reencryptions')
    .select(['total', 'done', 'failed'])
    .where('id', '=', run)
    .executeTakeFirstOrThrow();

/** Waits until a transaction is blocked by a row lock of another one. @returns the id of its backend */
const blockedBackend = () =>
  eventually(async () => {
    const { rows } = await database.pool.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(rows).toHaveLength(1);
    return rows[0]?.pid;
  });

// Guarantee: a save that comes while its row is being re-encrypted wins, and does not count as work of the run.
test('a concurrent save', async () => {
  const [old, current] = [newKey(), newKey()];
  const secrets = createSecrets([current, old]);
  await store(createSecrets([old]), 0, 5);
  const saved = secrets.seal(settingsSecrets, ['many', fieldOf(3)], new Secret('entered meanwhile'));
  const saving = await database.pool.connect();
  await saving.query('begin');
  await saving.query(`update settings_secrets set sealed = $1 where field = 'f0003'`, [saved]);
  const id = await askedRun();
  const run = carryOut(secrets, id);
  await blockedBackend();
  await saving.query('commit');
  saving.release();
  await run;
  expect(await progress(id)).toEqual({ total: 4, done: 4, failed: 0 });
  expect(await openWith(secrets, 3)).toBe('entered meanwhile');
  expect(await openWith(createSecrets([current]), 4)).toBe('plain-4');
});

// Guarantee: an interrupted run keeps each finished batch, and when restarted does exactly the rest.
test('a run that is cut off', async () => {
  const [old, current] = [newKey(), newKey()];
  const secrets = createSecrets([current, old]);
  await store(createSecrets([old]), 0, 250);
  const holding = await database.pool.connect();
  await holding.query('begin');
  await holding.query(`select from settings_secrets where field = 'f0150' for update`);
  const id = await askedRun();
  const first = carryOut(secrets, id);
  const cut = expect(first).rejects.toThrow();
  await database.pool.query('select pg_terminate_backend($1)', [await blockedBackend()]);
  await cut;
  await holding.query('rollback');
  holding.release();
  expect(await progress(id)).toEqual({ total: 250, done: 100, failed: 0 });
  const finished = await read(0);

  await carryOut(secrets, id);
  expect(await progress(id)).toEqual({ total: 250, done: 250, failed: 0 });
  expect(await read(0)).toBe(finished);
  const { keys } = await inspectSecrets(database.db, columns, createSecrets([current]));
  expect(keys).toEqual([{ keyId: secrets.keyId, state: 'current', count: 250 }]);
  await carryOut(secrets, id);
  expect(await progress(id)).toEqual({ total: 250, done: 250, failed: 0 });
  expect(await audited()).toEqual([['secrets.reencrypt-end', { done: 250, failed: 0 }]]);
});

// Guarantee: when a run ends while its secrets are being counted, nothing claims that it left them on the older key.
test('a run that ends during the count', async () => {
  const [old, current] = [newKey(), newKey()];
  const secrets = createSecrets([current, old]);
  await store(createSecrets([old]), 0, 5);
  const { status } = await start(secrets, [settingsSecrets, discordTokenColumn]);
  const id = await askedRun();
  const holding = await database.pool.connect();
  await holding.query('begin');
  await holding.query('lock table discord_settings');
  const asked = status();
  await blockedBackend();
  await carryOut(secrets, id);
  await holding.query('rollback');
  holding.release();
  const { reencryption, keys } = await asked;
  expect(keys).toContainEqual({ keyId: createSecrets([old]).keyId, state: 'previous', count: 5 });
  expect(reencryption?.state).toBe('waiting');
  expect(await status()).toMatchObject({ reencryption: { state: 'done', done: 5 } });
});
