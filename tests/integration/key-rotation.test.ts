// @module-tag identity

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { Secret } from '#runtime/secret.ts';
import { keyIdOf } from '#runtime/secret-box.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';
import { type RotationStack, rotateKey } from '../../electron/headless/key-rotate/rotate-key.ts';
import { createSecrets } from '../../server/kernel/secrets/secrets.ts';
import { type SqlSession, sqlSession } from '../../server/kernel/testing/sql.ts';
import { settingsSecrets } from '../../server/operations/settings/settings-secrets.ts';
import {
  api,
  idOf,
  idsOf,
  installation,
  installationForEachTest,
  logged,
  readStatus,
  recordedIds,
  save,
  stack,
  switchTo,
} from './testing/keys-of-a-test.ts';

installationForEachTest();

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
  switchTo(victim);
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
        switchTo(await installation.startApi());
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
