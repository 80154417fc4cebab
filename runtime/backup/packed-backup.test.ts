import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { packBackup } from './pack-backup.ts';
import { unpackBackup } from './unpack-backup.ts';

const passphrase = 'correct horse battery';
/** Any other cost protects as well in a test. */
const cheap = 4;

const files = {
  'backup.json': '{}',
  '.env': 'SECRET=kept\n',
  'database/base/1': 'rows',
  'database/base/2': 'x'.repeat(300_000),
  [`database/${'deep/'.repeat(20)}${'n'.repeat(120)}`]: 'long',
};

const packed = async (home: string): Promise<string> => {
  const backup = join(home, '2026-01-02-manual');
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(backup, name, '..'), { recursive: true });
    await writeFile(join(backup, name), text);
  }
  await mkdir(join(backup, 'database', 'pg_notify'));
  const output = new PassThrough();
  const [bytes] = await Promise.all([buffer(output), packBackup(output, backup, passphrase, cheap)]);
  const file = join(home, 'backup.tar.age');
  await writeFile(file, bytes);
  return file;
};

// Guarantee: what was packed is unpacked as it was, with empty folders and long paths, by its passphrase alone; the file shows nothing.
test('a packed backup', async () => {
  await using home = await temporaryFolder('packed');
  const file = await packed(home.path);
  expect(await readFile(file, 'latin1')).not.toMatch(/SECRET|backup\.json/);
  const folder = join(home.path, 'out');
  await expect(unpackBackup(file, 'another passphrase', folder)).rejects.toThrow('The passphrase is wrong');
  expect(await readdir(home.path)).not.toContain('out');

  const backup = await unpackBackup(file, passphrase, folder);
  expect(backup).toBe(join(folder, '2026-01-02-manual'));
  for (const [name, text] of Object.entries(files))
    expect(await readFile(join(backup, name), 'utf8'), name).toBe(text);
  expect(await readdir(join(backup, 'database', 'pg_notify'))).toEqual([]);
});

// Guarantee: a file that is cut anywhere, changed, or no packed backup is refused in a sentence, and nothing of it is left.
test('a file that is not whole', async () => {
  await using home = await temporaryFolder('packed');
  const file = await packed(home.path);
  const whole = await readFile(file);
  const refusal = async (content: Buffer) => {
    await writeFile(file, content);
    const error = await unpackBackup(file, passphrase, join(home.path, 'out')).then(() => null, String);
    expect(await readdir(home.path)).not.toContain('out');
    return error;
  };
  const chunk = 65_536 + 16;
  for (const bytes of [10, 40, 150, 200, 5000, chunk + 200, chunk * 2 + 184, whole.length - 1])
    expect(await refusal(whole.subarray(0, bytes)), String(bytes)).toMatch(
      /is cut off or was changed|is no encrypted/,
    );
  const changed = Buffer.from(whole);
  changed[whole.length - 100] = (changed[whole.length - 100] ?? 0) ^ 1;
  expect(await refusal(changed)).toMatch(/is cut off or was changed/);
  expect(await refusal(Buffer.alloc(1000))).toMatch(/is no encrypted backup/);
});
