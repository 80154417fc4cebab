import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect } from 'vitest';
import { botHttp } from '#contracts/discord/bot.ts';
import { discordHttp } from '#contracts/discord/discord.ts';
import { type StackHealth, stackHealth } from '#contracts/operations/health.ts';
import { secretsHttp, secretsStatus } from '#contracts/operations/secrets.ts';
import { type SettingsSection, settingsHttp, settingsSection } from '#contracts/operations/settings.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { eventually } from '#harness/eventually.ts';
import { type ApiProcess, type Installation, install } from '#harness/installation.ts';
import { confirmationBy, confirmationHeader } from '#runtime/desktop-confirmation.ts';
import { editEnvFile } from '#runtime/env-file.ts';
import { readKeyRecord } from '#runtime/key-record.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { keyIdOf } from '#runtime/secret-box.ts';
import { readStackConfig, stackEnvPath } from '#runtime/stack-config.ts';
import type { RotationStack } from '../../../electron/headless/key-rotate/rotate-key.ts';
import { startApi } from '../../../server/api.ts';
import { createSecrets } from '../../../server/kernel/secrets/secrets.ts';
import { sqlSession } from '../../../server/kernel/testing/sql.ts';
import { whenInUse } from '../../../server/kernel/testing/when-in-use.ts';
import { settingsSecrets } from '../../../server/operations/settings/settings-secrets.ts';

export let installation: Installation;
export let api: Pick<ApiProcess, 'fetch'> & AsyncDisposable;
export let logged = '';

/** A new installation, whose API runs in this process, for each test of the calling file. */
export const installationForEachTest = (): void => {
  beforeEach(async () => {
    installation = await install();
    logged = '';
    await start();
  });
  afterEach(async () => {
    await api[Symbol.asyncDispose]();
    await installation[Symbol.asyncDispose]();
  });
};

/** The API of the installation in this process, which takes a fraction of a process's start. */
const startHere = async (): Promise<typeof api> => {
  const { home, apiUrl, credential } = installation;
  const config = await readStackConfig(home);
  const running = await startApi({
    config,
    home,
    programsFolder: '/nonexistent',
    log: createLog({
      component: 'api',
      level: config.logLevel,
      destination: { write: (line) => (logged += line) },
    }),
    localOwner: () => ({ credential: new Secret(credential), user: 'tester' }),
  });
  await whenInUse(running);
  return {
    fetch: (path, init) => {
      const headers = new Headers(init?.headers);
      headers.set('Authorization', `Bearer ${credential}`);
      headers.set(confirmationHeader, confirmationBy(new Secret(credential)));
      return fetch(apiUrl + path, { ...init, headers });
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
};

export const newKey = () => randomBytes(32).toString('hex');

export const start = async () => switchTo(await startHere());
/** From now on, this one answers and is ended with the test. */
export const switchTo = (running: typeof api) => {
  api = running;
};

export const restart = async () => {
  await api[Symbol.asyncDispose]();
  await start();
};

export const health = async (): Promise<StackHealth> =>
  stackHealth.parse(await (await api.fetch('/api/health')).json());

export const section = async (name: SettingsSection['name']): Promise<SettingsSection> => {
  const answer = (await (await api.fetch(settingsHttp.list.path)).json()) as { sections: unknown };
  const found = settingsSection
    .array()
    .parse(answer.sections)
    .find((each) => each.name === name);
  if (!found) throw new Error(`no section ${name}`);
  return found;
};

export const save = async (name: SettingsSection['name'], values: Record<string, unknown>): Promise<void> => {
  const { version } = await section(name);
  const answer = await api.fetch(`/api/settings/${name}`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ version, values }),
  });
  expect(answer.status).toBe(200);
};

export const editEnv = (changes: Record<string, string | null>) =>
  editEnvFile(stackEnvPath(installation.home), changes);

/** Stores a secret of an older version for a removed setting. */
export const storeRemoved = async (): Promise<void> => {
  await using sql = await sqlSession(installation.databaseUrl);
  const secrets = createSecrets([new Secret(installation.variables.CONFIG_ENCRYPTION_KEY ?? '')]);
  const place = ['notifications', 'webhookUrl'] as const;
  const sealed = secrets.seal(settingsSecrets, place, new Secret('https://hooks.example/1'));
  await sql.query('insert into settings_secrets values ($1, $2, $3)', [...place, sealed]);
};

export const send = async (method: string, path: string, body: unknown): Promise<Record<string, unknown>> => {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await api.fetch(path, { method, headers, body: JSON.stringify(body) });
  expect(answer.status, `${method} ${path}`).toBe(200);
  return (await answer.json()) as Record<string, unknown>;
};

export const botToken = 'a-token.of-the.bot';
export const reportBot = async (): Promise<void> => {
  const { method, path } = botHttp.report;
  const headers = {
    Authorization: `Bearer ${installation.variables.INTERNAL_API_SECRET}`,
    'Content-Type': 'application/json',
  };
  const body = JSON.stringify({ state: 'connected', detail: '' });
  expect((await fetch(installation.apiUrl + path, { method, headers, body })).status).toBe(200);
};

/** Opens everything as the bot, the consoles and the mod sources would. */
export const readAll = async () => {
  const asBot = { Authorization: `Bearer ${installation.variables.INTERNAL_API_SECRET}` };
  const settings = (await (
    await fetch(installation.apiUrl + botHttp.settings.path, { headers: asBot })
  ).json()) as { token: string };
  const { unreadable, damaged } = await readStatus();
  return { token: settings.token, unreadable, damaged };
};
export const asStored = { token: botToken, unreadable: 0, damaged: 0 };

export const idOf = (key: string): string => keyIdOf(new Secret(key));
export const countsByKey = async () =>
  Object.fromEntries((await readStatus()).keys.map(({ keyId, count }) => [keyId, count]));
export const recordedIds = async () => (await readKeyRecord(installation.home)).keys.map(keyIdOf).toSorted();
export const idsOf = (...keys: string[]) => keys.map(idOf).toSorted();

/** `/api/health` is `ok` at once and stays so; what it says of the secrets may be a second old. */
export const expectHealthy = async (secrets: string | null = null) => {
  await reportBot();
  const answers: StackHealth[] = [];
  await eventually(async () => {
    const answer = await health();
    answers.push(answer);
    expect(answer.components.secrets.detail).toBe(secrets);
  });
  for (const answer of answers) expect(answer).toMatchObject({ status: 'ok' });
};

export const storeSecrets = async () => {
  const { id: clusterId } = await send('POST', clustersHttp.create.path, { name: 'Cluster' });
  const server = await send('POST', gameServersHttp.create.path, {
    clusterId,
    name: 'Fjord',
    game: 'minecraft',
    host: '127.0.0.1',
    port: 1,
    password: 'rcon-password-1',
  });
  await send('PATCH', discordHttp.change.path, { version: 0, token: botToken });
  await save('external-services', { curseforgeApiKey: 'curse-key-1' });
  return { serverPath: gameServersHttp.change.path.replace(':id', String(server.id)) };
};

export const readStatus = async () => {
  const answer = await api.fetch(secretsHttp.status.path);
  return secretsStatus.parse(await answer.json());
};

export const stack: RotationStack = {
  // An API that is being killed does not answer.
  status: () => readStatus().catch(() => null),
  async reencrypt() {
    expect((await api.fetch(secretsHttp.reencrypt.path, { method: 'POST' })).status).toBe(200);
  },
  restartApi: restart,
  backUp: async () => '/backups/1',
};
