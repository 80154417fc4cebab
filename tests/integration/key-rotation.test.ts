// @module-tag identity

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { botHttp } from '#contracts/bot.ts';
import { clustersHttp } from '#contracts/clusters.ts';
import { discordHttp } from '#contracts/discord.ts';
import { gameServersHttp } from '#contracts/game-servers.ts';
import { type StackHealth, stackHealth } from '#contracts/health.ts';
import { healthReasons } from '#contracts/health-reasons.ts';
import { secretsHttp, secretsStatus } from '#contracts/secrets.ts';
import { type SettingsSection, settingsHttp, settingsSection } from '#contracts/settings.ts';
import { eventually } from '#harness/eventually.ts';
import { type ApiProcess, type Installation, install } from '#harness/installation.ts';
import { filesBeside } from '#runtime/backup/backup-manifest.ts';
import { confirmationBy, confirmationHeader } from '#runtime/desktop-confirmation.ts';
import { editEnvFile } from '#runtime/env-file.ts';
import { keyRecordName, readKeyRecord } from '#runtime/key-record.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { keyIdOf } from '#runtime/secret-box.ts';
import { readStackConfig, stackEnvPath } from '#runtime/stack-config.ts';
import { type RotationStack, rotateKey } from '../../electron/headless/key-rotate/rotate-key.ts';
import { startApi } from '../../server/api.ts';
import { createSecrets } from '../../server/secrets/secrets.ts';
import { settingsSecrets } from '../../server/settings/settings-secrets.ts';
import { type SqlSession, sqlSession } from '../../server/testing/sql.ts';
import { whenInUse } from '../../server/testing/when-in-use.ts';

let installation: Installation;
let api: Pick<ApiProcess, 'fetch'> & AsyncDisposable;
let logged = '';
beforeEach(async () => {
  installation = await install();
  logged = '';
  api = await startHere();
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
  await installation[Symbol.asyncDispose]();
});

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

const newKey = () => randomBytes(32).toString('hex');

const restart = async () => {
  await api[Symbol.asyncDispose]();
  api = await startHere();
};

const health = async (): Promise<StackHealth> =>
  stackHealth.parse(await (await api.fetch('/api/health')).json());

const section = async (name: SettingsSection['name']): Promise<SettingsSection> => {
  const answer = (await (await api.fetch(settingsHttp.list.path)).json()) as { sections: unknown };
  const found = settingsSection
    .array()
    .parse(answer.sections)
    .find((each) => each.name === name);
  if (!found) throw new Error(`no section ${name}`);
  return found;
};

const save = async (name: SettingsSection['name'], values: Record<string, unknown>): Promise<void> => {
  const { version } = await section(name);
  const answer = await api.fetch(`/api/settings/${name}`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ version, values }),
  });
  expect(answer.status).toBe(200);
};

const editEnv = (changes: Record<string, string | null>) =>
  editEnvFile(stackEnvPath(installation.home), changes);

/** Stores a secret of an older version for a removed setting. */
const storeRemoved = async (): Promise<void> => {
  await using sql = await sqlSession(installation.databaseUrl);
  const secrets = createSecrets([new Secret(installation.variables.CONFIG_ENCRYPTION_KEY ?? '')]);
  const place = ['notifications', 'webhookUrl'] as const;
  const sealed = secrets.seal(settingsSecrets, place, new Secret('https://hooks.example/1'));
  await sql.query('insert into settings_secrets values ($1, $2, $3)', [...place, sealed]);
};

const send = async (method: string, path: string, body: unknown): Promise<Record<string, unknown>> => {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await api.fetch(path, { method, headers, body: JSON.stringify(body) });
  expect(answer.status, `${method} ${path}`).toBe(200);
  return (await answer.json()) as Record<string, unknown>;
};

const botToken = 'a-token.of-the.bot';
const reportBot = async (): Promise<void> => {
  const { method, path } = botHttp.report;
  const headers = {
    Authorization: `Bearer ${installation.variables.INTERNAL_API_SECRET}`,
    'Content-Type': 'application/json',
  };
  const body = JSON.stringify({ state: 'connected', detail: '' });
  expect((await fetch(installation.apiUrl + path, { method, headers, body })).status).toBe(200);
};

/** Opens everything as the bot, the consoles and the mod sources would. */
const readAll = async () => {
  const asBot = { Authorization: `Bearer ${installation.variables.INTERNAL_API_SECRET}` };
  const settings = (await (
    await fetch(installation.apiUrl + botHttp.settings.path, { headers: asBot })
  ).json()) as { token: string };
  const { unreadable, damaged } = await readStatus();
  return { token: settings.token, unreadable, damaged };
};
const asStored = { token: botToken, unreadable: 0, damaged: 0 };

const idOf = (key: string): string => keyIdOf(new Secret(key));
const countsByKey = async () =>
  Object.fromEntries((await readStatus()).keys.map(({ keyId, count }) => [keyId, count]));
const recordedIds = async () => (await readKeyRecord(installation.home)).keys.map(keyIdOf).toSorted();
const idsOf = (...keys: string[]) => keys.map(idOf).toSorted();

/** `/api/health` is `ok` at once and stays so; what it says of the secrets may be a second old. */
const expectHealthy = async (secrets: string | null = null) => {
  await reportBot();
  const answers: StackHealth[] = [];
  await eventually(async () => {
    const answer = await health();
    answers.push(answer);
    expect(answer.components.secrets.detail).toBe(secrets);
  });
  for (const answer of answers) expect(answer).toMatchObject({ status: 'ok' });
};

const storeSecrets = async () => {
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

// Guarantee: the interface document's rotation procedure works line by line: with only CONFIG_ENCRYPTION_KEY replaced, every secret
// reads and health is `ok` at each step; what is saved again uses the new key, and after the last one the old key is gone.
test('the rotation procedure of the interface document', async () => {
  const { home } = installation;
  const { serverPath } = await storeSecrets();
  await expectHealthy();
  // "generate a new 32-byte hex key"
  const [old, current] = [installation.variables.CONFIG_ENCRYPTION_KEY ?? '', newKey()];
  // "back up the database": the key that the backup needs is in it.
  expect(filesBeside).toEqual(expect.arrayContaining(['.env', keyRecordName]));
  expect(await recordedIds()).toEqual(idsOf(old));
  // "stop the API; set CONFIG_ENCRYPTION_KEY; start the API"
  await api[Symbol.asyncDispose]();
  await editEnv({ CONFIG_ENCRYPTION_KEY: current });
  api = await startHere();
  // "check /api/health"
  await expectHealthy(healthReasons['secrets-on-old-keys'](3));
  expect(await readAll()).toEqual(asStored);
  expect(await countsByKey()).toEqual({ [idOf(old)]: 3, [idOf(current)]: 0 });
  // "re-save every admin section with sensitive fields so values are re-encrypted"
  await send('PATCH', serverPath, { version: 1, password: 'rcon-password-1' });
  expect(await countsByKey()).toEqual({ [idOf(old)]: 2, [idOf(current)]: 1 });
  await expectHealthy(healthReasons['secrets-on-old-keys'](2));
  await send('PATCH', discordHttp.change.path, { version: 1, token: botToken });
  expect(await recordedIds()).toEqual(idsOf(old, current));
  await save('external-services', { curseforgeApiKey: 'curse-key-1' });
  // "discard the old key only after all are re-saved"
  await eventually(async () => expect(await recordedIds()).toEqual(idsOf(current)));
  await eventually(async () => expect(await countsByKey()).toEqual({ [idOf(current)]: 3 }));
  await expectHealthy();
  expect(await readAll()).toEqual(asStored);
  await restart();
  await expectHealthy();
  expect(await readAll()).toEqual(asStored);

  await using sql = await sqlSession(installation.databaseUrl);
  const replaced = {
    keyId: idOf(current),
    replacedKeyId: idOf(old),
    secrets: [
      { keyId: idOf(current), count: 0 },
      { keyId: idOf(old), count: 3 },
    ],
  };
  expect(await sql.query(`select payload from event_logs where kind = 'secrets.key-replaced'`)).toEqual([
    { payload: replaced },
  ]);
  expect(
    await sql.query(
      `select action, target, after from audit_logs where action like 'secrets.key%' order by id`,
    ),
  ).toEqual([
    { action: 'secrets.key-replace', target: `encryption-key:${idOf(current)}`, after: replaced },
    { action: 'secrets.key-forget', target: `encryption-key:${idOf(old)}`, after: { secrets: 0 } },
  ]);
  expect(logged).toMatch(/the encryption key was replaced/);
  for (const key of [old, current])
    expect(logged + (await readFile(`${home}/logs/api.log`, 'utf8').catch(() => ''))).not.toContain(key);
});

// Guarantee: any key that a secret still needs can be put back into `.env`: it reads everything, also what was encrypted meanwhile.
test('an old key is put back', async () => {
  await storeSecrets();
  const [first, second, third] = [installation.variables.CONFIG_ENCRYPTION_KEY ?? '', newKey(), newKey()];
  await editEnv({ CONFIG_ENCRYPTION_KEY: second });
  await restart();
  await save('external-services', { steamApiKey: 'steam-key-2' });
  await editEnv({ CONFIG_ENCRYPTION_KEY: third });
  await restart();
  await save('external-services', { modrinthApiKey: 'modrinth-key-3' });
  for (const key of [first, second, third]) {
    await editEnv({ CONFIG_ENCRYPTION_KEY: key });
    await restart();
    expect(await readAll()).toEqual(asStored);
    expect(await countsByKey()).toEqual({ [idOf(first)]: 3, [idOf(second)]: 1, [idOf(third)]: 1 });
  }
  expect((await readStatus()).keys.map(({ replacedAt }) => typeof replacedAt).toSorted()).toEqual([
    'string',
    'string',
    'undefined',
  ]);
});

// Guarantee: without the record of the old key, as where the key was replaced before the first start of this version, the API starts,
// says what is wrong and how to fix it, encrypts new saves with the new key, and reads everything again once it has the old key.
test('only the key was replaced, and no record has the old one', async () => {
  await save('general', { communityName: 'Before' });
  await save('external-services', { steamApiKey: 'steam-key-1', curseforgeApiKey: 'curse-key-1' });
  await storeRemoved();
  expect((await health()).components.secrets).toEqual({ status: 'ok', detail: null });

  const [old, current] = [installation.variables.CONFIG_ENCRYPTION_KEY ?? '', newKey()];
  await editEnv({ CONFIG_ENCRYPTION_KEY: current });
  await api[Symbol.asyncDispose]();
  await rm(join(installation.home, keyRecordName));
  api = await startHere();
  const degraded = await health();
  expect(degraded).toMatchObject({ status: 'degraded', components: { database: { status: 'ok' } } });
  expect(degraded.components.secrets.detail).toBe(
    'Secrets that cannot be read: 3. Put the old key into CONFIG_ENCRYPTION_KEY_PREVIOUS.',
  );
  expect((await section('general')).values.communityName).toBe('Before');
  const unreadable = { set: true, keyId: idOf(old), fault: 'unknown-key' };
  expect((await section('external-services')).secrets).toMatchObject({
    steamApiKey: unreadable,
    curseforgeApiKey: unreadable,
    modrinthApiKey: { set: false },
  });

  await save('external-services', { steamApiKey: 'steam-key-2' });
  const readable = { set: true, keyId: idOf(current), fault: null };
  expect((await section('external-services')).secrets).toMatchObject({
    steamApiKey: readable,
    curseforgeApiKey: unreadable,
  });

  await editEnv({ CONFIG_ENCRYPTION_KEY_PREVIOUS: old });
  await restart();
  expect((await health()).components.secrets).toMatchObject({ status: 'ok' });
  expect((await section('external-services')).secrets.curseforgeApiKey).toMatchObject({ fault: null });

  await save('external-services', { curseforgeApiKey: 'curse-key-2' });
  await stack.reencrypt();
  await eventually(async () => expect((await readStatus()).reencryption?.state).toBe('done'));
  await editEnv({ CONFIG_ENCRYPTION_KEY_PREVIOUS: null });
  await restart();
  expect((await health()).components.secrets).toEqual({ status: 'ok', detail: null });
  await eventually(async () => expect(await recordedIds()).toEqual(idsOf(current)));
});

// Guarantee: a damaged record is reported, its readable keys are used, and nothing of it is lost; one that cannot be used is reported
// until it can.
test('a damaged record, and an unusable one', async () => {
  await storeSecrets();
  await editEnv({ CONFIG_ENCRYPTION_KEY: newKey() });
  await restart();
  const path = join(installation.home, keyRecordName);
  const damaged = (await readFile(path, 'utf8')).slice(0, -4);
  await api[Symbol.asyncDispose]();
  await writeFile(path, damaged);
  api = await startHere();
  const { components } = await health();
  expect(components.secrets).toMatchObject({ status: 'degraded' });
  expect(components.secrets.detail).toMatch(
    /encryption-keys\.json was damaged\..*encryption-keys\.damaged-\w+\.json/,
  );
  expect(await readAll()).toEqual(asStored);
  const [copy = ''] = /encryption-keys\.damaged-\w+\.json/.exec(components.secrets.detail ?? '') ?? [];
  expect(await readFile(join(installation.home, copy), 'utf8')).toBe(damaged);
  await api[Symbol.asyncDispose]();
  await rm(path);
  await mkdir(path);
  api = await startHere();
  expect((await health()).components.secrets.detail).toMatch(
    /cannot be used\. Do not replace CONFIG_ENCRYPTION_KEY/,
  );
  await rm(path, { recursive: true });
  await eventually(async () =>
    expect((await health()).components.secrets.detail).not.toMatch(/cannot be used/),
  );
});

const manySecrets = 400;

const storeMany = async (sql: SqlSession): Promise<void> => {
  const secrets = createSecrets([new Secret(installation.variables.CONFIG_ENCRYPTION_KEY ?? '')]);
  const fields = Array.from({ length: manySecrets }, (_, index) => `f${index}`);
  const sealed = fields.map((field) =>
    secrets.seal(settingsSecrets, ['many', field], new Secret(`plain-${field}`)),
  );
  await sql.query(`insert into settings_secrets select 'many', * from unnest($1::text[], $2::text[])`, [
    fields,
    sealed,
  ]);
};

const readStatus = async () => {
  const answer = await api.fetch(secretsHttp.status.path);
  return secretsStatus.parse(await answer.json());
};

const stack: RotationStack = {
  // An API that is being killed does not answer.
  status: () => readStatus().catch(() => null),
  async reencrypt() {
    expect((await api.fetch(secretsHttp.reencrypt.path, { method: 'POST' })).status).toBe(200);
  },
  restartApi: restart,
  backUp: async () => '/backups/1',
};

class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** A stack that interrupts the command at its n-th action. */
const breakingOffAt = (step: number): RotationStack => {
  let done = 0;
  const count = <Args extends unknown[], Result>(act: (...args: Args) => Promise<Result>) => {
    return async (...args: Args): Promise<Result> => {
      done += 1;
      if (done === step) throw new Interrupted();
      return act(...args);
    };
  };
  return {
    status: stack.status,
    reencrypt: count(stack.reencrypt),
    restartApi: count(stack.restartApi),
    backUp: count(stack.backUp),
  };
};

// Guarantee: no matter how often the command is interrupted, running it again completes it: one new key, everything on it, the old
// one gone from .env, and no line of .env lost. A killed API resumes the re-encryption when it is started again.
test('castellan key rotate, broken off at every step', async () => {
  await using sql = await sqlSession(installation.databaseUrl);
  await storeMany(sql);
  const before = await readFile(stackEnvPath(installation.home), 'utf8');
  const said: string[] = [];
  const { home } = installation;
  const rotate = (on: RotationStack) => rotateKey({ home, stack: on, say: (line) => said.push(line) });
  const envOf = async () => parseEnv(await readFile(stackEnvPath(home), 'utf8'));

  // Interrupted before any change: nothing is changed.
  await expect(rotate(breakingOffAt(1))).rejects.toThrow(Interrupted);
  expect(await readFile(stackEnvPath(home), 'utf8')).toBe(before);
  // At the restart with both keys.
  await expect(rotate(breakingOffAt(2))).rejects.toThrow(Interrupted);
  const { CONFIG_ENCRYPTION_KEY: current = '', CONFIG_ENCRYPTION_KEY_PREVIOUS: old } = await envOf();
  expect(old).toBe(installation.variables.CONFIG_ENCRYPTION_KEY);
  expect(current).not.toBe(old);
  // At the request to re-encrypt.
  await expect(rotate(breakingOffAt(2))).rejects.toThrow(Interrupted);
  // At the last restart, after the API was killed in the middle of the re-encryption, which is held until then.
  await api[Symbol.asyncDispose]();
  const victim = await installation.startApi();
  api = victim;
  let killed = false;
  await using holder = await sqlSession(installation.databaseUrl);
  await holder.query('begin');
  await holder.query(`select from settings_secrets where field = 'f5' for update`);
  const withKill: RotationStack = {
    ...breakingOffAt(2),
    async status() {
      const status = await stack.status();
      if (!killed && status?.reencryption?.state === 'running' && status.reencryption.done > 0) {
        killed = true;
        const gone = once(victim.process, 'exit');
        victim.process.kill('SIGKILL');
        await gone;
        await holder.query('rollback');
        // Told that the killed one has ended, as the supervisor would.
        api = await installation.startApi();
      }
      return status;
    },
  };
  await expect(rotate(withKill)).rejects.toThrow(Interrupted);
  expect(killed).toBe(true);
  expect(await envOf()).not.toHaveProperty('CONFIG_ENCRYPTION_KEY_PREVIOUS');

  expect(await rotate(stack)).toEqual({ outcome: 'rotated', keyId: keyIdOf(new Secret(current)) });
  expect(await recordedIds()).toEqual(idsOf(current));
  const status = await readStatus();
  expect(status).toMatchObject({ total: manySecrets, unreadable: 0, damaged: 0 });
  expect(status.keys).toEqual([{ keyId: idOf(current), state: 'current', count: manySecrets }]);
  const after = await readFile(stackEnvPath(home), 'utf8');
  expect(after.replace('\n# CONFIG_ENCRYPTION_KEY_PREVIOUS=', '').replace(current, old ?? '')).toBe(before);
  const audited = await sql.query(`select action from audit_logs where action like 'secrets.%' order by id`);
  expect(audited.map(({ action }) => action)).toEqual([
    'secrets.key-replace',
    'secrets.reencrypt',
    'secrets.reencrypt-end',
    'secrets.key-forget',
  ]);
  for (const key of [current, old ?? ''])
    expect(said.join('\n') + logged + (await installation.output())).not.toContain(key);
});

// Guarantee: an unreadable secret keeps the old key in .env, and the command names that secret.
test('a damaged secret', async () => {
  await save('external-services', { steamApiKey: 'steam-key-1', curseforgeApiKey: 'curse-key-1' });
  await using sql = await sqlSession(installation.databaseUrl);
  await sql.query(`update settings_secrets set sealed = left(sealed, -4) where field = 'steamApiKey'`);
  const said: string[] = [];
  const rotate = () => rotateKey({ home: installation.home, stack, say: (line) => said.push(line) });
  expect(await rotate()).toEqual({
    outcome: 'stopped',
    detail: expect.stringContaining('"Steam API key" in the settings'),
  });
  expect(await readFile(stackEnvPath(installation.home), 'utf8')).toContain(
    `CONFIG_ENCRYPTION_KEY_PREVIOUS=${installation.variables.CONFIG_ENCRYPTION_KEY}`,
  );
  await save('external-services', { steamApiKey: 'steam-key-2' });
  expect(said).toContain('Re-encrypted: 1 of 2, 1 cannot be read');
  said.length = 0;
  expect(await rotate()).toMatchObject({ outcome: 'rotated' });
  expect(said.join('\n')).not.toContain('Re-encrypted');
});

// Guarantee: an installation without secrets gets a new key and is told that there was nothing else to do.
test('no secrets yet', async () => {
  const said: string[] = [];
  const rotated = await rotateKey({ home: installation.home, stack, say: (line) => said.push(line) });
  expect(rotated).toMatchObject({ outcome: 'rotated' });
  expect(said).toContain('No secrets are stored yet, so only the key changes.');
});
