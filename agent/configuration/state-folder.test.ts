import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, realpath, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { AlreadyRunningError, holdStateFolder, isFolderHeld } from './state-folder.ts';

// Guarantee: a folder has one holder at a time, however long its path is, and no traces are left.
test('one holder', async () => {
  await using folder = await temporaryFolder('state');
  const state = join(folder.path, 'long'.repeat(40));
  expect(await isFolderHeld(state)).toBe(false);
  {
    await using _ = await holdStateFolder(state);
    expect(await isFolderHeld(state)).toBe(true);
    await expect(holdStateFolder(state)).rejects.toThrow(AlreadyRunningError);
  }
  expect(await isFolderHeld(state)).toBe(false);
  expect(await readdir(state)).toEqual([]);
});

// Guarantee: of many agents that start at the same time, no two hold the folder.
test('many at once', async () => {
  await using folder = await temporaryFolder('state');
  const held = (
    await Promise.allSettled(Array.from({ length: 12 }, () => holdStateFolder(folder.path)))
  ).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(held.length).toBeLessThanOrEqual(1);
  for (const one of held) await one[Symbol.asyncDispose]();
});

// Guarantee: a holder that was killed holds nothing.
test('a killed holder', async () => {
  await using folder = await temporaryFolder('state');
  const script = `const { holdStateFolder } = await import(${JSON.stringify(join(import.meta.dirname, 'state-folder.ts'))});
    await holdStateFolder(${JSON.stringify(folder.path)});
    console.log('held');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  expect(await isFolderHeld(folder.path)).toBe(true);
  child.kill('SIGKILL');
  await exited;
  expect(await isFolderHeld(folder.path)).toBe(false);
  // Left by a process that was killed a moment earlier.
  await writeFile(join(folder.path, `.lock-${randomUUID()}`), '');
  await using _ = await holdStateFolder(folder.path);
  expect(await readdir(folder.path)).toHaveLength(1);
});

// Guarantee: a lock that is just being made is left alone, even when its process is invisible, as in another container; one whose
// process was killed in that phase is removed later.
test('a coming lock', async () => {
  await using folder = await temporaryFolder('state');
  const ended = spawn(process.execPath, ['-e', '']);
  await once(ended, 'exit');
  const [coming, left] = [0, 1].map(() => `.lock-${randomUUID()}-${ended.pid}`);
  for (const name of [coming, left]) await writeFile(join(folder.path, name ?? ''), '');
  const longAgo = Date.now() / 1000 - 3600;
  await utimes(join(folder.path, left ?? ''), longAgo, longAgo);
  await using _ = await holdStateFolder(folder.path);
  const names = await readdir(folder.path);
  expect(names).toContain(coming);
  expect(names).not.toContain(left);
});

// Guarantee: another account, which cannot write in the folder, can neither hold it nor appear to.
test('a name without rights', async () => {
  await using folder = await temporaryFolder('state');
  const hash = createHash('sha256')
    .update(await realpath(folder.path))
    .digest('hex')
    .slice(0, 32);
  const server = createServer().listen(`\0castellan-agent-${hash}`);
  await once(server, 'listening');
  expect(await isFolderHeld(folder.path)).toBe(false);
  await using _ = await holdStateFolder(folder.path);
  server.close();
});
