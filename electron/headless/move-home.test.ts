// @module-tag slow

import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { readStackConfig } from '#runtime/stack-config.ts';
import { headlessHome } from '../testing/headless-home.ts';

const query = async (home: string, text: string): Promise<unknown[]> => {
  const { databaseUrl } = await readStackConfig(home);
  const url = new URL(databaseUrl.reveal());
  url.search = '';
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
};

// Guarantee: a real database moves with its rows into a folder of any name, and runs there; the old folder starts nothing.
test('castellan move-home', { timeout: 240_000, tags: 'night' }, async () => {
  await using home = await headlessHome();
  await home.writeEnv();
  const target = join(home.folder, 'Größe Ελλάδα', 'new home');
  const first = home.launch();
  await home.whenRuns();
  await query(home.path, 'create table kept as select 42 as answer');
  const held = await home.run('move-home', target);
  expect(held).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('already run by') });
  expect((await home.run('stop')).exitCode).toBe(0);
  if (first.exitCode === null) await once(first, 'exit');

  await mkdir(join(home.folder, 'full'));
  await writeFile(join(home.folder, 'full', 'photo.png'), '');
  const full = await home.run('move-home', join(home.folder, 'full'));
  expect(full).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is not empty') });
  const moved = await home.run('move-home', target);
  expect(moved).toMatchObject({ exitCode: 0, stderr: '' });
  expect(moved.stdout).toContain('verified: 100 %');

  const refused = await home.run('start');
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(`moved to ${target}`) });
  home.path = target;
  home.launch();
  await home.whenRuns();
  expect(await query(target, 'select answer from kept')).toEqual([{ answer: 42 }]);
});
