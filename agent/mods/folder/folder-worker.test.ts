// @module-tag slow

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { isAlive } from '#runtime/live-process.ts';
import { identifyNow } from '../../power/process/process-identity.ts';
import { holderProgram } from '../../power/testing/test-power.ts';
import { type ChangeJournal, readChange, writeChange } from '../change-journal.ts';
import type { HeldFile } from '../mod-files.ts';
import { settleMods } from '../settle-mods.ts';
import { folderAccount } from './folder-account.ts';
import { openFolderWorker } from './folder-worker.ts';
import { isRoot, type OwnedServer, ownedServer } from './testing/owned-server.ts';
import { FolderWorkerError } from './worker-errors.ts';
import { endEarlierWorkers } from './worker-records.ts';

const workersOf = ({ server }: OwnedServer): Promise<number[]> =>
  readdir(join(server.stateFolder, 'mods/workers')).then(
    (names) => names.map((name) => Number(name.replace('.json', ''))),
    () => [],
  );

// Guarantee: in another account's folder, a change does everything that it does elsewhere; what it creates there belongs to the
// account, its journal to root alone, and its process has none of root's rights and is gone afterwards.
test.skipIf(!isRoot)('a change as the account', async () => {
  const it = await ownedServer();
  const { server, account, worker } = it;
  const { root, library } = server;
  const before = await server.files();
  const pack = await library.archive('Pack', '1', 'pack', {
    'mods/pack.jar': 'pack',
    'config/pack/deep/settings.toml': 'x = 1',
  });
  expect(await server.change({ put: [await library.jar('One', '1'), pack] })).toMatchObject({
    outcome: 'done',
    set: 'new',
    revision: 1,
  });
  for (const path of [
    'mods',
    'mods/One-1.jar',
    'mods/pack.jar',
    'config/pack/deep',
    'config/pack/deep/settings.toml',
  ])
    expect(await stat(join(root, path)), path).toMatchObject({ uid: account.uid, gid: account.gid });
  expect(await stat(join(root, 'mods/pack.jar'))).toMatchObject({ mode: 0o100644 });
  expect(await stat(join(server.stateFolder, 'mods/change.json'))).toMatchObject({ uid: 0, mode: 0o100600 });
  const [pid = 0] = await workersOf(it);
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  expect(status).toMatch(
    new RegExp(`^Uid:\\t${account.uid}\\t${account.uid}\\t${account.uid}\\t${account.uid}$`, 'm'),
  );
  expect(status).toMatch(/^CapPrm:\t0{16}$/m);
  expect((/^Groups:\t(.*)$/m.exec(status)?.[1] ?? '').trim().split(' ').map(Number).sort()).toEqual(
    [account.gid, ...account.groups].sort(),
  );
  await writeFile(join(root, 'mods/pack.jar'), 'by hand');
  expect(await server.change({ base: 1, remove: ['modrinth:One', 'modrinth:Pack'] })).toMatchObject({
    set: 'new',
    revision: 2,
  });
  const kept = (await readdir(join(root, 'mods'))).map((name) => join(root, 'mods', name));
  expect(kept).toEqual([expect.stringContaining('pack.jar.castellan-kept-')]);
  await rm(kept[0] ?? '');
  expect(await server.files()).toEqual(before);
  expect(await readdir(root)).not.toContain('.castellan-mods');
  await worker[Symbol.asyncDispose]();
  expect(isAlive(pid)).toBe(false);
  expect(await workersOf(it)).toEqual([]);
});

// Guarantee: a file of the cache that differs from the verified one, shorter, longer or with other bytes, is noticed, and the next
// one is whole.
test.skipIf(!isRoot)('files that change meanwhile', async () => {
  const { server, worker } = await ownedServer();
  const { signal } = new AbortController();
  const path = join(server.stateFolder, 'cached');
  const sha512 =
    'ba3253876aed6bc22d4a6ff53d8406c6ad864195ed144ab5c87621b6c233b548baeae6956df346ec8c17f5ea10f35ee3cbc514797ed7ddd3145464e2a0bab413';
  const held = { path, bytes: 6, sha512, sha1: '' } as HeldFile;
  const place = (name: string) => join(server.root, name);
  for (const [index, text] of ['1234', '123457', ''].entries()) {
    await writeFile(path, text, { mode: 0o600 });
    await expect(worker.put(held, place(`bad-${index}`), signal)).rejects.toThrow('not what was downloaded');
  }
  await writeFile(path, '123456', { mode: 0o600 });
  await worker.put(held, place('good'), signal);
  await expect(worker.put(held, place('good'), signal)).rejects.toThrow('EEXIST');
  await worker.put(held, place('better'), signal);
  for (const name of ['good', 'better']) expect(await readFile(place(name), 'utf8')).toBe('123456');
});

// Guarantee: a process that its account has stopped blocks nothing for good: the work fails, and another process does the next one.
test.skipIf(!isRoot)('a process that is stopped', async () => {
  const it = await ownedServer();
  const { server, worker } = it;
  const look = () => worker.run('facts', { game: 'minecraft', root: server.root, args: [] });
  const facts = await look();
  const [pid = 0] = await workersOf(it);
  process.kill(pid, 'SIGSTOP');
  // A signal to a busy process takes a moment.
  await eventually(async () => expect(await readFile(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) T /));
  await expect(look()).rejects.toThrow(FolderWorkerError);
  expect(isAlive(pid)).toBe(false);
  expect(await look()).toEqual(facts);
});

// Guarantee: work requested while the agent ends is not started: the next agent may already be at work there.
test.skipIf(!isRoot)('asked for at the end', async () => {
  const { server, worker } = await ownedServer();
  await worker[Symbol.asyncDispose]();
  const late = worker.run('facts', { game: 'minecraft', root: server.root, args: [] });
  await expect(late).rejects.toThrow(FolderWorkerError);
});

// Guarantee: names with any characters reach the account's process and come back.
test.skipIf(!isRoot)('names with what Unicode calls the end of a line', async () => {
  const { server, worker } = await ownedServer();
  for (const name of ['a\u2028b.jar', 'c\u0085d\r.jar', 'ü\n.jar']) {
    await worker.run('makeFolder', { path: join(server.root, name) });
    await worker.run('demandRoom', { root: server.root, bytes: 1 });
    expect(await readdir(server.root)).toContain(name);
    await expect(worker.run('makeFolder', { path: join(server.root, name) })).rejects.toThrow(name);
  }
});

// Guarantee: the worker of a killed agent ends without help, and one that does not, such as while a disk hangs, is ended before
// anything else is done in the folder.
test.skipIf(!isRoot)('an agent that is killed', async () => {
  const it = await ownedServer();
  const { stateFolder } = it.server;
  const program = `
    import { openFolderWorker } from ${JSON.stringify(join(import.meta.dirname, 'folder-worker.ts'))};
    const [server, stateFolder, holderProgram] = JSON.parse(process.argv[1]);
    const worker = openFolderWorker({ server, stateFolder }, holderProgram);
    await worker.run('makeFolder', { path: server.folder + '/made' });
    setInterval(() => undefined, 1000);
  `;
  const sent = JSON.stringify([it.config, stateFolder, holderProgram]);
  const agent = spawn(process.execPath, ['--input-type=module', '-e', program, sent], { stdio: 'inherit' });
  onTestFinished(() => void agent.kill('SIGKILL'));
  await eventually(() => lstat(join(it.server.root, 'made')), 30_000);
  const [pid = 0] = await workersOf(it);
  expect(isAlive(pid)).toBe(true);
  agent.kill('SIGKILL');
  await once(agent, 'exit');
  await eventually(() => expect(isAlive(pid)).toBe(false));

  const stuck = spawn('sleep', ['1000']);
  onTestFinished(() => void stuck.kill('SIGKILL'));
  const record = join(stateFolder, 'mods/workers', `${stuck.pid}.json`);
  await writeFile(record, JSON.stringify(identifyNow(stuck.pid ?? 0)));
  const bystander = spawn('sleep', ['1000']);
  onTestFinished(() => void bystander.kill('SIGKILL'));
  const other = { ...identifyNow(bystander.pid ?? 0), started: '1' };
  await writeFile(join(stateFolder, 'mods/workers', `${bystander.pid}.json`), JSON.stringify(other));
  await endEarlierWorkers(stateFolder);
  expect(isAlive(stuck.pid ?? 0)).toBe(false);
  expect(isAlive(bystander.pid ?? 0)).toBe(true);
  expect(await workersOf(it)).toEqual([]);
});

// Guarantee: a worker that is killed in the middle of the renames costs nothing: another one puts the old set back.
test.skipIf(!isRoot)('a worker that is killed', { timeout: 120_000 }, async () => {
  let spring: (() => Promise<void>) | null = null;
  const it: OwnedServer = await ownedServer({
    async whyNotStopped() {
      await spring?.();
      return null;
    },
  });
  const { server } = it;
  const one = await server.library.jar('One', '1');
  expect(await server.change({ put: [one] })).toMatchObject({ revision: 1 });
  const before = await server.files();
  let looks = 0;
  spring = async () => {
    looks += 1;
    if (looks !== 2) return;
    // It is stopped first, so that the kill comes after the request for the renames.
    for (const pid of await workersOf(it)) {
      process.kill(pid, 'SIGSTOP');
      setTimeout(() => process.kill(pid, 'SIGKILL'), 200);
    }
  };
  expect(await server.change({ base: 1, put: [await server.library.jar('One', '2')] })).toMatchObject({
    outcome: 'failed',
    detail: expect.stringContaining('SIGKILL'),
    set: 'old',
    revision: 1,
  });
  expect(await server.files()).toEqual(before);
  expect(await server.change({ base: 1, remove: [one.key] })).toMatchObject({ set: 'new', revision: 2 });
});

// Guarantee: when a worker is killed before the change has begun, the result names the set that the server has.
test.skipIf(!isRoot)('a worker that is killed at the first look', async () => {
  const it: OwnedServer = await ownedServer({
    async facts() {
      const asked = it.worker.run('facts', { game: 'minecraft', root: it.server.root, args: [] });
      for (const pid of await eventually(async () => {
        const pids = await workersOf(it);
        if (pids.length === 0) throw new Error('no worker yet');
        return pids;
      }))
        process.kill(pid, 'SIGKILL');
      return asked;
    },
  });
  expect(await it.server.change({ put: [await it.server.library.jar('One', '1')] })).toMatchObject({
    outcome: 'failed',
    detail: expect.stringContaining('SIGKILL'),
    set: 'old',
    revision: 0,
  });
});

// Guarantee: an abort ends the work, wherever it is, before it is reported.
test.skipIf(!isRoot)('an abort', async () => {
  const it = await ownedServer();
  await it.worker.run('makeFolder', { path: join(it.server.root, 'made') });
  const [pid = 0] = await workersOf(it);
  process.kill(pid, 'SIGSTOP');
  const aborting = new AbortController();
  const listened = vi.spyOn(aborting.signal, 'addEventListener');
  const asked = it.worker.run(
    'removeFile',
    { path: join(it.server.root, 'server.properties') },
    aborting.signal,
  );
  const ended = expect(asked).rejects.toThrow('by a person');
  await eventually(() => expect(listened).toHaveBeenCalled());
  aborting.abort(new Error('by a person'));
  await ended;
  expect(isAlive(pid)).toBe(false);
  expect(await readdir(it.server.root)).toContain('server.properties');
  await it.worker.run('makeFolder', { path: join(it.server.root, 'again') });
});

/** The stage and the journal of an agent that worked there as root and was interrupted after the first rename. */
const cutOffAsRoot = async ({ server, account }: OwnedServer) => {
  const { root, stateFolder } = server;
  const one = await server.library.jar('One', '1');
  await server.change({ put: [one] });
  const before = await server.files();
  const folder = join(root, '.castellan-mods', 'x');
  for (const name of ['', 'x', 'x/new', 'x/new/0', 'x/old'])
    await mkdir(join(root, '.castellan-mods', name), { mode: 0o700 });
  await writeFile(join(folder, 'new/0/file'), 'new', { mode: 0o644 });
  for (const name of ['new', 'new/0', 'new/0/file'])
    await chown(join(folder, name), account.uid, account.gid);
  const place = join(root, 'mods/One-1.jar');
  const move = { place, fresh: join(folder, 'new/0/file'), before: join(folder, 'old/0'), kept: null };
  await rename(place, move.before);
  const journal: ChangeJournal = {
    version: 1,
    stage: 'swapping',
    task: 'task-1',
    at: new Date().toISOString(),
    folder,
    moves: [move],
    made: [],
    next: { version: 1, revision: 2, items: [] },
    notes: [],
    newSince: null,
    isRestarted: false,
    isRolledBack: false,
    failure: null,
    result: null,
  };
  await writeChange(stateFolder, journal);
  return { before, folder };
};
const settled = ({ server, config, worker }: OwnedServer) =>
  settleMods({ stateFolder: server.stateFolder, server: config, console: null }, null, worker);

// Guarantee: what an earlier agent left half-done as root is put back with the account's rights, and nothing of it stays.
test.skipIf(!isRoot)('a change of an earlier agent', async () => {
  const it = await ownedServer();
  const { before, folder } = await cutOffAsRoot(it);
  expect((await lstat(join(folder, 'old'))).uid).toBe(0);
  expect(await settled(it)).toBeNull();
  expect((await readChange(it.server.stateFolder))?.stage).toBe('back');
  expect(await it.server.recover({})).toMatchObject({ outcome: 'failed', set: 'old', revision: 1 });
  expect(await it.server.files()).toEqual(before);
  expect(await readdir(it.server.root)).not.toContain('.castellan-mods');
});

// Guarantee: of that, only folders that root itself has created there are given away.
test.skipIf(!isRoot)('links in place of its folders', async () => {
  const it = await ownedServer();
  const { folder } = await cutOffAsRoot(it);
  const before = await it.outside();
  const stage = join(it.server.root, '.castellan-mods');
  await rename(stage, `${stage}~`);
  for (const target of [it.secret, it.open]) {
    await symlink(join(target, '.castellan-mods'), stage);
    expect(await settled(it)).toMatch(/could not be finished|null/);
    await rm(stage);
    // Folders of the account, with one of root's moved into them.
    await mkdir(folder, { recursive: true });
    for (const path of [stage, folder]) await chown(path, it.account.uid, it.account.gid);
    await mkdir(join(folder, 'old'), { mode: 0o700 });
    await settled(it);
    expect((await lstat(join(folder, 'old'))).uid).toBe(0);
    await rm(stage, { recursive: true });
  }
  expect(await it.outside()).toEqual(before);
  expect((await lstat(join(`${stage}~`, 'x/old'))).uid).toBe(0);
  await rename(`${stage}~`, stage);
  expect(await settled(it)).toBeNull();
});

// Guarantee: in a folder that only root may change, the agent itself works, without another process, but never through a folder in
// it that another account may change.
test.skipIf(!isRoot)("a folder of root's", async () => {
  const it = await ownedServer();
  const { server, config } = it;
  const { root, stateFolder } = server;
  const outer = join(root, '../..');
  const rootsOwn = join(outer, 'roots');
  await mkdir(join(rootsOwn, 'mods'), { recursive: true });
  const own = { ...config, folder: rootsOwn };
  expect(await folderAccount(own)).toBeNull();
  const worker = openFolderWorker({ server: own, stateFolder }, holderProgram);
  onTestFinished(() => worker[Symbol.asyncDispose]());
  const scan = () =>
    worker.run('scan', {
      game: 'minecraft',
      root: rootsOwn,
      loader: null,
      items: [],
      known: {},
      folders: [{ path: 'mods', holds: { files: '.jar' } }],
    });
  expect((await scan()).found).toEqual([]);
  expect(await workersOf(it)).toEqual([]);
  await chown(join(rootsOwn, 'mods'), it.account.uid, it.account.gid);
  await expect(scan()).rejects.toThrow('Another account than root may change');
  const swap = {
    folder: join(rootsOwn, '.castellan-mods/x'),
    made: [join(rootsOwn, 'mods/made')],
    moves: [],
  };
  await expect(worker.run('swapIn', swap)).rejects.toThrow('Another account than root may change');
  expect(await readdir(join(rootsOwn, 'mods'))).toEqual([]);

  await chown(rootsOwn, it.account.uid, it.account.gid);
  expect(await folderAccount(own)).toMatchObject({ uid: it.account.uid, gid: it.account.gid });
  // A link of root's that leads through a folder of the account.
  await symlink(root, join(outer, 'link'));
  expect(await folderAccount({ ...config, folder: join(outer, 'link') })).toMatchObject({
    uid: it.account.uid,
  });
  await expect(
    folderAccount({ ...config, start: { by: 'holder', command: ['x'], account: 'castellan-nobody' } }),
  ).rejects.toThrow('is not there');
  const asRoot = folderAccount({ ...config, start: { by: 'holder', command: ['x'], account: 'root' } });
  await expect(asRoot).rejects.toThrow('belongs to the account');
});
