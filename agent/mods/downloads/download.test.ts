import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { content, fileOf, hashesOf, put, setUpDownloads } from './testing/served-files.ts';

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
  const { host, fetch } = await setUpDownloads();
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
  const { host, fetch } = await setUpDownloads();
  const file = put(host);
  host.behave((index) => (index === 0 ? { dropEvery: 400_000 } : index < 3 ? quirks : {}));
  await using held = (await fetch(file)).held;
  expect(await readFile(held.path)).toEqual(content);
  expect(host.requests.length).toBeGreaterThan(1);
});

// Guarantee: a lost connection costs at most the bytes in flight.
test('goes on where it was lost', async () => {
  const { host, fetch } = await setUpDownloads();
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
  const { host, fetch } = await setUpDownloads();
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
  const { host, fetch } = await setUpDownloads();
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
  const { host, fetch } = await setUpDownloads();
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
  const { host, faultOf } = await setUpDownloads({
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
  const { faultOf } = await setUpDownloads({
    timing: { patienceMs: 300, idleMs: 150 },
    allowHosts: [hostPort],
  });
  const began = performance.now();
  expect(await faultOf(fileOf(content, `http://${hostPort}/file`))).toBe(
    name.startsWith('a refusal') ? 'gone' : 'away',
  );
  expect(performance.now() - began).toBeLessThan(5000);
});

// Guarantee: a server that asks again and again for an immediate retry is asked less and less often.
test('asked to come back at once, for ever', async () => {
  const { host, faultOf } = await setUpDownloads({
    timing: { patienceMs: 1500, firstRetryMs: 10, mostRetryMs: 500 },
  });
  const file = put(host);
  host.behave({ status: 429, headers: { 'Retry-After': '0' } });
  expect(await faultOf(file)).toBe('limited');
  expect(host.requests.length).toBeLessThan(15);
});

// Guarantee: a wait until a date is measured by the server's own clock.
test('waits by the clock of the server', async () => {
  const { host, fetch, faultOf } = await setUpDownloads();
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
    const { host, cacheFolder, faultOf } = await setUpDownloads();
    const file = { ...put(host), ...changes };
    host.behave(framing ? { framing } : {});
    expect(await faultOf(file)).toBe(fault);
    expect(host.requests.length).toBeLessThanOrEqual(2);
    expect(await readdir(join(cacheFolder, 'partial'))).toEqual([]);
    expect(await readdir(join(cacheFolder, 'files'))).toEqual([]);
  }
});
