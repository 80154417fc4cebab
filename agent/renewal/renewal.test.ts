import { createHash, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { type AgentRelease, signAgentRelease } from '#runtime/release/agent-release.ts';
import { signRelease } from '#runtime/release/signed-release.ts';
import { openRenewal, type RenewalNews } from './renewal.ts';
import { openRenewalRecord } from './renewal-record.ts';

const vendor = generateKeyPairSync('ed25519');
const foreign = generateKeyPairSync('ed25519');
const name = 'castellan-agent-linux-x64';

/** The new version reports that its servers are connected and runs until its standard input ends. */
const goodProgram = Buffer.from(
  `#!/bin/sh\n# ${randomBytes(2000).toString('hex')}\necho connected one\necho connected two\ncat > /dev/null\n`,
);
const brokenProgram = Buffer.from('#!/bin/sh\nexit 3\n');
const silentProgram = Buffer.from('#!/bin/sh\necho connected one\ncat > /dev/null\n');

const releaseOf = (content: Buffer, changes: Partial<AgentRelease> = {}): AgentRelease => ({
  product: 'castellan-agent',
  version: '1.5.0',
  releasedAt: '2026-11-01T00:00:00.000Z',
  files: [
    {
      platform: 'linux-x64',
      name,
      size: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    },
  ],
  ...changes,
});
const signed = (content: Buffer, changes: Partial<AgentRelease> = {}, key: KeyObject = vendor.privateKey) =>
  signAgentRelease(releaseOf(content, changes), [key]);

type Serve = (response: ServerResponse, from: number) => void;

const setUp = async (serve: Serve, more: Partial<Parameters<typeof openRenewal>[0]> = {}) => {
  const resources = new AsyncDisposableStack();
  const folder = resources.use(await temporaryFolder('program'));
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    serve(response, Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  resources.defer(() => new Promise((resolve) => server.close(() => resolve())));
  resources.defer(() => server.closeAllConnections());
  const current = join(folder.path, 'castellan-agent');
  await writeFile(current, 'version 1.4.0', { mode: 0o755 });
  const renewed: string[] = [];
  const life: string[] = [];
  const news: (RenewalNews | null)[] = [];
  const record = await openRenewalRecord(folder.path);
  const renewal = resources.use(
    openRenewal({
      programFolder: folder.path,
      trialArgs: [],
      keys: [vendor.publicKey],
      version: '1.4.0',
      platform: 'linux-x64',
      record,
      servers: {
        connected: () => ['one', 'two'],
        idle: async () => void life.push('idle'),
        pause: async () => void life.push('pause'),
        resume: async () => void life.push('resume'),
      },
      onNews: (told) => void news.push(told),
      onRenewed: (version) => void renewed.push(version),
      log: createLog({ component: 'test', destination: { write: () => undefined } }),
      connectWithinMs: 10_000,
      retryMs: 10,
      ...more,
    }),
  );
  const { port } = server.address() as AddressInfo;
  return {
    folder: folder.path,
    asked,
    renewed,
    life,
    news,
    record,
    current: () => readFile(current, 'utf8'),
    offer: (release: Buffer) =>
      renewal.offer(release, { url: new URL(`http://127.0.0.1:${port}/castellan/`), pins: [] }),
    stop: () => renewal[Symbol.asyncDispose](),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
};

/** An API that answers correctly. */
const whole =
  (content: Buffer): Serve =>
  (response, from) => {
    response.writeHead(from > 0 ? 206 : 200);
    response.end(content.subarray(from));
  };

// Guarantee: a signed newer version is downloaded, proves itself while this one's servers are paused, and replaces this one, which
// is kept beside it.
test('renewed', async () => {
  await using setting = await setUp(whole(goodProgram));
  await setting.offer(signed(goodProgram));
  expect(setting.asked).toEqual([`/castellan/api/game-agent/downloads/${name}`]);
  expect(setting.renewed).toEqual(['1.5.0']);
  expect(setting.life).toEqual(['idle', 'pause']);
  expect(setting.news).toMatchObject([
    { step: 'fetching', version: '1.5.0' },
    { step: 'trying', version: '1.5.0' },
  ]);
  expect(await setting.current()).toBe(goodProgram.toString());
  expect(await readFile(join(setting.folder, 'castellan-agent-previous'), 'utf8')).toBe('version 1.4.0');
  expect((await readdir(setting.folder)).sort()).toEqual([
    'castellan-agent',
    'castellan-agent-previous',
    'renewal.json',
  ]);
});

// Guarantee: a version that ends immediately, connects only some of the servers, or cannot be started changes nothing; the servers
// keep running, and it is not tried again before its rest is over.
test.each([
  ['ends at once', brokenProgram, /ended by itself \(3\)/],
  ['connects one of two servers', silentProgram, /not connected within/],
  ['is no program', Buffer.from('\u0000\u0001 nothing that runs'), /cannot be started|ended by itself/],
])('a version that %s', async (_name, content, detail) => {
  let nowMs = Date.now();
  await using setting = await setUp(whole(content), { connectWithinMs: 300, now: () => nowMs });
  await setting.offer(signed(content));
  expect(setting.life).toEqual(['idle', 'pause', 'resume']);
  expect(setting.record.now().failed).toMatchObject({
    version: '1.5.0',
    tries: 1,
    detail: expect.stringMatching(detail),
  });
  await setting.offer(signed(content));
  expect(setting.asked).toHaveLength(1);
  nowMs += 3_600_001;
  await setting.offer(signed(content));
  expect(setting.record.now().failed).toMatchObject({ tries: 2 });
  expect(setting.renewed).toEqual([]);
  expect(await setting.current()).toBe('version 1.4.0');
});

// Guarantee: the outcome of an update is reported with its reason and the time of the next try, even after a restart of the agent,
// and names no folder of the machine.
test('told', async () => {
  const nowMs = Date.now();
  const cannotRun = Buffer.from('\u0000\u0001 nothing that runs');
  await using setting = await setUp(whole(cannotRun), { now: () => nowMs });
  const offer = () => setting.offer(signed(cannotRun));
  await offer();
  const wentBack = { step: 'went-back', version: '1.5.0', againAtMs: nowMs + 3_600_000 };
  expect(setting.news.at(-1)).toMatchObject(wentBack);
  expect(setting.news.at(-1)?.detail).not.toContain(setting.folder);
  await offer();
  expect(setting.news.slice(-2)).toMatchObject([wentBack, wentBack]);
  await setting.offer(Buffer.from('nothing'));
  expect(setting.news.at(-1)).toMatchObject({ step: 'refused', version: null });
  await setting.offer(signed(goodProgram, { version: '1.4.0' }));
  expect(setting.news.at(-1)).toBe(null);

  await using unfetched = await setUp((response) => response.writeHead(404).end());
  await unfetched.offer(signed(goodProgram));
  expect(unfetched.news.at(-1)).toMatchObject({ step: 'not-fetched', detail: 'the API answers 404' });
});

// Guarantee: a version that failed is tried again when its rest is over, without another offer.
test('tried again by itself', async () => {
  let nowMs = 0;
  await using setting = await setUp(whole(brokenProgram), { now: () => nowMs });
  await setting.record.change({
    failed: { version: '1.5.0', tries: 1, atMs: 0, detail: 'it ended', wasTried: true },
  });
  nowMs = 3_600_000 - 20;
  const offered = setting.offer(signed(brokenProgram));
  nowMs = 3_600_000;
  await offered;
  await eventually(() => expect(setting.record.now().failed).toMatchObject({ tries: 2 }));
});

// Guarantee: an interrupted download is continued where it ended.
test('continued', async () => {
  const starts: number[] = [];
  const broken: ServerResponse[] = [];
  await using setting = await setUp((response, from) => {
    starts.push(from);
    response.writeHead(from > 0 ? 206 : 200, { 'Content-Length': goodProgram.length - from });
    if (from > 0) response.end(goodProgram.subarray(from));
    else {
      response.write(goodProgram.subarray(0, 1000));
      broken.push(response);
    }
  });
  const offered = setting.offer(signed(goodProgram));
  await eventually(async () => {
    const part = (await readdir(setting.folder)).find((file) => file.endsWith('.part')) ?? '';
    expect((await readFile(join(setting.folder, part))).length).toBe(1000);
  });
  for (const response of broken) response.destroy();
  await offered;
  expect(starts).toEqual([0, 1000]);
  expect(setting.renewed).toEqual(['1.5.0']);
});

const altered = (content: Buffer, place: number): Buffer => {
  const copy = Buffer.from(content);
  copy[place] = (copy[place] ?? 0) ^ 1;
  return copy;
};
const desktopRelease = signRelease(
  {
    product: 'Castellan',
    version: '1.5.0',
    releasedAt: '2026-11-01T00:00:00.000Z',
    expiresAt: '2027-11-01T00:00:00.000Z',
    follows: '1.0.0',
    notes: '',
    files: [
      { platform: 'linux-x64', name: 'Castellan-1.5.0.AppImage', size: 5, sha512: `${'A'.repeat(86)}==` },
    ],
  },
  [vendor.privateKey],
);
const good = signed(goodProgram);

// Guarantee: nothing ever runs that is not signed by our key as a release of the agent, is older, or differs from what was signed.
test.each<[string, Buffer, Serve]>([
  ['signed by a foreign key', signed(goodProgram, {}, foreign.privateKey), whole(goodProgram)],
  ['not signed', signAgentRelease(releaseOf(goodProgram), []), whole(goodProgram)],
  ['a byte of the manifest altered', altered(good, good.length - 20), whole(goodProgram)],
  ['a byte of the signature altered', altered(good, 60), whole(goodProgram)],
  ['cut short', good.subarray(0, good.length - 3), whole(goodProgram)],
  ['with something behind it', Buffer.concat([good, Buffer.from(' ')]), whole(goodProgram)],
  ['empty', Buffer.alloc(0), whole(goodProgram)],
  ['endless', Buffer.alloc(1_000_000, 'a'), whole(goodProgram)],
  ["the desktop's release, signed by the same key", desktopRelease, whole(goodProgram)],
  ['the version that runs', signed(goodProgram, { version: '1.4.0' }), whole(goodProgram)],
  ['an older version', signed(goodProgram, { version: '1.3.9' }), whole(goodProgram)],
  [
    'for another system',
    signed(goodProgram, {
      files: releaseOf(goodProgram).files.map((file) => ({ ...file, platform: 'win32-x64' as const })),
    }),
    whole(goodProgram),
  ],
  ['another program of the same length', good, whole(altered(goodProgram, 40))],
  ['a longer program', good, whole(Buffer.concat([goodProgram, Buffer.from('rm -rf /\n')]))],
  ['a shorter program', good, whole(goodProgram.subarray(0, 500))],
  ['an error page', good, (response) => response.writeHead(404).end('<html>')],
  ['a redirect', good, (response) => response.writeHead(302, { Location: 'http://127.0.0.1:9/' }).end()],
  [
    'the rest of another program after a break',
    good,
    (response, from) => {
      response.writeHead(from > 0 ? 206 : 200, { 'Content-Length': goodProgram.length - from });
      if (from > 0) response.end(altered(goodProgram, goodProgram.length - 1).subarray(from));
      else response.write(goodProgram.subarray(0, 100), () => response.socket?.end());
    },
  ],
])('refused: %s', async (_name, release, serve) => {
  await using setting = await setUp(serve);
  await setting.offer(release);
  await setting.record.change({ failed: null });
  await setting.offer(release);
  expect(setting.renewed).toEqual([]);
  expect(setting.life).toEqual([]);
  expect(await setting.current()).toBe('version 1.4.0');
  expect(await readdir(setting.folder)).not.toContain('castellan-agent-next');
});

// Guarantee: a version that is in place starts even if the disk cannot store a record of it, and a failed one leaves the servers
// running; so does a pause that fails. No failure leaves them paused.
test('servers never stay paused', async () => {
  await using gone = await temporaryFolder('gone');
  const record = await openRenewalRecord(join(gone.path, 'removed'));
  await using setting = await setUp(whole(goodProgram), { record });
  await setting.offer(signed(goodProgram));
  expect(setting.renewed).toEqual(['1.5.0']);
  expect(await setting.current()).toBe(goodProgram.toString());

  await using failing = await setUp(whole(brokenProgram), { record });
  await failing.offer(signed(brokenProgram));
  expect(failing.life).toEqual(['idle', 'pause', 'resume']);
  expect(failing.news.at(-1)).toMatchObject({ step: 'went-back' });

  const life: string[] = [];
  await using stuck = await setUp(whole(goodProgram), {
    servers: {
      connected: () => ['one'],
      idle: () => Promise.resolve(),
      pause: () => Promise.reject(new Error('EIO')),
      resume: async () => void life.push('resume'),
    },
  });
  await stuck.offer(signed(goodProgram));
  expect(life).toEqual(['resume']);
  expect(stuck.renewed).toEqual([]);
});

// Guarantee: an agent that stops during a trial also ends the program on trial, and leaves the current version in place.
test('stopped during the trial', async () => {
  await using setting = await setUp(whole(silentProgram), { connectWithinMs: 3_600_000 });
  const offered = setting.offer(signed(silentProgram));
  await eventually(() => expect(setting.life).toContain('pause'));
  await setting.stop();
  await offered;
  expect(setting.life).toEqual(['idle', 'pause']);
  expect(setting.renewed).toEqual([]);
  expect(await setting.current()).toBe('version 1.4.0');
});
