// @module-tag slow

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { isAlive, runScript } from '#harness/script.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { packBackup } from '../backup/pack-backup.ts';
import { copyToScratch } from '../backup/scratch-cluster.ts';
import { removeHalf } from '../postgres/backup.ts';
import { openDiskWorker, StalledFolderError } from './disk-worker.ts';

/** A small database to copy. What is opened for writing in `silent` blocks for ever, since no one reads from it. */
const folders = async (path: string) => {
  const [database, target, silent] = ['database', 'target', 'silent'].map((name) => join(path, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [join(database, 'base'), silent]) await mkdir(folder, { recursive: true });
  await writeFile(join(database, 'base', '1'), 'rows');
  const passwordFile = join(path, 'password');
  await writeFile(passwordFile, 'hunter22');
  execFileSync('mkfifo', [join(silent, 'superuser.password')]);
  return { database, passwordFile, target, silent };
};

// Guarantee: a folder that answers is worked in, and the errors of a task keep their code.
test('a folder that answers', async () => {
  await using temporary = await temporaryFolder('disk-worker');
  const { database, passwordFile, target } = await folders(temporary.path);
  await using worker = openDiskWorker(target);
  await worker.run(copyToScratch, { database, passwordFile, folder: target });
  expect(await readFile(join(target, 'data', 'base', '1'), 'utf8')).toBe('rows');
  await expect(
    worker.run(copyToScratch, { database: join(database, 'no'), passwordFile, folder: target }),
  ).rejects.toMatchObject({ code: 'EEXIST' });
});

// Guarantee: a folder that stops answering ends the work and is named, nothing more is tried there, and none of our own threads waits.
test('a folder that stops answering', async () => {
  await using temporary = await temporaryFolder('disk-worker');
  const { database, passwordFile, silent } = await folders(temporary.path);
  await using worker = openDiskWorker(silent, { silenceMs: 600 });
  const copying = worker.run(copyToScratch, { database, passwordFile, folder: silent });
  await expect(copying).rejects.toThrow(`The folder ${silent} stopped answering: for 0.6 s nothing`);
  await expect(worker.run(removeHalf, silent)).rejects.toThrow(StalledFolderError);
});

// Guarantee: an order to stop ends a task that waits for a folder.
test('an abort', async () => {
  await using temporary = await temporaryFolder('disk-worker');
  const { database, passwordFile, silent } = await folders(temporary.path);
  const stopping = new AbortController();
  await using worker = openDiskWorker(silent, { signal: stopping.signal });
  const copying = worker.run(copyToScratch, { database, passwordFile, folder: silent });
  stopping.abort(new Error('stop now'));
  await expect(copying).rejects.toThrow('stop now');
});

// Guarantee: nothing goes on to write for a process that was killed.
test('a killed caller', async () => {
  await using temporary = await temporaryFolder('disk-worker');
  const { database, passwordFile, silent } = await folders(temporary.path);
  await using script = runScript(`
    import { readFileSync } from 'node:fs';
    import { openDiskWorker } from './runtime/disk-worker/disk-worker.ts';
    import { copyToScratch } from './runtime/backup/scratch-cluster.ts';
    const args = ${JSON.stringify({ database, passwordFile, folder: silent })};
    openDiskWorker(args.folder).run(copyToScratch, args);
    const children = '/proc/' + process.pid + '/task/' + process.pid + '/children';
    setTimeout(() => process.stdout.write(readFileSync(children, 'utf8').trim() + '\\n'), 0);
    setInterval(() => {}, 1000);`);
  const worker = Number(await script.line());
  expect(worker).toBeGreaterThan(0);
  process.kill(script.pid, 'SIGKILL');
  await script.exited;
  await eventually(() => expect(isAlive(worker)).toBe(false));
});

// Guarantee: what a task writes arrives whole, only as fast as it is read.
test('a task that writes', async () => {
  await using temporary = await temporaryFolder('disk-worker');
  const backup = join(temporary.path, 'backup');
  await mkdir(backup);
  await writeFile(join(backup, 'large'), Buffer.alloc(3_000_000));
  const read: number[] = [];
  const worker = openDiskWorker(backup, { onBytes: (bytes) => read.push(bytes) });
  const output = worker.stream(packBackup, backup, 'a passphrase', 4);
  await once(output, 'readable');
  // While no one reads, it says that it goes on: the folder is not what is silent.
  await eventually(() => expect(read.slice(1).filter((bytes) => bytes === 0).length).toBeGreaterThan(1));
  expect(read.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(3_000_000);
  expect((await buffer(output)).length).toBeGreaterThan(3_000_000);
});
