import { execFileSync } from 'node:child_process';
import { appendFile, chmod, lchown, link, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { followLog } from './log-tail.ts';

const isRoot = process.getuid?.() === 0;
const account = 65_534;

/** A log in a folder of another account, and a file that only root may read. */
const ownedLog = async () => {
  const folder = await temporaryFolder('hostile-log');
  onTestFinished(() => folder[Symbol.asyncDispose]());
  await chmod(folder.path, 0o755);
  const logs = join(folder.path, 'logs');
  const [path, secret] = [join(logs, 'latest.log'), join(folder.path, 'secret.txt')];
  await mkdir(logs);
  await writeFile(secret, 'known to root alone\n', { mode: 0o600 });
  const put = async (name: string, text: string, uid = account) => {
    await writeFile(join(logs, name), text);
    await lchown(join(logs, name), uid, uid);
  };
  await put('latest.log', 'first\n');
  await lchown(logs, account, account);
  return { logs, path, secret, put };
};

const follow = async (path: string) => {
  const lines: string[] = [];
  let reads = 0;
  const tail = await followLog({
    path,
    onLine: (line) => void lines.push(line),
    async onRead() {
      reads += 1;
    },
    log: createLog({ component: 'agent', level: 'silent' }),
    pollMs: 5,
  });
  onTestFinished(() => tail[Symbol.asyncDispose]());
  return {
    lines,
    /** After this, what was there before has been looked at. */
    async looked() {
      const before = reads;
      await eventually(() => expect(reads).toBeGreaterThan(before + 1));
    },
  };
};

// Guarantee: root shows nothing that the log's account could not read itself, whatever that account puts in its place; a log that
// comes back is read on, and nothing blocks.
test.skipIf(!isRoot)('what is put in place of the log', async () => {
  const { logs, path, secret, put } = await ownedLog();
  const { lines, looked } = await follow(path);
  const traps: Readonly<Record<string, () => unknown>> = {
    link: async () => {
      await symlink(secret, path);
      await lchown(path, account, account);
    },
    'link through ..': () => symlink('../secret.txt', path),
    'second name': () => link(secret, path),
    pipe: () => execFileSync('mkfifo', [path]),
    device: () => symlink('/dev/zero', path),
    socket: () =>
      new Promise<void>((resolve) => {
        const server = createServer();
        onTestFinished(() => void server.close());
        server.listen(path, resolve);
      }),
    folder: () => mkdir(path),
    'file that root has closed': async () => {
      await put('latest.log', 'known to root alone\n', 0);
      await chmod(path, 0o600);
    },
  };
  for (const [index, [name, set]] of Object.entries(traps).entries()) {
    await rm(path, { recursive: true });
    await set();
    await looked();
    await looked();
    await rm(path, { recursive: true });
    await put('latest.log', `after ${index}\n`);
    await eventually(() => expect(lines, name).toContain(`after ${index}`));
  }
  expect(lines.join()).not.toContain('known to root');
  await rm(path);
  await put('other.log', 'own link\n');
  await symlink(join(logs, 'other.log'), path);
  await eventually(() => expect(lines).toContain('own link'));
});

// Guarantee: a log on a path that only root may change is read as before, through root's links too.
test.skipIf(!isRoot)('a log of root', async () => {
  const folder = await temporaryFolder('root-log');
  onTestFinished(() => folder[Symbol.asyncDispose]());
  const [real, path] = [join(folder.path, 'real.log'), join(folder.path, 'latest.log')];
  await writeFile(real, '', { mode: 0o600 });
  await symlink(real, path);
  const { lines } = await follow(path);
  await appendFile(real, 'of root\n');
  await eventually(() => expect(lines).toEqual(['of root']));
});
