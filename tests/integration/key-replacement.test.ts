// @module-tag identity

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { discordHttp } from '#contracts/discord/discord.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { eventually } from '#harness/eventually.ts';
import { filesBeside } from '#runtime/backup/backup-manifest.ts';
import { keyRecordName } from '#runtime/key-record.ts';
import { sqlSession } from '../../server/kernel/testing/sql.ts';
import {
  api,
  asStored,
  botToken,
  countsByKey,
  editEnv,
  expectHealthy,
  health,
  idOf,
  idsOf,
  installation,
  installationForEachTest,
  logged,
  newKey,
  readAll,
  readStatus,
  recordedIds,
  restart,
  save,
  section,
  send,
  stack,
  start,
  storeRemoved,
  storeSecrets,
} from './testing/keys-of-a-test.ts';

installationForEachTest();

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
  await start();
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
  await start();
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
  await start();
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
  await start();
  expect((await health()).components.secrets.detail).toMatch(
    /cannot be used\. Do not replace CONFIG_ENCRYPTION_KEY/,
  );
  await rm(path, { recursive: true });
  await eventually(async () =>
    expect((await health()).components.secrets.detail).not.toMatch(/cannot be used/),
  );
});
