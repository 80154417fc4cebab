import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { botHttp } from '#contracts/discord/bot.ts';
import { discordHttp } from '#contracts/discord/discord.ts';
import { accountHttp } from '#contracts/identity/account.ts';
import { adminsHttp } from '#contracts/identity/admins.ts';
import { apiKeysHttp } from '#contracts/identity/api-keys.ts';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import { ticketsHttp } from '#contracts/identity/tickets.ts';
import { observabilityHttp } from '#contracts/operations/observability.ts';
import { secretsHttp } from '#contracts/operations/secrets.ts';
import { settingsHttp } from '#contracts/operations/settings.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { consoleHttp } from '#contracts/servers/console.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { type WalkRequest, walkRequests } from '#harness/canary-walk.ts';
import { eventually } from '#harness/eventually.ts';
import { type ApiProcess, type Installation, install } from '#harness/installation.ts';
import { recordKeys } from '#runtime/key-record.ts';
import { Secret } from '#runtime/secret.ts';
import { type SqlSession, sqlSession } from '../../../server/kernel/testing/sql.ts';
import { startMinecraft } from '../../simulators/minecraft-simulator.ts';

/**
 * Secrets that are sent through every path must not appear anywhere that people look. A new feature adds its secrets to
 * `canaries`, or to the flow that creates them, and its own steps to `flows`; its endpoints are walked automatically.
 */

const newCanary = () => `canary${randomBytes(18).toString('hex')}`;
const canaries = new Map<string, string>();
const remember = (name: string, value: string): string => {
  canaries.set(name, value);
  return value;
};

let installation: Installation;
let api: ApiProcess;
let sql: SqlSession;
/** Every received problem document, as text with its headers. */
const problemTexts: string[] = [];

const send = async (path: string, init?: RequestInit): Promise<{ status: number; text: string }> => {
  // Without its database the API cuts off a download, at the start or in the middle.
  const response = await api.fetch(path, init).catch(() => null);
  if (!response) return { status: 0, text: '' };
  const text = await response.text().catch(() => '');
  if (response.status >= 400) problemTexts.push(JSON.stringify([...response.headers]) + text);
  return { status: response.status, text };
};

/** A member of a JSON answer. */
const member = ({ text }: { readonly text: string }, name: string): string => {
  const value: unknown = JSON.parse(text)[name];
  if (typeof value !== 'string') throw new Error(`no ${name} in the answer`);
  return value;
};

const sendJson = (
  { method, path }: { readonly method: string; readonly path: string },
  body: unknown,
  headers: Record<string, string> = {},
) =>
  send(path, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** Legitimate uses of secrets; each flow records the secrets that it gets. */
const flows: readonly (readonly [string, () => Promise<void>])[] = [
  [
    'settings',
    async () => {
      const values = { steamApiKey: remember('API key of a service', newCanary()) };
      const path = settingsHttp.change.path.replace(':section', 'external-services');
      const saved = await sendJson({ method: 'PATCH', path }, { version: 0, values });
      expect(saved.status).toBe(200);
      const modrinthApiKey = remember('token of a service', newCanary());
      await sendJson({ method: 'PATCH', path }, { version: 1, values: { modrinthApiKey } });
      await sendJson({ method: 'PATCH', path }, { version: 1, values: { modrinthApiKey } });
      await sendJson({ method: 'PATCH', path }, { version: 2, values: { modrinthApiKey: [modrinthApiKey] } });
      expect((await send(secretsHttp.reencrypt.path, { method: 'POST' })).status).toBe(200);
    },
  ],
  [
    'the Discord bot',
    async () => {
      const token = remember('saved token of the bot', `${newCanary()}.canary.token`);
      expect((await sendJson(discordHttp.change, { version: 0, token })).status).toBe(200);
      await sendJson(discordHttp.change, { version: 0, token });
      await sendJson(discordHttp.change, { version: 1, token: [token] });
      const typed = remember('typed token of a bot', `${newCanary()}.canary.token`);
      await sendJson(discordHttp.test, { token: typed, clientId: '', guildId: '' });
      const asBot = { Authorization: `Bearer ${installation.variables.INTERNAL_API_SECRET}` };
      expect((await send(botHttp.settings.path, { headers: asBot })).text).toContain(token);
    },
  ],
  [
    'an admin with two-step sign-in',
    async () => {
      const password = remember('password', newCanary());
      const name = 'Canary keeper';
      expect((await sendJson(adminsHttp.create, { name, password, role: 'admin' })).status).toBe(200);
      const wrong = remember('wrong password', newCanary());
      const anonymous = { Authorization: 'none' };
      expect((await sendJson(sessionsHttp.signIn, { name, password: wrong }, anonymous)).status).toBe(401);
      const signIn = await sendJson(sessionsHttp.signIn, { name, password, transport: 'bearer' }, anonymous);
      const token = remember('session token', member(signIn, 'token'));
      const asAdmin = { Authorization: `Bearer ${token}` };
      const enrolled = await sendJson(accountHttp.enrolTotp, { password }, asAdmin);
      remember('TOTP seed', member(enrolled, 'secret'));
      await sendJson(accountHttp.confirmTotp, { code: member(enrolled, 'secret') }, asAdmin);
      await sendJson(accountHttp.changePassword, { currentPassword: wrong, newPassword: password }, asAdmin);
    },
  ],
  [
    'an API key and a ticket',
    async () => {
      const key = await sendJson(apiKeysHttp.create, {
        name: 'k',
        permissions: ['stack.read'],
        expiresInDays: 1,
      });
      remember('API key', member(key, 'key'));
      const ticket = await send(ticketsHttp.issue.path, { method: 'POST' });
      remember('ticket', member(ticket, 'ticket'));
    },
  ],
  [
    'a game server',
    async () => {
      const password = remember('console password', newCanary());
      const wrong = remember('wrong console password', newCanary());
      await using game = await startMinecraft({ password });
      const cluster = await sendJson(clustersHttp.create, { name: 'c' });
      const where = { game: 'minecraft', host: '127.0.0.1', port: game.port };
      const made = await sendJson(gameServersHttp.create, {
        ...where,
        name: 's',
        clusterId: member(cluster, 'id'),
        password: wrong,
      });
      const id = member(made, 'id');
      const run = async () => {
        const answer = await sendJson(consoleHttp.run, { serverIds: [id], command: 'list' });
        return JSON.parse(answer.text).entries[0].outcome;
      };
      await eventually(async () => expect(await run()).toBe('authentication failed'));
      const path = gameServersHttp.change.path.replace(':id', id);
      const change = (body: object) => sendJson({ method: 'PATCH', path }, body);
      expect((await change({ version: 1, host: '127.0.0.2' })).status).toBe(400);
      expect((await change({ version: 1, password })).status).toBe(200);
      expect((await change({ version: 1, password })).status).toBe(409);
      expect((await change({ version: 2, password: [password] })).status).toBe(400);
      await eventually(async () => expect(await run()).toBe('answered'));
      for (const tried of [password, wrong, undefined])
        await sendJson(gameServersHttp.testConnection, { ...where, serverId: id, password: tried });
      await send(gameServersHttp.archive.path.replace(':id', id), { method: 'POST' });
    },
  ],
];

/** Many thousands of requests. */
const walkMs = 600_000;
/** The API answers some requests while the answers to others are read. */
const atOnce = 6;

/** Which requests of the rounds are sent; every n-th, so that each endpoint and each part of a request has its turn. */
interface Share {
  /** With all canaries at once in each place. */
  readonly together: number;
  /** With one canary in each place, another in each request, which passes where such a long text does not. */
  readonly single: number;
}

const nth = (requests: readonly WalkRequest[], share: number) =>
  share === 0 ? [] : requests.filter((_, index) => index % share === 0);

/** @returns how many requests were sent */
const walk = async (credential: Record<string, string>, { together, single }: Share): Promise<number> => {
  const document = await (await api.fetch(observabilityHttp.openApi.path)).json();
  const all = [...canaries.values()];
  const singles = all.map((text) => walkRequests(document, text));
  const left = [
    ...nth(walkRequests(document, all.join(',')), together),
    ...nth(
      (singles[0] ?? []).flatMap((_request, index) => singles[index % all.length]?.[index] ?? []),
      single,
    ),
  ].values();
  let sent = 0;
  const sendNext = async () => {
    for (const { path, init } of left) {
      await send(path, { ...init, headers: { ...credential, ...(init.headers as Record<string, string>) } });
      sent += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sendNext));
  return sent;
};

/** Forbids the API's role to connect for a while: like a database that refuses, but only in this test. */
const withoutDatabase = async (work: () => Promise<void>): Promise<void> => {
  const role = new URL(installation.databaseUrl.reveal()).username;
  await using superuser = await sqlSession(inject('postgresUrl'));
  await superuser.query(`alter role ${role} nologin`);
  await superuser.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = $1 and application_name like 'castellan%'`,
    [role],
  );
  try {
    await work();
  } finally {
    await superuser.query(`alter role ${role} login`);
  }
};

const rowsOf = async (table: string): Promise<string> => {
  const rows = await sql.query<{ row: string }>(`select t::text as row from ${table} t`);
  return rows.map(({ row }) => row).join('\n');
};

const processArguments = async (): Promise<string> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  // Processes may end during the scan.
  const read = (pid: string) => readFile(join('/proc', pid, 'cmdline'), 'utf8').catch(() => '');
  return (await Promise.all(pids.map(read))).join('\n');
};

/** The places where a secret must not be: name and text. */
const places: readonly (readonly [string, () => Promise<string>])[] = [
  ['the log', () => installation.output()],
  ['problem documents', async () => problemTexts.join('\n')],
  ['the audit log', () => rowsOf('audit_logs')],
  ['the event log', () => rowsOf('event_logs')],
  ['jobs', () => rowsOf('queue.job')],
  [
    'any other table',
    async () => {
      const tables = await sql.query<{ name: string }>(
        `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'`,
      );
      let all = '';
      for (const { name } of tables) all += await rowsOf(name);
      return all;
    },
  ],
  ['the metrics', async () => (await api.fetch(observabilityHttp.metrics.path)).text()],
  ['the OpenAPI document', async () => (await api.fetch(observabilityHttp.openApi.path)).text()],
  ['the game servers', async () => (await api.fetch(`${gameServersHttp.list.path}?archived=true`)).text()],
  ['the settings', async () => (await api.fetch(settingsHttp.list.path)).text()],
  ['process arguments', processArguments],
];

/** What share of the requests each walk sends. */
export interface Walks {
  readonly everything: Share;
  readonly unknown: Share;
  readonly database: Share;
}

export const testCanaries = ({ everything, unknown, database }: Walks): void => {
  beforeAll(async () => {
    installation = await install({
      DISCORD_BOT_TOKEN: newCanary(),
      // No one listens there, so that a token reaches no one.
      DISCORD_API_URL: 'http://127.0.0.1:1/api',
      LOG_LEVEL: 'trace',
    });
    const { variables } = installation;
    for (const name of [
      'CONFIG_ENCRYPTION_KEY',
      'GAME_AGENT_SECRET',
      'INTERNAL_API_SECRET',
      'DISCORD_BOT_TOKEN',
      'DATABASE_URL',
    ])
      remember(name, variables[name] ?? '');
    remember('database password', new URL(installation.databaseUrl.reveal()).password);
    const olderKey = remember('older encryption key', randomBytes(32).toString('hex'));
    await recordKeys(installation.home, [new Secret(olderKey)]);
    remember('license key', installation.licenseKey);
    remember('desktop credential', installation.credential);
    api = await installation.startApi();
    sql = await sqlSession(installation.databaseUrl);
  });
  afterAll(async () => {
    await sql[Symbol.asyncDispose]();
    await installation[Symbol.asyncDispose]();
  });

  test.each(flows)('the flow: %s', (_name, run) => run());

  test('every endpoint, by somebody who may do everything', { timeout: walkMs }, async () => {
    expect(await walk({}, everything)).toBeGreaterThan(400);
  });

  test('every endpoint, by somebody unknown', { timeout: walkMs }, async () => {
    expect(await walk({ Authorization: 'none' }, unknown)).toBeGreaterThan(200);
  });

  test('every endpoint, without the database', { timeout: walkMs }, async () => {
    await withoutDatabase(async () => {
      expect(await walk({}, database)).toBeGreaterThan(200);
    });
    expect(api.process.exitCode).toBeNull();
    await eventually(async () => expect((await send('/api/settings')).status).toBe(200), 30_000);
  });

  // Guarantee: no secret that was ever sent or created appears where people look: plain, escaped, encoded or in base64.
  test.each(places)('nothing is found in %s', async (_place, read) => {
    const text = await read();
    expect(text).not.toBe('');
    const found = [...canaries].filter(([, value]) =>
      [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), btoa(`admin:${value}`)].some(
        (spelling) => text.includes(spelling),
      ),
    );
    expect(found.map(([name]) => name)).toEqual([]);
  });
};
