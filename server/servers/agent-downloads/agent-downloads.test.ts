import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentDownloadsHttp } from '#contracts/servers/agent-downloads.ts';
import { eventually } from '#harness/eventually.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { type FeatureApi, serveFeature } from '../../kernel/testing/feature-api.ts';
import { bindAgentDownloadsRoutes } from './agent-downloads.routes.ts';
import { openAgentPrograms } from './agent-programs.ts';

const linux = 'castellan-agent-linux-x64';
const windows = 'castellan-agent-win-x64.exe';
/** More than streams buffer at a time, and without repetition. */
const program = randomBytes(3_000_000);
const sha256 = createHash('sha256').update(program).digest('hex');

let folder: TemporaryFolder;
let api: FeatureApi;
const marked: string[] = [];

beforeAll(async () => {
  folder = await temporaryFolder('programs');
  api = await serveFeature((routes) =>
    bindAgentDownloadsRoutes(routes, {
      programs: openAgentPrograms(folder.path),
      config: {
        apiHosts: ['127.0.0.1'],
        apiOrigin: 'http://127.0.0.1:3000',
        apiPort: 3000,
        tls: undefined,
        trustProxy: false,
      },
      markDownloaded: async (id) => void marked.push(id),
      idleMs: 1000,
    }),
  );
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const fetchFile = (file: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const path = agentDownloadsHttp.fetch.path.replace(':file', file);
    const asked = request({ host: '127.0.0.1', port: api.port, path, method, headers }, async (answer) =>
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) }),
    );
    asked.on('error', reject).end();
  });
const codeOf = ({ body }: { body: Buffer }) => JSON.parse(String(body)).code;

// Guarantee: a missing program is reported as missing, and only the known names are ever looked up.
test('nothing is there', async () => {
  expect((await fetchFile(linux)).headers['retry-after']).toBe('15');
  expect(codeOf(await fetchFile(linux))).toBe('AGENT_DOWNLOAD_MISSING');
  for (const name of ['..%2f.env', 'programs.json', `${linux}.zst`, '%00', 'castellan-agent'])
    expect(codeOf(await fetchFile(name))).toBe('INVALID_REQUEST');
});

// Guarantee: the file arrives complete and unaltered, stored compressed or not; parts of it can be requested, so a
// broken download continues; what a client already has is not sent again.
test('whole and in parts', async () => {
  const agents = join(folder.path, 'agents');
  await mkdir(agents);
  await writeFile(join(agents, `${linux}.zst`), zstdCompressSync(program));
  await writeFile(join(agents, windows), program);
  await writeFile(join(folder.path, 'agent.mjs'), 'the module');
  const of = { bytes: program.length, sha256 };
  const files = [
    { file: linux, system: 'linux', stored: `${linux}.zst`, coding: 'zstd', ...of },
    { file: windows, system: 'windows', stored: windows, coding: 'none', ...of },
  ];
  await writeFile(join(agents, 'programs.json'), JSON.stringify({ files }));

  const listed = await fetch(`http://127.0.0.1:${api.port}${agentDownloadsHttp.list.path}`);
  expect(await listed.json()).toMatchObject({
    files: [
      { file: linux, system: 'linux', ...of },
      { file: windows, system: 'windows', ...of },
      { file: 'agent.mjs', system: 'node', bytes: 10 },
    ],
    reach: 'this-machine',
    addresses: ['http://127.0.0.1:3000'],
  });
  for (const file of [linux, windows]) {
    const whole = await fetchFile(file);
    expect(whole.body.equals(program)).toBe(true);
    expect(whole.headers).toMatchObject({
      'content-length': String(program.length),
      'accept-ranges': 'bytes',
      'content-disposition': expect.stringContaining(file),
    });
    const etag = String(whole.headers.etag);
    expect((await fetchFile(file, { 'If-None-Match': etag })).status).toBe(304);
    const head = await fetchFile(file, {}, 'HEAD');
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([
      200,
      String(program.length),
      0,
    ]);
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 0],
      ['bytes=1000000-1999999', 1_000_000, 1_999_999],
      ['bytes=2999990-', 2_999_990, 2_999_999],
      ['bytes=-5', 2_999_995, 2_999_999],
      ['bytes=2999990-9999999', 2_999_990, 2_999_999],
    ] as const) {
      const part = await fetchFile(file, { Range: range, 'If-Range': etag });
      expect(part.status).toBe(206);
      expect(part.headers['content-range']).toBe(`bytes ${start}-${end}/${program.length}`);
      expect(part.body.equals(program.subarray(start, end + 1))).toBe(true);
    }
    const outside = await fetchFile(file, { Range: 'bytes=3000000-' });
    expect([outside.status, outside.headers['content-range']]).toEqual([416, `bytes */${program.length}`]);
    const ofAnother = await fetchFile(file, { Range: 'bytes=5-9', 'If-Range': '"another"' });
    expect([ofAnother.status, ofAnother.body.length]).toEqual([200, program.length]);
    expect((await fetchFile(file, { Range: 'bytes=0-1,5-6' })).status).toBe(200);
  }
});

// Guarantee: only the complete file marks an enrolment, and a client that breaks off does no harm.
test('marks', async () => {
  await fetchFile(`${windows}?enrolment=headed`, {}, 'HEAD');
  await fetchFile(`${windows}?enrolment=part`, { Range: 'bytes=0-9' });
  await fetchFile(`${windows}?enrolment=last-byte`, { Range: 'bytes=-1' });
  await fetchFile(`${linux}?enrolment=rest`, { Range: 'bytes=1-' });
  const broken = request({
    host: '127.0.0.1',
    port: api.port,
    path: `${agentDownloadsHttp.fetch.path.replace(':file', linux)}?enrolment=broken`,
  });
  await new Promise((resolve) => {
    broken.on('response', (answer) => answer.once('data', resolve)).end();
  });
  broken.destroy();
  await fetchFile(`${linux}?enrolment=whole`);
  // The mark follows the last byte.
  await eventually(() => expect(marked).toEqual(['whole']));
});

// Guarantee: readers that take nothing are cut off, have few downloads at the same time, and keep no one else out.
test('slow readers', async () => {
  const large = randomBytes(60_000_000);
  const file = {
    file: linux,
    system: 'linux',
    stored: 'large.zst',
    coding: 'zstd',
    bytes: large.length,
    sha256,
  };
  const own = await temporaryFolder('large');
  await mkdir(join(own.path, 'agents'));
  await writeFile(join(own.path, 'agents', 'large.zst'), zstdCompressSync(large));
  await writeFile(join(own.path, 'agents', 'programs.json'), JSON.stringify({ files: [file] }));
  const slow = await serveFeature((routes) =>
    bindAgentDownloadsRoutes(routes, {
      programs: openAgentPrograms(own.path),
      config: { apiHosts: ['127.0.0.1'], apiOrigin: '', apiPort: 1, tls: undefined, trustProxy: false },
      markDownloaded: async () => undefined,
      idleMs: 1000,
    }),
  );
  const path = agentDownloadsHttp.fetch.path.replace(':file', linux);
  const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const status = async () => {
    const answer = await fetch(`http://127.0.0.1:${slow.port}${path}`, { headers: { Range: 'bytes=0-0' } });
    await answer.arrayBuffer();
    return answer.status;
  };
  const readers = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const socket = connect(slow.port, '127.0.0.1').on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(head);
      return socket;
    }),
  );
  await eventually(async () => expect(await status()).toBe(429));
  await eventually(async () => expect(await status()).toBe(206), 20_000);
  for (const reader of readers) reader.destroy();
  await slow[Symbol.asyncDispose]();
  await own[Symbol.asyncDispose]();
}, 40_000);

// Guarantee: a reader that takes a little now and then holds its place no longer than a slow line needs; one that keeps
// the pace gets all of it.
test.each([
  ['too slowly', { everyMs: 500, leastBytes: 2 ** 40, mostMs: 600_000 }],
  ['for too long', { everyMs: 600_000, leastBytes: 0, mostMs: 500 }],
])('a reader that trickles %s', async (_how, pace) => {
  const large = randomBytes(30_000_000);
  await using own = await temporaryFolder('trickle');
  await mkdir(join(own.path, 'agents'));
  await writeFile(join(own.path, 'agents', linux), large);
  const file = { file: linux, system: 'linux', stored: linux, coding: 'none', bytes: large.length, sha256 };
  await writeFile(join(own.path, 'agents', 'programs.json'), JSON.stringify({ files: [file] }));
  await using served = await serveFeature((routes) =>
    bindAgentDownloadsRoutes(routes, {
      programs: openAgentPrograms(own.path),
      config: { apiHosts: ['127.0.0.1'], apiOrigin: '', apiPort: 1, tls: undefined, trustProxy: false },
      markDownloaded: async () => undefined,
      pace,
    }),
  );
  const path = agentDownloadsHttp.fetch.path.replace(':file', linux);
  const socket = connect(served.port, '127.0.0.1').on('error', () => undefined);
  let got = 0;
  const reading = setInterval(() => {
    got += socket.read(1000)?.length ?? 0;
  }, 20);
  socket.on('readable', () => undefined).write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  try {
    // What was already sent waits in buffers; the rest of 30 MB never arrives.
    await eventually(() => {
      while (socket.bytesRead > got && socket.read() !== null);
      expect(socket.closed).toBe(true);
    }, 20_000);
    expect(socket.bytesRead).toBeLessThan(large.length);
  } finally {
    clearInterval(reading);
    socket.destroy();
  }
});

// Guarantee: one address cannot keep the API busy with downloads forever.
test('limits', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => fetchFile(windows, { Range: 'bytes=0-0' })),
  );
  expect(answers.map(({ status }) => status)).toContain(429);
});
