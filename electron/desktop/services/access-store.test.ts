import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { Secret } from '#runtime/secret.ts';
import { openAccessStore, type UserVault } from './access-store.ts';

const key = new Secret('cst_id_the-key-of-this-desktop');

/** What one user of the machine seals, no other one opens. */
const vaultOf = (user: string, isEncryptionAvailable = true): UserVault => ({
  isEncryptionAvailable: () => isEncryptionAvailable,
  encryptString: (text) => Buffer.from(`${user} ${Buffer.from(text).toString('hex')}`),
  decryptString(sealed) {
    const [who, text = ''] = sealed.toString().split(' ');
    if (who !== user) throw new Error('sealed for somebody else');
    return Buffer.from(text, 'hex').toString();
  },
});

// Guarantee: the key is found again only by the user and for the data folder that it is for; on disk it is always
// sealed.
test('a kept key', async () => {
  await using folder = await temporaryFolder('access');
  const store = await openAccessStore(folder.path, '/home', vaultOf('eva'));
  expect([store.key(), store.state()]).toEqual([null, 'missing']);
  await store.keep(key);
  expect(store.state()).toBe('kept');
  const [file = ''] = await readdir(folder.path);
  expect(await readFile(join(folder.path, file), 'utf8')).not.toContain('the-key');

  const found = async (home: string, user: string) =>
    (await openAccessStore(folder.path, home, vaultOf(user))).key()?.reveal();
  expect(await found('/home', 'eva')).toBe(key.reveal());
  expect(await found('/elsewhere', 'eva')).toBeUndefined();
  expect(await found('/home', 'adam')).toBeUndefined();
  await writeFile(join(folder.path, file), '{"home":');
  expect(await found('/home', 'eva')).toBeUndefined();
  await store.forget();
  expect([store.key(), store.state(), await readdir(folder.path)]).toEqual([null, 'missing', []]);
});

// Guarantee: where nothing keeps secrets, the key never reaches the disk, and the user is told that it is lost at the end.
test('no vault', async () => {
  await using folder = await temporaryFolder('access');
  const store = await openAccessStore(folder.path, '/home', vaultOf('eva', false));
  await store.keep(key);
  expect([store.state(), store.key()?.reveal()]).toEqual(['for-now', key.reveal()]);
  expect(await readdir(folder.path)).toEqual([]);
});

// Guarantee: a key that the API has refused is not shown to it again.
test('a refused key', async () => {
  await using folder = await temporaryFolder('access');
  const store = await openAccessStore(folder.path, '/home', vaultOf('eva'));
  await store.keep(key);
  store.refuse();
  expect([store.key(), store.state()]).toEqual([null, 'refused']);
});
