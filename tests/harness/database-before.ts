import { createHash, randomBytes } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { builtInRoles } from '#contracts/identity/permissions.ts';
import { apiKeyText } from '#runtime/api-key-proof.ts';
import { migrate } from '#runtime/database/migrate.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { migrations } from '../../server/kernel/database/migrations.ts';
import { createSecrets } from '../../server/kernel/secrets/secrets.ts';
import { type SqlSession, sqlSession } from '../../server/kernel/testing/sql.ts';
import { settingsSecrets } from '../../server/operations/settings/settings-secrets.ts';

/** The newest migration of the previous version. */
const newestBefore = '0008-late-results';

const digestOf = (text: string) => createHash('sha256').update(text).digest();
export const sessionToken = `cse_${randomBytes(32).toString('base64url')}`;
const secretOfKeys = randomBytes(32).toString('base64url');
export const scriptKey = apiKeyText('script', secretOfKeys);
export const desktopKey = apiKeyText('desktop', secretOfKeys);

export interface DatabaseBefore {
  readonly databaseUrl: Secret;
  /** CONFIG_ENCRYPTION_KEY. */
  readonly configKey: string;
  /** The key of the pinned Game Agent. */
  readonly agentKey: string;
}

/** Fills a database like the previous version: with statements for its schema, not with the current program. */
export const fillDatabaseBefore = async (before: DatabaseBefore): Promise<void> => {
  await migrateAsBefore(before.databaseUrl);
  await using sql = await sqlSession(before.databaseUrl);
  await fill(sql, before);
};

const migrateAsBefore = async (databaseUrl: Secret): Promise<void> => {
  const pool = new pg.Pool({ connectionString: databaseUrl.reveal(), max: 1 });
  const db = new Kysely<Record<never, never>>({ dialect: new PostgresDialect({ pool }) });
  const before = Object.entries(migrations).filter(([name]) => name <= newestBefore);
  await migrate({
    db,
    migrations: Object.fromEntries(before),
    log: createLog({ component: 'test', level: 'silent' }),
  });
  await db.destroy();
};

const fill = async (sql: SqlSession, { agentKey, configKey }: DatabaseBefore): Promise<void> => {
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
    `insert into game_agents (server_id, agent_key, version, address, mode, journal, last_event)
     values ('fjord', $1, '0.0.9', '127.0.0.1', 'websocket', 'of-a-process-that-is-gone', 7)`,
    [agentKey],
  );
  await sql.query(
    `insert into event_logs (kind, severity, payload) values
       ('secrets.reencrypted', 'notice', '{"secrets": 2}'), ('stack.started', 'info', '{"version": "0.0.9"}')`,
  );
  await sql.query(
    `insert into settings values ('general', 1, '{"communityName": "Fjordland", "motto": "Row!"}')`,
  );
  await sql.query(`insert into settings values ('notifications', 1, '{}')`);
  const secrets = createSecrets([new Secret(configKey)]);
  for (const place of [
    ['notifications', 'webhookUrl'],
    ['external-services', 'steamApiKey'],
  ])
    await sql.query('insert into settings_secrets values ($1, $2, $3)', [
      ...place,
      secrets.seal(settingsSecrets, place, new Secret('from-the-version-before')),
    ]);
};
