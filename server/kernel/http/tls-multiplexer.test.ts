import { once } from 'node:events';
import { rename, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { Agent, request as secureRequest } from 'node:https';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { type SelfSigned, selfSigned } from '#harness/self-signed.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { releaseShare } from '#runtime/http/connection-limits.ts';
import { type Listener, listen } from '#runtime/http/listen.ts';
import { createLog } from '#runtime/log.ts';
import { StartupError } from '#runtime/program.ts';
import type { CertificateFiles } from './certificate.ts';
import { openTlsMultiplexer } from './tls-multiplexer.ts';

let owned: AsyncDisposableStack;
let files: CertificateFiles;
let first: SelfSigned;
let listener: Listener;
let said: string[];

/** Replaces each file whole: half a file causes a different error than two files that do not match. */
const replace = async (file: string, text: string) => {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
};
const write = async ({ cert, key }: Pick<SelfSigned, 'cert' | 'key'>) => {
  await replace(files.certFile, cert);
  await replace(files.keyFile, key);
};

beforeEach(async () => {
  owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('tls'));
  files = { certFile: join(folder.path, 'cert.pem'), keyFile: join(folder.path, 'key.pem') };
  first = selfSigned();
  await write(first);
  said = [];
});
afterEach(() => owned.disposeAsync());

const log = createLog({ component: 'test', destination: { write: (line) => void said.push(line) } });

/** Answers with the body's length and whether it came over TLS; upgrades to an echo. */
const start = async (limits?: Parameters<typeof listen>[0]['limits']) => {
  listener = owned.use(
    await listen({
      handler: async (asked, response) => {
        const body = await buffer(asked);
        if (asked.url === '/proven') releaseShare(asked.socket);
        response.end(`${body.length} ${'encrypted' in asked.socket}`);
      },
      host: '0.0.0.0',
      port: 0,
      timing: { headersMs: 1000, requestMs: 2000, checkMs: 50 },
      ...(limits ? { limits } : {}),
    }),
  );
  listener.server.on('upgrade', (_request, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
    socket.pipe(socket);
  });
  const { server } = listener;
  const refusePlain = () => 'HTTP/1.1 426 Upgrade Required\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
  owned.use(await openTlsMultiplexer({ server, files, refusePlain, log, rereadMs: 20 }));
};

const ask = (options: { readonly secure: boolean; readonly agent?: Agent; readonly body?: Buffer }) =>
  new Promise<string>((resolve, reject) => {
    const { secure, agent = false, body } = options;
    const target = { host: '127.0.0.1', port: listener.port, method: 'POST', agent };
    const asked = secure
      ? secureRequest({ ...target, rejectUnauthorized: false })
      : request({ ...target, agent: false });
    asked.on('response', (response) => resolve(text(response))).on('error', reject);
    asked.end(body);
  });

const handshake = () =>
  new Promise<TLSSocket>((resolve, reject) => {
    const socket = connectTls({ host: '127.0.0.1', port: listener.port, rejectUnauthorized: false }, () =>
      resolve(socket),
    );
    socket.on('error', reject);
  });

const shownFingerprint = async (): Promise<string> => {
  const socket = await handshake();
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
};

// Guarantee: one port serves TLS and, for this machine, plain HTTP: small and large bodies, one-off and kept alive.
test('both ways on one port', async () => {
  await start();
  const large = Buffer.alloc(1_500_000, 'x');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (const body of [undefined, Buffer.from('abc'), large, Buffer.from('d')]) {
    expect(await ask({ secure: true, agent, ...(body && { body }) })).toBe(`${body?.length ?? 0} true`);
    expect(await ask({ secure: false, ...(body && { body }) })).toBe(`${body?.length ?? 0} false`);
  }
  agent.destroy();
});

// Guarantee: a request that arrives byte by byte, and one that arrives with the next behind it, are read correctly.
test('pieces and pipelines', async () => {
  await start();
  const socket = connect(listener.port, '127.0.0.1');
  const answer = text(socket);
  for (const byte of 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await new Promise((done) => socket.write(byte, done));
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  expect((await answer).match(/200 OK/g)).toHaveLength(3);
});

// Guarantee: upgraded connections work both ways.
test.each([true, false])('an upgrade, by TLS: %s', async (secure) => {
  await start();
  const socket = secure ? await handshake() : connect(listener.port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    heard += piece;
  });
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  await eventually(() => expect(heard).toContain('101 Switching'));
  socket.write('hello');
  await eventually(() => expect(heard).toMatch(/hello$/));
  socket.destroy();
});

// Guarantee: over TLS, too, a connection that never asked anything is closed without a byte; one that had begun to ask is told.
test('connections that ask nothing', async () => {
  await start();
  expect(await text(await handshake())).toBe('');
  const half = await handshake();
  half.write('GET / HT');
  expect(await text(half)).toMatch(/^HTTP\/1\.1 408 /);
  const plain = connect(listener.port, '127.0.0.1');
  plain.write('G');
  expect(await text(plain)).toMatch(/^HTTP\/1\.1 408 /);
});

const otherAddress = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === 'IPv4' && !each.internal)?.address;

// Guarantee: a client that speaks plain HTTP from another machine is refused before anything of the request is read.
test.skipIf(!otherAddress)('plain HTTP from elsewhere', async () => {
  await start();
  // A source address that is neither the loopback nor the target, like that of another machine.
  const socket = connect({ host: '127.0.0.1', port: listener.port, localAddress: otherAddress });
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 426 /);
});

// Guarantee: over TLS, too, an authenticated connection stops counting against its address, and one that ends is not counted twice.
test.skipIf(!otherAddress)('the share of an address', async () => {
  await start({ perAddress: 2, inAll: 100 });
  const from = (path: string) =>
    new Promise<string | undefined>((resolve, reject) => {
      const socket = connectTls({
        socket: connect({ host: '127.0.0.1', port: listener.port, localAddress: otherAddress }),
        rejectUnauthorized: false,
      });
      owned.defer(() => void socket.destroy());
      socket.on('error', reject).on('close', () => resolve(undefined));
      socket.once('data', (piece) => resolve(String(piece).split('\r\n')[0]));
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    });
  const ok = 'HTTP/1.1 200 OK';
  for (let each = 0; each < 5; each += 1) expect(await from('/proven')).toBe(ok);
  expect([await from('/'), await from('/')]).toEqual([ok, ok]);
  await expect(from('/')).rejects.toThrow();
});

// Guarantee: a renewed certificate is used without a restart, and open connections stay open.
test('renewal', async () => {
  await start();
  const open = await handshake();
  expect(open.getPeerCertificate().fingerprint256).toBe(first.fingerprint);
  const second = selfSigned();
  await write(second);
  await eventually(async () => {
    expect(await shownFingerprint()).toBe(second.fingerprint);
  });
  const answer = text(open);
  open.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  expect(await answer).toContain('200 OK');
});

// Guarantee: a pair that does not match is reported once and the current certificate stays; the message contains nothing of a key.
test('a renewal that went wrong', async () => {
  await start();
  const other = selfSigned();
  await write({ cert: other.cert, key: first.key });
  await eventually(() => expect(said.join('')).toContain('belongs to none of'));
  expect(await shownFingerprint()).toBe(first.fingerprint);
  await write({ cert: other.cert, key: other.key });
  await eventually(() => expect(said.join('')).toContain('renewed'));
  expect(said.filter((line) => line.includes('belongs to none of'))).toHaveLength(1);
  for (const line of first.key.split('\n')) if (line) expect(said.join('')).not.toContain(line);
});

// Guarantee: a file that is empty while it is rewritten leaves the previous certificate in use.
test('a renewal under way', async () => {
  await start();
  const second = selfSigned();
  await writeFile(files.certFile, '');
  await eventually(() => expect(said.join('')).toContain('cert.pem is empty'));
  expect(await shownFingerprint()).toBe(first.fingerprint);
  await write(second);
  await eventually(async () => expect(await shownFingerprint()).toBe(second.fingerprint));
});

// Guarantee: files that cannot be used end the start with one sentence.
test.each([
  ['no certificate', async () => writeFile(files.certFile, 'nonsense')],
  ['a key of another certificate', async () => writeFile(files.keyFile, selfSigned().key)],
  ['no file', async () => rm(files.keyFile)],
  ['an empty certificate', async () => writeFile(files.certFile, '')],
  ['an empty key', async () => writeFile(files.keyFile, '')],
])('%s', async (_what, spoil) => {
  await spoil();
  const started = start();
  await expect(started).rejects.toThrow(StartupError);
  await expect(started).rejects.toThrow(/TLS_(?:CERT|KEY)_FILE/);
});

// Guarantee: a client that connects and stays silent, or speaks no TLS after all, holds up neither others nor the shutdown.
test('silent and broken peers', async () => {
  await start();
  const silent = connect(listener.port, '127.0.0.1').on('error', () => undefined);
  const broken = connect(listener.port, '127.0.0.1').on('error', () => undefined);
  broken.write(Buffer.from([0x16, 0, 0, 0, 0, 0]));
  const early = connect(listener.port, '127.0.0.1');
  early.end();
  // A client knows that the handshake is complete before the server does.
  (await handshake()).destroy();
  expect(await ask({ secure: true })).toBe('0 true');
  await owned.disposeAsync();
  await Promise.all(
    [silent, broken, early].map((socket) => eventually(() => expect(socket.destroyed).toBe(true))),
  );
});

// Guarantee: the page about too many cookies leads to an address that answers as this one does.
test.each([true, false])('too many cookies over TLS: %s', async (isSecure) => {
  await start();
  const asked = (isSecure ? secureRequest : request)({
    host: '127.0.0.1',
    port: listener.port,
    agent: false,
    rejectUnauthorized: false,
    headers: { Accept: 'text/html', Host: 'localhost:3001', Cookie: `a=${'x'.repeat(70_000)}` },
  }).end();
  const [answer] = await once(asked, 'response');
  expect(await text(answer)).toContain(`href="${isSecure ? 'https' : 'http'}://127.0.0.1:3001/"`);
});
