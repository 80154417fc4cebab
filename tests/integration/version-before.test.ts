import { createHash, randomBytes } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountHttp } from '#contracts/account.ts';
import { consoleHttp } from '#contracts/console.ts';
import { eventsHttp } from '#contracts/events.ts';
import { gameServersHttp } from '#contracts/game-servers.ts';
import { healthHttp, stackHealth } from '#contracts/health.ts';
import { licenseStateHttp } from '#contracts/license-state.ts';
import { builtInRoles } from '#contracts/permissions.ts';
import { secretsHttp, secretsStatus } from '#contracts/secrets.ts';
import { settingsHttp } from '#contracts/settings.ts';
import { eventually } from '#harness/eventually.ts';
import { type ApiProcess, type Installation, install } from '#harness/installation.ts';
import { apiKeyText } from '#runtime/api-key-proof.ts';
import { migrate } from '#runtime/database/migrate.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';
import { migrations } from '../../server/database/migrations.ts';
import { createSecrets } from '../../server/secrets/secrets.ts';
import { settingsSecrets } from '../../server/settings/settings-secrets.ts';
import { type SqlSession, sqlSession } from '../../server/testing/sql.ts';

/** The newest migration that the version before knew. */
const newestBefore = '0008-late-results';

const digestOf = (text: string) => createHash('sha256').update(text).digest();
const sessionToken = `cse_${randomBytes(32).toString('base64url')}`;
const secretOfKeys = randomBytes(32).toString('base64url');
const scriptKey = apiKeyText('script', secretOfKeys);
const desktopKey = apiKeyText('desktop', secretOfKeys);

let installation: Installation;
let api: ApiProcess;

beforeAll(async () => {
  installation = await install();
  // Variables of other versions, and of other programs that were given the same file.
  await appendFile(
    stackEnvPath(installation.home),
    '\n# From before.\nALERT_WEBHOOK_URL=https://hooks.example/1\nNODE_ENV=production\n',
  );
  await migrateAsBefore();
  await using sql = await sqlSession(installation.databaseUrl);
  await fill(sql);
  api = await installation.startApi();
});

afterAll(() => installation[Symbol.asyncDispose]());

const migrateAsBefore = async (): Promise<void> => {
  const pool = new pg.Pool({ connectionString: installation.databaseUrl.reveal(), max: 1 });
  const db = new Kysely<Record<never, never>>({ dialect: new PostgresDialect({ pool }) });
  const before = Object.entries(migrations).filter(([name]) => name <= newestBefore);
  await migrate({
    db,
    migrations: Object.fromEntries(before),
    log: createLog({ component: 'test', level: 'silent' }),
  });
  await db.destroy();
};

/** As the version before wrote it: in statements of its schema, not by the present program. */
const fill = async (sql: SqlSession): Promise<void> => {
  await sql.query(
    `insert into admins (id, name, name_key, password_hash, role) values ('ana', 'Ana', 'ana', 'unused', 'owner')`,
  );
  await sql.query(
    `insert into sessions (id, token_hash, admin_id, address, user_agent)
     values ('session', $1, 'ana', '127.0.0.1', 'a browser')`,
    [digestOf(sessionToken)],
  );
  await sql.query(
    `insert into api_keys (id, name, secret_hash, creator_id, permissions, expires_at) values
       ('script', 'nightly', $1, 'ana', '{events.read,queues.read,deliveries.read}', now() + interval '30 days'),
       ('desktop', 'Desktop of Ana', $1, null, $2, now() + interval '365 days')`,
    [digestOf(secretOfKeys), builtInRoles.owner],
  );
  await sql.query(
    `insert into clusters (id, name, name_key, description) values ('isles', 'Isles', 'isles', '')`,
  );
  await sql.query(
    `insert into game_servers (id, cluster_id, name, name_key, game, host, port, archived_at)
     values ('fjord', 'isles', 'Fjord', 'fjord', 'minecraft', '127.0.0.1', 25575, null)`,
  );
  await sql.query(
    `insert into console_commands (server_id, run_id, actor, actor_name, command, outcome, reply, duration_ms, via)
     values ('fjord', 'run', 'admin:ana', 'Ana', 'list', 'answered', 'There are 0 players', 12, 'direct')`,
  );
  await sql.query(
    `insert into event_logs (kind, severity, payload) values
       ('secrets.reencrypted', 'notice', '{"secrets": 2}'), ('stack.started', 'info', '{"version": "0.0.9"}')`,
  );
  await sql.query(
    `insert into settings values ('general', 1, '{"communityName": "Fjordland", "motto": "Row!"}')`,
  );
  await sql.query(`insert into settings values ('notifications', 1, '{}')`);
  const secrets = createSecrets([new Secret(installation.variables.CONFIG_ENCRYPTION_KEY ?? '')]);
  for (const place of [
    ['notifications', 'webhookUrl'],
    ['external-services', 'steamApiKey'],
  ])
    await sql.query('insert into settings_secrets values ($1, $2, $3)', [
      ...place,
      secrets.seal(settingsSecrets, place, new Secret('from-the-version-before')),
    ]);
};

const ask = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await api.fetch(path, { headers });
  expect(answer.status, path).toBe(200);
  return answer.json();
};
const bearing = (credential: string) => ({ Authorization: `Bearer ${credential}` });

// Guarantee: the present program starts over the home and the database of the version before, whatever that left in
// them, and the license holds.
test('a healthy stack over an old home', async () => {
  const health = stackHealth.parse(await ask(healthHttp.stack.path));
  expect(health.components).toMatchObject({ database: { status: 'ok' }, secrets: { status: 'ok' } });
  expect(await ask(licenseStateHttp.status.path)).toMatchObject({ state: 'valid' });
  await using sql = await sqlSession(installation.databaseUrl);
  expect(await sql.query('select name from schema_migrations order by name')).toEqual(
    Object.keys(migrations).map((name) => ({ name })),
  );
});

// Guarantee: who was let in before is let in still: by the browser's cookie, by a script's key, by a desktop's key.
test('the credentials of before', async () => {
  const byCookie = await ask(accountHttp.me.path, { Cookie: `castellan_session=${sessionToken}` });
  expect(byCookie).toMatchObject({ kind: 'admin', id: 'ana' });
  expect(await ask(accountHttp.me.path, bearing(scriptKey))).toMatchObject({ kind: 'api-key', id: 'script' });
  expect(await ask(accountHttp.me.path, bearing(desktopKey))).toMatchObject({ kind: 'desktop', id: 'Ana' });
  expect(await ask(eventsHttp.list.path, bearing(scriptKey))).toHaveProperty('rows');
});

// Guarantee: servers, history and events of before are read, also an event whose kind is gone.
test('the history of before', async () => {
  expect(await ask(gameServersHttp.list.path)).toMatchObject({ rows: [{ id: 'fjord', name: 'Fjord' }] });
  expect(await ask(consoleHttp.history.path)).toMatchObject({
    rows: [{ serverId: 'fjord', command: 'list', outcome: 'answered', reply: 'There are 0 players' }],
  });
  const { rows } = (await ask(eventsHttp.list.path)) as { rows: { kind: string }[] };
  expect(rows.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['secrets.reencrypted', 'stack.started']),
  );
});

// Guarantee: values and secrets of settings that are gone are left alone; what is known is read, and re-encryption takes all.
test('the settings of before', async () => {
  const { sections } = (await ask(settingsHttp.list.path)) as {
    sections: { name: string; values: object; secrets: object }[];
  };
  const section = (name: string) => sections.find((each) => each.name === name);
  expect(section('general')?.values).toMatchObject({ communityName: 'Fjordland', timeZone: 'UTC' });
  expect(section('general')?.values).not.toHaveProperty('motto');
  expect(section('external-services')?.secrets).toMatchObject({ steamApiKey: { set: true, fault: null } });
  expect(section('notifications')).toBeUndefined();

  expect((await api.fetch(secretsHttp.reencrypt.path, { method: 'POST' })).status).toBe(200);
  await eventually(async () => {
    const status = secretsStatus.parse(await ask(secretsHttp.status.path));
    expect(status).toMatchObject({ total: 2, unreadable: 0, damaged: 0, reencryption: { state: 'done' } });
  }, 30_000);
});
