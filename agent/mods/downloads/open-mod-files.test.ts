import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ModFile } from '#contracts/agent-mods.ts';
import { canMount, smallDisk } from '#harness/small-disk.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { diskSpaceOf } from '#runtime/disk-space.ts';
import { type FileHost, startFileHost } from '../../../tests/simulators/file-host.ts';
import { ModFileError } from '../mod-files.ts';
import type { ApiFiles } from './api-files.ts';
import type { DownloadTiming } from './download-fault.ts';
import { openModFiles } from './open-mod-files.ts';
import { noApiFiles } from './testing/no-api-files.ts';

const hashesOf = (content: Buffer) => ({
  sha512: createHash('sha512').update(content).digest('hex'),
  sha1: createHash('sha1').update(content).digest('hex'),
});
const fileOf = (content: Buffer, url: string, changes: Partial<ModFile> = {}): ModFile => ({
  name: 'mod.jar',
  bytes: content.length,
  hashes: hashesOf(content),
  from: { kind: 'address', url, key: null },
  ...changes,
});
const fast: Partial<DownloadTiming> = { firstRetryMs: 5, mostRetryMs: 20, patienceMs: 20_000, idleMs: 5000 };

interface SetUp {
  readonly api?: ApiFiles;
  readonly timing?: Partial<DownloadTiming>;
  readonly cacheMegabytes?: number;
  readonly allowHosts?: readonly string[];
}

const setUp = async ({ api = noApiFiles, timing, cacheMegabytes = 100, allowHosts }: SetUp = {}) => {
  const folder = await temporaryFolder('mods');
  const host = await startFileHost();
  onTestFinished(async () => {
    await host[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  const cacheFolder = join(folder.path, 'cache');
  const open = () =>
    openModFiles({
      cacheFolder,
      cacheMegabytes,
      allowHosts: allowHosts ?? [host.hostPort],
      api,
      timing: { ...fast, ...timing },
    });
  const files = await open();
  const fetchWith = async (file: ModFile, signal = AbortSignal.timeout(60_000)) => {
    const progress: [number, number | null][] = [];
    const held = await files.fetch(file, {
      taskId: 'task',
      signal,
      onProgress: (done, total) => progress.push([done, total]),
    });
    return { held, progress };
  };
  const faultOf = (file: ModFile) =>
    fetchWith(file).then(
      () => 'none',
      (error: unknown) => (error instanceof ModFileError ? error.fault : String(error)),
    );
  return { host, cacheFolder, open, files, fetch: fetchWith, faultOf };
};

const content = randomBytes(1_000_000);
const put = (host: FileHost, path = '/file') => {
  host.put(path, content);
  return fileOf(content, host.url(path));
};

// Guarantee: a downloaded file is complete and verified, readable only by its owner, and is not downloaded twice.
test('downloads once', async () => {
  const { host, cacheFolder, open, fetch } = await setUp();
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
  const { host, open, fetch } = await setUp();
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

// Guarantee: quirks of a server cost time at most: the file is the promised one.
test.each([
  ['drops', { dropEvery: 150_000 }],
  ['drops, without a validator', { dropEvery: 150_000, noValidator: true }],
  ['chunks', { framing: 'chunked' }],
  ['no length', { framing: 'none' }],
  ['drops without a length', { framing: 'none', dropEvery: 300_000 }],
  ['drops between chunks', { framing: 'chunked', dropEvery: 300_000 }],
  ['gzip', { gzip: true }],
  ['gzip in capital letters', { gzip: 'GZIP' }],
  ['an encoding without a name', { headers: { 'Content-Encoding': '' } }],
  ['gzip in chunks', { gzip: true, framing: 'chunked' }],
] as const)('%s', async (_name, quirks) => {
  const { host, fetch } = await setUp();
  const file = put(host);
  host.behave(quirks);
  await using held = (await fetch(file)).held;
  expect(await readFile(held.path)).toEqual(content);
});

test.each([
  ['ignores Range', { ignoresRange: true }],
  ['answers with another range', { rangeShift: 7 }],
  ['has changed the ETag', { etag: '"other"' }],
  ['has changed the ETag and ignores If-Range', { etag: '"other"', ignoresIfRange: true }],
  ['asks to wait', { status: 429, headers: { 'Retry-After': '0' } }],
  ['is down', { status: 502 }],
  ['is down for a while', { status: 503, headers: { 'Retry-After': new Date(0).toUTCString() } }],
] as const)('a server that drops a connection and then %s', async (_name, quirks) => {
  const { host, fetch } = await setUp();
  const file = put(host);
  host.behave((index) => (index === 0 ? { dropEvery: 400_000 } : index < 3 ? quirks : {}));
  await using held = (await fetch(file)).held;
  expect(await readFile(held.path)).toEqual(content);
  expect(host.requests.length).toBeGreaterThan(1);
});

// Guarantee: a lost connection costs at most the bytes in flight.
test('goes on where it was lost', async () => {
  const { host, fetch } = await setUp();
  const large = randomBytes(20_000_000);
  host.put('/large', large);
  host.behave({ dropEvery: 2_000_000 });
  await using held = (await fetch(fileOf(large, host.url('/large')))).held;
  expect(held.sha512).toBe(hashesOf(large).sha512);
  expect(host.requests.slice(1).every(({ headers }) => headers['if-range'] !== undefined)).toBe(true);
  expect(host.sentBytes).toBeLessThan(large.length * 1.05);
});

// Guarantee: a file that changes between two parts is never assembled from both versions.
test('begins again when the file has changed', async () => {
  const { host, fetch } = await setUp();
  put(host);
  const other = randomBytes(900_000);
  host.behave((index) => {
    if (index === 1) host.put('/file', other);
    return index === 0 ? { dropEvery: 400_000 } : {};
  });
  const { held } = await fetch(fileOf(other, host.url(), { bytes: null, hashes: {} }));
  expect(await readFile(held.path)).toEqual(other);
});

// Guarantee: if no hash verifies the file, a part counts as its rest only when the server says that it is still the same.
test.each([
  ['another date', { noEtag: true, modified: new Date(1_800_000_000_000).toUTCString() }],
  ['no date any more', { noValidator: true }],
] as const)('a file that changes while its server looks at no condition: %s', async (_name, quirks) => {
  const { host, fetch } = await setUp();
  put(host);
  const other = randomBytes(content.length);
  host.behave((index) => {
    if (index === 1) host.put('/file', other);
    return index === 0 ? { noEtag: true, dropEvery: 400_000 } : { ...quirks, ignoresIfRange: true };
  });
  const { held } = await fetch(fileOf(other, host.url(), { bytes: null, hashes: {} }));
  expect(await readFile(held.path)).toEqual(other);
});

test('takes a file of which nothing is known', async () => {
  const { host, fetch } = await setUp();
  put(host);
  host.behave({ framing: 'chunked' });
  const { held } = await fetch(fileOf(content, host.url(), { bytes: null, hashes: {} }));
  expect(held).toMatchObject(hashesOf(content));
});

test.each([
  ['gone', { status: 404 }],
  ['gone', { status: 410 }],
  ['gone', { status: 403 }],
  ['size', { lengthLie: 100, headers: { Connection: 'close' } }],
  ['limited', { status: 429, headers: { 'Retry-After': '3600' } }],
  ['limited', { status: 503, headers: { 'Retry-After': '3600' } }],
  ['limited', { status: 403, body: 'There is too much traffic' }],
  ['away', { status: 500 }],
  ['away', { stallAfter: 1000 }],
  ['too-slow', { bytesPerSecond: 100 }],
] as const)('fault %s: %j', async (fault, quirks) => {
  const { host, faultOf } = await setUp({
    timing: { patienceMs: 400, idleMs: fault === 'too-slow' ? 5000 : 100 },
  });
  const file = put(host);
  host.behave(quirks);
  expect(await faultOf(file)).toBe(fault);
});

// Guarantee: a server that sends the head of its answer letter by letter, or only provisional ones, blocks no download.
test.each([
  ['letter by letter', (at: number) => (at === 0 ? 'HTTP/1.1 200 OK\r\nX-Slow: ' : 'x')],
  ['provisional answers', () => 'HTTP/1.1 102 Processing\r\n\r\n'],
  ['a refusal letter by letter', (at: number) => (at === 0 ? 'HTTP/1.1 403 No\r\n\r\n' : 'x')],
])('a head that does not end: %s', async (name, part) => {
  const server = createServer((socket) => {
    let at = 0;
    const sending = setInterval(() => socket.write(part(at++)), 20);
    socket.on('error', () => undefined).on('close', () => clearInterval(sending));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { faultOf } = await setUp({ timing: { patienceMs: 300, idleMs: 150 }, allowHosts: [hostPort] });
  const began = performance.now();
  expect(await faultOf(fileOf(content, `http://${hostPort}/file`))).toBe(
    name.startsWith('a refusal') ? 'gone' : 'away',
  );
  expect(performance.now() - began).toBeLessThan(5000);
});

// Guarantee: a server that asks again and again for an immediate retry is asked less and less often.
test('asked to come back at once, for ever', async () => {
  const { host, faultOf } = await setUp({ timing: { patienceMs: 1500, firstRetryMs: 10, mostRetryMs: 500 } });
  const file = put(host);
  host.behave({ status: 429, headers: { 'Retry-After': '0' } });
  expect(await faultOf(file)).toBe('limited');
  expect(host.requests.length).toBeLessThan(15);
});

// Guarantee: a wait until a date is measured by the server's own clock.
test('waits by the clock of the server', async () => {
  const { host, fetch, faultOf } = await setUp();
  const file = put(host);
  const wait = (ms: number) => {
    const sent = Date.UTC(2031, 0, 1);
    const headers = { Date: new Date(sent).toUTCString(), 'Retry-After': new Date(sent + ms).toUTCString() };
    host.behave((index) => (index === 0 ? { status: 429, headers } : {}));
  };
  wait(3_600_000);
  expect(await faultOf(file)).toBe('limited');
  wait(0);
  await using held = (await fetch(file)).held;
  expect(held.bytes).toBe(content.length);
});

// Guarantee: a wrong file is reported with its fault, nothing of it stays, and it was requested twice at most.
test.each([
  ['hash', { hashes: { sha512: '0'.repeat(128) } }],
  ['hash', { hashes: { sha1: '0'.repeat(40) } }],
  ['size', { bytes: 999_999 }],
  ['size', { bytes: 1_000_001 }],
] as const)('wrong %s: %j', async (fault, changes) => {
  for (const framing of [undefined, 'chunked'] as const) {
    const { host, cacheFolder, faultOf } = await setUp();
    const file = { ...put(host), ...changes };
    host.behave(framing ? { framing } : {});
    expect(await faultOf(file)).toBe(fault);
    expect(host.requests.length).toBeLessThanOrEqual(2);
    expect(await readdir(join(cacheFolder, 'partial'))).toEqual([]);
    expect(await readdir(join(cacheFolder, 'files'))).toEqual([]);
  }
});

// Guarantee: nothing within this machine or its network receives a request, whatever leads to it.
test('private addresses', async () => {
  const { host, faultOf } = await setUp();
  await using inner = await startFileHost();
  inner.put('/file', content);
  const file = put(host);
  for (const location of [
    inner.url(),
    inner.url().replace('http:', 'https:'),
    `https://localhost:${inner.port}/file`,
    `https://[::ffff:127.0.0.1]:${inner.port}/file`,
    'https://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
  ]) {
    expect(await faultOf(fileOf(content, location))).toBe('forbidden-address');
    host.behave({ status: 302, headers: { Location: location } });
    expect(await faultOf(file)).toBe('forbidden-address');
  }
  expect(inner.requests).toEqual([]);
});

test('follows five redirects and no more', async () => {
  const { host, fetch, faultOf } = await setUp();
  const file = put(host);
  const redirects = (count: number) =>
    host.behave((index) => (index < count ? { status: 307, headers: { Location: '/file' } } : {}));
  redirects(5);
  await using held = (await fetch(file)).held;
  expect(held.bytes).toBe(content.length);
  redirects(6);
  expect(await faultOf({ ...file, hashes: {} })).toBe('gone');
});

// Guarantee: only the host that the key is for receives it, and none that it redirects to.
test('the key stays with its host', async () => {
  const other = await startFileHost();
  onTestFinished(() => other[Symbol.asyncDispose]());
  other.put('/file', content);
  const keys: string[] = [];
  const api: ApiFiles = {
    ...noApiFiles,
    curseforgeKey: async (taskId) => {
      keys.push(taskId);
      return 'the-key';
    },
  };
  const folder = await temporaryFolder('mods');
  onTestFinished(() => folder[Symbol.asyncDispose]());
  await using host = await startFileHost();
  const files = await openModFiles({
    cacheFolder: join(folder.path, 'cache'),
    cacheMegabytes: 100,
    allowHosts: [host.hostPort, other.hostPort],
    api,
    timing: fast,
  });
  const file = fileOf(content, host.url(), {
    from: { kind: 'address', url: host.url(), key: 'curseforge' },
  });
  const options = { taskId: 'task', signal: AbortSignal.timeout(60_000), onProgress: () => undefined };
  host.behave({ status: 401 });
  await expect(files.fetch(file, options)).rejects.toMatchObject({ fault: 'key' });
  host.behave({ status: 302, headers: { Location: other.url() } });
  await using held = await files.fetch(file, options);
  expect(held.bytes).toBe(content.length);
  expect(host.requests.map(({ headers }) => headers['x-api-key'])).toEqual(['the-key']);
  expect(other.requests.map(({ headers }) => headers['x-api-key'])).toEqual([undefined]);
  expect(keys).toEqual(['task', 'task']);

  const stranger = {
    ...file,
    hashes: {},
    from: { ...file.from, url: 'https://example.org/file' },
  } as ModFile;
  await expect(files.fetch(stranger, options)).rejects.toMatchObject({ fault: 'key' });
  expect(keys).toHaveLength(2);
});

// Guarantee: a file of the cache that someone else has changed is downloaded again.
test('a changed byte', async () => {
  const { host, cacheFolder, fetch } = await setUp();
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
  const { host, cacheFolder, fetch } = await setUp({ cacheMegabytes: 3 });
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
  const { host, fetch } = await setUp();
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
  const { host, fetch } = await setUp();
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
  const { fetch, faultOf } = await setUp({ api });
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
