import { randomBytes } from 'node:crypto';
import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { canMount, smallDisk } from '#harness/small-disk.ts';
import { diskSpaceOf } from '#runtime/disk-space.ts';
import { startFileHost } from '../../../tests/simulators/file-host.ts';
import { ModFileError } from '../mod-files.ts';
import type { ApiFiles } from './api-files.ts';
import { openModFiles } from './open-mod-files.ts';
import { noApiFiles } from './testing/no-api-files.ts';
import { content, fileOf, hashesOf, put, setUpDownloads } from './testing/served-files.ts';

// Guarantee: a downloaded file is complete and verified, readable only by its owner, and is not downloaded twice.
test('downloads once', async () => {
  const { host, cacheFolder, open, fetch } = await setUpDownloads();
  const file = put(host);
  const { held, progress } = await fetch(file);
  expect(await readFile(held.path)).toEqual(content);
  expect(held).toMatchObject({ bytes: content.length, ...hashesOf(content) });
  expect(progress.at(-1)).toEqual([content.length, content.length]);
  if (process.platform !== 'win32') {
    expect((await stat(held.path)).mode & 0o777).toBe(0o600);
    expect((await stat(cacheFolder)).mode & 0o777).toBe(0o700);
  }
  const other = await open();
  const options = { taskId: 'task', signal: AbortSignal.timeout(60_000), onProgress: () => undefined };
  for (const hashes of [file.hashes, { sha1: file.hashes.sha1 }]) {
    await using again = await other.fetch({ ...file, hashes }, options);
    expect(again.sha512).toBe(held.sha512);
  }
  await Promise.all(Array.from({ length: 5 }, () => fetch(file)));
  expect(host.requests).toHaveLength(1);
  expect(await readdir(join(cacheFolder, 'partial'))).toEqual([]);
});

// Guarantee: a file that two servers of a machine want at the same time is downloaded by one of them, and both get it.
test('wanted by two at once', async () => {
  const { host, open, fetch } = await setUpDownloads();
  const file = put(host);
  host.behave({ bytesPerSecond: 2_000_000 });
  const first = fetch(file);
  await expect.poll(() => host.sentBytes).toBeGreaterThan(0);
  const other = await open();
  const options = { taskId: 'task', signal: AbortSignal.timeout(60_000), onProgress: () => undefined };
  await using second = await other.fetch(file, options);
  await using held = (await first).held;
  for (const { path } of [held, second]) expect(await readFile(path)).toEqual(content);
  expect(host.requests).toHaveLength(1);
});

// Guarantee: a file of the cache that someone else has changed is downloaded again.
test('a changed byte', async () => {
  const { host, cacheFolder, fetch } = await setUpDownloads();
  const file = put(host);
  const { held } = await fetch(file);
  await held[Symbol.asyncDispose]();
  const [name = ''] = await readdir(join(cacheFolder, 'files'));
  const path = join(cacheFolder, 'files', name);
  const changed = Buffer.from(content);
  changed[500_000] = (changed[500_000] ?? 0) ^ 1;
  for (const damage of [() => writeFile(path, changed), () => truncate(path, 10)]) {
    await damage();
    await using again = (await fetch(file)).held;
    expect(await readFile(again.path)).toEqual(content);
  }
  expect(host.requests).toHaveLength(3);
});

// Guarantee: the cache keeps its limit by evicting the least recently used files, and never removes a held one.
test('pushes out the least recently used', async () => {
  const { host, cacheFolder, fetch } = await setUpDownloads({ cacheMegabytes: 3 });
  const bytesOfCache = async () => {
    const names = await readdir(join(cacheFolder, 'files'));
    const sizes = await Promise.all(
      names.map(async (name) => (await stat(join(cacheFolder, 'files', name))).size),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  const contents = Array.from({ length: 5 }, () => randomBytes(1_000_000));
  const files = contents.map((bytes, index) => {
    host.put(`/${index}`, bytes);
    return fileOf(bytes, host.url(`/${index}`));
  });
  const take = async (index: number) => {
    const file = files[index];
    if (!file) throw new Error('no such file');
    return (await fetch(file)).held;
  };
  const first = await take(0);
  for (const index of [1, 2, 1, 3, 4]) await (await take(index))[Symbol.asyncDispose]();
  expect(await bytesOfCache()).toBeLessThanOrEqual(3_000_000);
  expect(await readFile(first.path)).toEqual(contents[0]);
  const before = host.requests.length;
  for (const index of [0, 4]) await (await take(index))[Symbol.asyncDispose]();
  expect(host.requests).toHaveLength(before);
  await (await take(2))[Symbol.asyncDispose]();
  expect(host.requests).toHaveLength(before + 1);
});

test('a cancelled download is gone on with', async () => {
  const { host, fetch } = await setUpDownloads();
  const file = put(host);
  host.behave({ stallAfter: 700_000 });
  const cancelling = new AbortController();
  const cut = fetch(file, cancelling.signal);
  await expect.poll(() => host.sentBytes).toBe(700_000);
  cancelling.abort(new Error('cancelled'));
  await expect(cut).rejects.toThrow('cancelled');
  host.behave({});
  await using held = (await fetch(file)).held;
  expect(await readFile(held.path)).toEqual(content);
});

// Guarantee: a task that waits for another task's download can be cancelled immediately, and the next one still waits for that download.
test('cancelled while another task downloads it', async () => {
  const { host, fetch } = await setUpDownloads();
  const file = put(host);
  host.behave({ bytesPerSecond: 1_000_000 });
  const first = fetch(file);
  let isOver = false;
  void first.then(() => {
    isOver = true;
  });
  const cancelling = new AbortController();
  const second = fetch(file, cancelling.signal);
  await expect.poll(() => host.sentBytes).toBeGreaterThan(0);
  cancelling.abort(new Error('cancelled'));
  await expect(second).rejects.toThrow('cancelled');
  expect(isOver).toBe(false);
  await using third = (await fetch(file)).held;
  await using held = (await first).held;
  expect([held.sha512, third.sha512]).toEqual([hashesOf(content).sha512, hashesOf(content).sha512]);
  expect(host.requests).toHaveLength(1);
});

test('files of the API', async () => {
  const asked: number[] = [];
  const api: ApiFiles = {
    ...noApiFiles,
    partBytes: 300_000,
    part: async (_task, id, part) => {
      asked.push(part);
      if (id !== 'known') throw new ModFileError('gone', 'no such file');
      return { content: content.subarray(part * 300_000, (part + 1) * 300_000), bytes: content.length };
    },
  };
  const { fetch, faultOf } = await setUpDownloads({ api });
  await using held = (await fetch({ ...fileOf(content, 'x:'), from: { kind: 'api', id: 'known' } })).held;
  expect(await readFile(held.path)).toEqual(content);
  expect(asked).toEqual([0, 1, 2, 3]);
  expect(await faultOf({ ...fileOf(content, 'x:'), hashes: {}, from: { kind: 'api', id: 'other' } })).toBe(
    'gone',
  );
});

// Guarantee: a full disk is reported as such, and has as many bytes as before.
test.runIf(canMount())('a full disk', async () => {
  using disk = smallDisk(16);
  if (!disk) throw new Error('A disk could be mounted just before.');
  await using host = await startFileHost();
  const large = randomBytes(20_000_000);
  host.put('/large', large);
  const cacheFolder = join(disk.path, 'cache');
  const allowHosts = [host.hostPort];
  const files = await openModFiles({ cacheFolder, cacheMegabytes: 100, allowHosts, api: noApiFiles });
  const options = { taskId: 'task', signal: AbortSignal.timeout(60_000), onProgress: () => undefined };
  const { freeBytes } = await diskSpaceOf(disk.path);
  for (const framing of [undefined, 'chunked'] as const) {
    host.behave(framing ? { framing } : {});
    const file = fileOf(large, host.url('/large'), framing ? { bytes: null } : {});
    await expect(files.fetch(file, options)).rejects.toMatchObject({ fault: 'disk-full' });
    expect(await readdir(join(cacheFolder, 'partial'))).toEqual([]);
    expect((await diskSpaceOf(disk.path)).freeBytes).toBeGreaterThanOrEqual(freeBytes - 16_384);
  }
});
