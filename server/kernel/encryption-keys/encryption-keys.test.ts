import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { readKeyRecord, removeRecordedKeys } from '#runtime/key-record.ts';
import { Secret } from '#runtime/secret.ts';
import { keyIdOf } from '#runtime/secret-box.ts';
import { settingsSecrets } from '../../operations/settings/settings-secrets.ts';
import { createSecrets } from '../secrets/secrets.ts';
import { type MigratedDatabase, migratedDatabase, silentLog } from '../testing/feature-api.ts';
import { createEncryptionKeys, type EncryptionKeys } from './encryption-keys.ts';

let database: MigratedDatabase;
let folder: TemporaryFolder;
let owned: DisposableStack;
beforeEach(async () => {
  database = await migratedDatabase();
  folder = await temporaryFolder('encryption-keys');
  owned = new DisposableStack();
});
afterEach(async () => {
  owned.dispose();
  await folder[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const newKey = () => new Secret(randomBytes(32).toString('hex'));

/** An API that starts with this key in `.env` and what the key record has. */
const open = async (
  current: Secret,
  others: readonly string[] = [],
): Promise<EncryptionKeys & ReturnType<typeof createSecrets>> => {
  const { keys } = await readKeyRecord(folder.path);
  const older = keys.filter((key) => keyIdOf(key) !== keyIdOf(current));
  const secrets = createSecrets([current, ...older]);
  const encryptionKeys = owned.use(
    createEncryptionKeys({
      db: database.db,
      config: {
        configEncryptionKey: current,
        previousKeys: older,
        recordedKeyIds: older.map(keyIdOf),
      },
      home: folder.path,
      columns: [settingsSecrets],
      secrets,
      otherProcesses: async () => [...others],
      log: silentLog,
    }),
  );
  await encryptionKeys.record();
  return { ...secrets, ...encryptionKeys, keyIds: secrets.keyIds };
};

const store = (secrets: Pick<ReturnType<typeof createSecrets>, 'seal'>, field: string) =>
  database.db
    .insertInto('settings_secrets')
    .values({
      section: 'many',
      field,
      sealed: secrets.seal(settingsSecrets, ['many', field], new Secret(`plain-${field}`)),
    })
    .execute();

const audited = async () => {
  const rows = await database.db
    .selectFrom('audit_logs')
    .select(['action', 'target', 'after'])
    .orderBy('id')
    .execute();
  return rows.map(({ action, target, after }) => [action, target, after]);
};
const eventKinds = async () =>
  (await database.db.selectFrom('event_logs').select('kind').orderBy('id').execute()).map(({ kind }) => kind);
const recordedIds = async () => (await readKeyRecord(folder.path)).keys.map(keyIdOf).toSorted();

// Guarantee: a replacement is told once, with how many secrets are on which key, however often the API starts; the first key that an
// installation ever has replaces none.
test('a replacement is told once', async () => {
  const [first, second] = [newKey(), newKey()];
  const api = await open(first);
  await store(api, 'a');
  await api.prepare();
  expect(await audited()).toEqual([]);
  for (let start = 0; start < 2; start += 1) await (await open(second)).prepare();
  const replaced = {
    keyId: keyIdOf(second),
    replacedKeyId: keyIdOf(first),
    secrets: [
      { keyId: keyIdOf(second), count: 0 },
      { keyId: keyIdOf(first), count: 1 },
    ],
  };
  expect(await audited()).toEqual([['secrets.key-replace', `encryption-key:${keyIdOf(second)}`, replaced]]);
  expect(await eventKinds()).toEqual(['secrets.key-replaced']);
});

// Guarantee: an older key that no secret uses is removed, each for itself; an API that was killed between the removal and its audit row
// leaves that to the next one.
test('unneeded keys', async () => {
  const [first, second, third] = [newKey(), newKey(), newKey()];
  await store(await open(first), 'a');
  await open(second);
  await (await open(second)).prepare();
  const api = await open(third);
  await api.prepare();
  await eventually(async () => expect(await recordedIds()).toEqual([first, third].map(keyIdOf).toSorted()));
  await eventually(async () =>
    expect((await audited()).at(-1)).toEqual([
      'secrets.key-forget',
      `encryption-key:${keyIdOf(second)}`,
      { secrets: 0 },
    ]),
  );
  owned.dispose();
  owned = new DisposableStack();
  await removeRecordedKeys(folder.path, [keyIdOf(first)]);
  for (let start = 0; start < 2; start += 1) await (await open(third)).prepare();
  expect((await audited()).slice(-2)).toEqual([
    ['secrets.key-forget', `encryption-key:${keyIdOf(second)}`, { secrets: 0 }],
    ['secrets.key-forget', `encryption-key:${keyIdOf(first)}`, { secrets: 1 }],
  ]);
});

// Guarantee: while another API process lives, which may still encrypt with an older key, no key is removed.
test('another process', async () => {
  const [first, second] = [newKey(), newKey()];
  await open(first);
  await (await open(second, ['other'])).prepare();
  expect(await recordedIds()).toHaveLength(2);
  await (await open(second)).prepare();
  await eventually(async () => expect(await recordedIds()).toEqual([keyIdOf(second)]));
});
