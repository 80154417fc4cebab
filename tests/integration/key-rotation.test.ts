// @module-tag identity

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type StackHealth, stackHealth } from '#contracts/health.ts';
import { secretsHttp, secretsStatus } from '#contracts/secrets.ts';
import { type SettingsSection, settingsHttp, settingsSection } from '#contracts/settings.ts';
import { eventually } from '#harness/eventually.ts';
import { type ApiProcess, type Installation, install } from '#harness/installation.ts';
import { confirmationBy, confirmationHeader } from '#runtime/desktop-confirmation.ts';
import { editEnvFile } from '#runtime/env-file.ts';
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

// Guarantee: the documented procedure, followed to the letter (a new key, nothing else), loses nothing: the API starts, says
// what is wrong and how to fix it, encrypts new saves with the new key, and reads everything again once it has the old key.
test('only the key was replaced', async () => {
  await save('general', { communityName: 'Before' });
  await save('external-services', { steamApiKey: 'steam-key-1', curseforgeApiKey: 'curse-key-1' });
  await storeRemoved();
  expect((await health()).components.secrets).toEqual({ status: 'ok', detail: null });

  const [old, current] = [installation.variables.CONFIG_ENCRYPTION_KEY ?? '', newKey()];
  await editEnv({ CONFIG_ENCRYPTION_KEY: current });
  await restart();
  const degraded = await health();
  expect(degraded).toMatchObject({ status: 'degraded', components: { database: { status: 'ok' } } });
  expect(degraded.components.secrets.detail).toBe(
    'Secrets that cannot be read: 3. Put the old key into CONFIG_ENCRYPTION_KEY_PREVIOUS.',
  );
  expect((await section('general')).values.communityName).toBe('Before');
  const unreadable = { set: true, keyId: keyIdOf(new Secret(old)), fault: 'unknown-key' };
  expect((await section('external-services')).secrets).toMatchObject({
    steamApiKey: unreadable,
    curseforgeApiKey: unreadable,
    modrinthApiKey: { set: false },
  });

  await save('external-services', { steamApiKey: 'steam-key-2' });
  const readable = { set: true, keyId: keyIdOf(new Secret(current)), fault: null };
  expect((await section('external-services')).secrets).toMatchObject({
    steamApiKey: readable,
    curseforgeApiKey: unreadable,
  });

  await editEnv({ CONFIG_ENCRYPTION_KEY_PREVIOUS: old });
  await restart();
  expect((await health()).components.secrets).toEqual({ status: 'ok', detail: null });
  expect((await section('external-services')).secrets.curseforgeApiKey).toMatchObject({ fault: null });

  await save('external-services', { curseforgeApiKey: 'curse-key-2' });
  await stack.reencrypt();
  await eventually(async () => expect((await readStatus()).reencryption?.state).toBe('done'));
  await editEnv({ CONFIG_ENCRYPTION_KEY_PREVIOUS: null });
  await restart();
  expect((await health()).components.secrets).toEqual({ status: 'ok', detail: null });
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
  const status = await readStatus();
  expect(status).toMatchObject({ total: manySecrets, unreadable: 0, damaged: 0 });
  expect(status.keys).toEqual([
    { keyId: keyIdOf(new Secret(current)), state: 'current', count: manySecrets },
  ]);
  const after = await readFile(stackEnvPath(home), 'utf8');
  expect(after.replace('\n# CONFIG_ENCRYPTION_KEY_PREVIOUS=', '').replace(current, old ?? '')).toBe(before);
  const audited = await sql.query(`select action from audit_logs where action like 'secrets.%' order by id`);
  expect(audited).toEqual([{ action: 'secrets.reencrypt' }, { action: 'secrets.reencrypt-end' }]);
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
