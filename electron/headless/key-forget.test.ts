import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SecretsStatus } from '#contracts/operations/secrets.ts';
import { type StackStatus, stackControl } from '#contracts/operations/stack.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { editEnvFile } from '#runtime/env-file.ts';
import { keyRecordName, readKeyRecord, recordKeys } from '#runtime/key-record.ts';
import { Secret } from '#runtime/secret.ts';
import { keyIdOf } from '#runtime/secret-box.ts';
import { readStackConfig, stackEnvPath } from '#runtime/stack-config.ts';
import { holdHome } from '../control/held-home.ts';
import { ensureEnv } from '../first-start/ensure-env.ts';
import { CommandFailure, exitCodes } from './exit-codes.ts';
import { keyForget } from './key-forget.ts';

const licenseServer = {
  url: 'https://portal.example',
  publicKey: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};
const newKey = () => new Secret(randomBytes(32).toString('hex'));

let folder: TemporaryFolder;
let home: string;
let current: Secret;
let said: string[];
beforeEach(async () => {
  folder = await temporaryFolder('key-forget');
  home = folder.path;
  said = [];
  await ensureEnv(home, licenseServer, { postgresPort: 5440, values: { API_PORT: '3001' } });
  current = (await readStackConfig(home)).configEncryptionKey;
});
afterEach(() => folder[Symbol.asyncDispose]());

const forget = (given: { yes?: boolean }, restart: () => Promise<void> = async () => undefined) => {
  const terminal = { say: (text: string) => void said.push(text), complain: () => undefined };
  return keyForget({ home, programsFolder: home, variables: {}, terminal }, given, restart);
};
/** Everything in the data folder, as text. */
const everything = async () =>
  (await Promise.all((await readdir(home)).map((name) => readFile(join(home, name), 'utf8')))).join('\n');

// Guarantee: every older key is gone from the data folder of a stopped stack, wherever it was, and the one in use stays; without a
// confirmation nothing happens, and no key is ever shown.
test('a stopped stack', async () => {
  const [listed, recorded, damaged] = [newKey(), newKey(), newKey()];
  await editEnvFile(stackEnvPath(home), { CONFIG_ENCRYPTION_KEY_PREVIOUS: listed.reveal() });
  await recordKeys(home, [current, recorded]);
  const record = await readFile(join(home, keyRecordName), 'utf8');
  await writeFile(join(home, 'encryption-keys.damaged-0123abcd.json'), damaged.reveal());
  const before = await everything();
  await expect(forget({})).rejects.toMatchObject({ exitCode: exitCodes.usage });
  expect(await everything()).toBe(before);
  expect(said.join('\n')).toMatch(/Older encryption keys: 2\n.*does not say/s);
  await forget({ yes: true });
  const after = await everything();
  for (const key of [listed, recorded, damaged]) expect(after).not.toContain(key.reveal());
  expect(parseEnv(await readFile(stackEnvPath(home), 'utf8')).CONFIG_ENCRYPTION_KEY).toBe(current.reveal());
  expect((await readKeyRecord(home)).keys.map(keyIdOf)).toEqual([keyIdOf(current)]);
  expect(record).toContain(recorded.reveal());
  for (const key of [current, listed, recorded, damaged]) expect(said.join('\n')).not.toContain(key.reveal());
  said = [];
  await forget({});
  expect(said).toEqual(['There is no older key. Castellan has only the one in use.']);
});

/** A supervisor whose API answers with this status; null: it does not answer. */
const runStack = async (status: SecretsStatus | null) => {
  const held = await holdHome(home, 'a test');
  const stack: StackStatus = {
    state: 'starting',
    home,
    pid: process.pid,
    heldBy: 'a test',
    apiUrl: 'http://127.0.0.1:3001',
    components: [],
  };
  held.serve((request, response) => {
    const isApi = request.url === stackControl.callApi.path;
    const answer = status === null ? { status: 503, body: {} } : { status: 200, body: status };
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(isApi ? answer : stack));
  });
  return held;
};
const statusOf = (sealing: Secret, older: Secret, count: number): SecretsStatus => ({
  currentKeyId: keyIdOf(sealing),
  total: count,
  keys: [
    { keyId: keyIdOf(sealing), state: 'current', count: 0 },
    { keyId: keyIdOf(older), state: 'previous', count },
  ],
  unreadable: 0,
  damaged: 0,
  faults: [],
  reencryption: null,
});

// Guarantee: with a running stack the command says how many secrets are lost, and the API starts again without the keys; where that
// fails, it says what is left to do.
test('a running stack', async () => {
  const older = newKey();
  await recordKeys(home, [current, older]);
  await using _held = await runStack(statusOf(current, older, 3));
  let restarts = 0;
  await forget({ yes: true }, async () => {
    restarts += 1;
  });
  expect(said[0]).toContain(`${keyIdOf(older)}, which 3 secrets still use`);
  expect(said[0]).toContain('3 secrets cannot be read afterwards');
  expect(restarts).toBe(1);
  // The API did not restart the last time, so it still has the key.
  await expect(forget({ yes: true }, () => Promise.reject(new Error('no API')))).rejects.toThrow(
    /still knows them until you run: castellan restart api\. no API/,
  );
});

// Guarantee: an API that runs but does not answer, as without a license, is restarted, too, and loses the keys.
test('an API that does not answer', async () => {
  await recordKeys(home, [current, newKey()]);
  await using _held = await runStack(null);
  let restarts = 0;
  await forget({ yes: true }, async () => {
    restarts += 1;
  });
  expect(said[0]).toContain('The API does not say how many secrets still use them.');
  expect(restarts).toBe(1);
});

// Guarantee: a key that the running API still encrypts with, because `.env` was changed since its start, is not destroyed.
test('an API that has not read .env yet', async () => {
  const older = newKey();
  await recordKeys(home, [current, older]);
  await using _held = await runStack(statusOf(older, current, 0));
  await expect(forget({ yes: true })).rejects.toThrow(CommandFailure);
  expect((await readKeyRecord(home)).keys).toHaveLength(2);
});
