import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { StackStatus } from '#contracts/operations/stack.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { StartupError } from '#runtime/program.ts';
import { changeEnv, writeEnv } from './change-env.ts';

const original = '# mine\nAPI_PORT=3001 # the panel\nOTHER="kept as it is"\n';

/** A stack whose API does not start with some ports, and what its restarts read. */
const homeWith = async (folder: TemporaryFolder, taken: readonly string[], state: StackStatus['state']) => {
  const path = join(folder.path, '.env');
  await writeFile(path, original);
  const read: string[] = [];
  let isFailed = false;
  const stack = {
    status: () =>
      ({
        state,
        components: [{ name: 'api', state: isFailed ? 'failed' : 'running', reason: 'port is taken' }],
      }) as unknown as StackStatus,
    async restart() {
      const text = await readFile(path, 'utf8');
      read.push(text);
      isFailed = taken.some((port) => text.includes(port));
    },
  };
  const change = () => changeEnv({ home: folder.path, stack }, { API_PORT: '4001' }, { API_PORT: '3001' });
  return { path, read, change };
};

// Guarantee: what does not come back with new settings runs with the old ones again, and the file is unchanged.
test('a change that does not work', async () => {
  await using folder = await temporaryFolder('change-env');
  const { path, read, change } = await homeWith(folder, ['4001'], 'running');
  expect(await change()).toEqual({ outcome: 'undone', detail: 'port is taken' });
  expect(read).toEqual([original.replace('3001', '4001'), original]);
  expect(await readFile(path, 'utf8')).toBe(original);
  const none = await homeWith(folder, ['4001', '3001'], 'running');
  expect(await none.change()).toMatchObject({ outcome: 'not-undone' });
});

// Guarantee: a change that works changes one line; a stack that a user has stopped is not started for it.
test('a change that works', async () => {
  await using folder = await temporaryFolder('change-env');
  const running = await homeWith(folder, [], 'running');
  expect(await running.change()).toEqual({ outcome: 'done' });
  expect(running.read).toHaveLength(1);
  expect(await readFile(running.path, 'utf8')).toBe(original.replace('3001', '4001'));
  const stopped = await homeWith(folder, [], 'stopped');
  expect(await stopped.change()).toEqual({ outcome: 'done' });
  expect(stopped.read).toEqual([]);
});

// Guarantee: a file that cannot be changed is reported as such, with what to set by hand.
test('a file that cannot be changed', async () => {
  await using folder = await temporaryFolder('change-env');
  await expect(writeEnv(folder.path, { API_PORT: '1' })).rejects.toThrow(StartupError);
  await writeFile(join(folder.path, '.env'), original);
  await expect(writeEnv(folder.path, { OTHER: 'has spaces' })).rejects.toThrow('Set OTHER by hand');
});
