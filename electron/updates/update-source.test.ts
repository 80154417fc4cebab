import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { readUpdateSource, updateSourceFile } from './update-source.ts';

const publicKeys = ['5NW8M511kWsgi8CTcnUUN2_zpTwQKTcALLoMJHtWnMs'];

// Guarantee: updates come only over TLS and from a build's own file; a checkout has none; a damaged file is no source.
test('where updates come from', async () => {
  await using folder = await temporaryFolder('update-source');
  expect(await readUpdateSource(folder.path)).toBeNull();
  const reading = async (value: unknown) => {
    await writeFile(join(folder.path, updateSourceFile), JSON.stringify(value));
    return readUpdateSource(folder.path);
  };
  expect(await reading({ url: 'https://updates.example/castellan', publicKeys })).toMatchObject({
    url: 'https://updates.example/castellan/',
  });
  expect(await reading({ url: 'http://127.0.0.1:8080', publicKeys })).not.toBeNull();
  const wrong = [
    { url: 'http://updates.example/', publicKeys },
    { url: 'https://user:password@updates.example/', publicKeys },
    { url: 'https://updates.example/?a', publicKeys },
    { url: 'file:///tmp', publicKeys },
    { url: 'https://updates.example/', publicKeys: [] },
    { url: 'https://updates.example/', publicKeys: ['short'] },
    [],
  ];
  for (const value of wrong) await expect(reading(value)).rejects.toThrow('is damaged');
});
