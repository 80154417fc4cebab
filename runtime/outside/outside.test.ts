import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type LookupFunction } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { reasonOf } from '#contracts/kernel/reasons.ts';
import { openTestProxy, openTlsSite } from '#harness/outside-servers.ts';
import { freePort } from '#harness/ports.ts';
import { privateAuthority } from '#harness/private-authority.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '../log.ts';
import { Secret } from '../secret.ts';
import { machineProxyEnv, setFoundProxy } from '../system-env.ts';
import { createOutside, nothingSet, outside, setUpOutside } from './outside.ts';
import { explainOutside } from './outside-failure.ts';
import { type Asked, askOutside } from './testing/ask-outside.ts';

const company = privateAuthority('Example Corp TLS Inspection');
const day = 86_400_000;
const site = company.issue(['site.example', 'localhost', '127.0.0.1']);
const ok = { status: 200, body: '{"ok":true}' };

// Guarantee: authorities of the system's store and of TRUSTED_CA_FILE are trusted without any variable of Node's
// (electron/electron#48272, #11741).
test('who is trusted', async () => {
  await using folder = await temporaryFolder('outside');
  const other = privateAuthority('Antivirus Web Shield Root');
  const hosts = ['localhost'] as const;
  const between = other.delegate('Between CA');
  await using ofSystem = await openTlsSite(site);
  await using ofFile = await openTlsSite(between.issue(hosts), [between]);
  const paths = { system: join(folder.path, 'system.pem'), file: join(folder.path, 'root.cer') };
  await writeFile(paths.system, company.cert);
  await writeFile(paths.file, new X509Certificate(other.cert).raw);
  const asked = [ofSystem, ofFile].map(({ port }) => ({ url: `https://localhost:${port}/` }));
  expect(await askOutside({ asked, trustedCaFile: paths.file }, { SSL_CERT_FILE: paths.system })).toEqual([
    ok,
    ok,
  ]);
});

// Guarantee: a file that cannot be used is named in the log at the start, and keeps no program from starting.
test('a file that cannot be used', () => {
  const lines: string[] = [];
  const log = createLog({ component: 'api', destination: { write: (line) => void lines.push(line) } });
  onTestFinished(() => setUpOutside(nothingSet));
  setUpOutside({ ...nothingSet, trustedCaFile: '/nowhere/root.pem' }, log);
  expect(lines.join()).toContain('TRUSTED_CA_FILE is not used: /nowhere/root.pem does not exist.');
});

// Guarantee: settings that are read again replace the way outside, with what it knows of proxies, only if they or the computer's
// proxy have changed.
test('settings that are read again', () => {
  onTestFinished(() => {
    setFoundProxy({ proxy: '', noProxy: '' });
    setUpOutside(nothingSet);
  });
  const ways = [
    { proxy: new Secret('http://one.example:8080') },
    { proxy: new Secret('http://one.example:8080') },
    { proxy: new Secret('http://two.example:8080') },
    {},
    {},
  ].map((settings) => {
    setUpOutside({ ...nothingSet, ...settings });
    return outside();
  });
  setFoundProxy({ proxy: 'system.example:8080', noProxy: '' });
  setUpOutside(nothingSet);
  ways.push(outside());
  expect(ways.map((way) => ways.indexOf(way))).toEqual([0, 0, 2, 3, 3, 5]);
  expect(outside().proxy()).toMatchObject({ host: 'system.example' });
});

// Guarantee: a variable of the machine that names another kind of proxy hides neither that of the system's settings nor the way there.
test.each([
  ['socks5://one.example:1080', 'system.example:8080', 'system.example:8080', 'a.example,b.example'],
  ['socks5://one.example:1080', '', undefined, 'a.example'],
  ['http://one.example:8080', 'system.example:8080', 'http://one.example:8080', 'a.example'],
  ['', 'system.example:8080', 'system.example:8080', 'a.example,b.example'],
])('HTTPS_PROXY=%s beside %s in the system', (variable, found, proxy, noProxy) => {
  vi.stubEnv('https_proxy', variable);
  vi.stubEnv('HTTPS_PROXY', '');
  vi.stubEnv('NO_PROXY', 'a.example');
  setFoundProxy({ proxy: found, noProxy: found ? 'b.example' : '' });
  onTestFinished(() => {
    vi.unstubAllEnvs();
    setFoundProxy({ proxy: '', noProxy: '' });
  });
  expect(machineProxyEnv()).toEqual({ ...(proxy && { HTTPS_PROXY: proxy }), NO_PROXY: noProxy });
});

// Guarantee: each fault of a certificate has its code, and its sentence names what is wrong with it.
test('certificates', async () => {
  await using folder = await temporaryFolder('outside');
  await using stack = new AsyncDisposableStack();
  const trustedCaFile = join(folder.path, 'root.pem');
  await writeFile(trustedCaFile, company.cert);
  const hosts = ['localhost'] as const;
  const between = company.delegate('Between CA');
  const stranger = privateAuthority('Antivirus Web Shield Root');
  const past = { from: new Date('2024-01-03T12:00:00Z'), until: new Date('2024-02-03T12:00:00Z') };
  const future = { from: new Date(Date.now() + 2 * day), until: new Date(Date.now() + 9 * day) };
  const urlOf = async (...served: Parameters<typeof openTlsSite>) =>
    ({ url: `https://localhost:${stack.use(await openTlsSite(...served)).port}/` }) satisfies Asked;
  const cases = [
    [await urlOf(company.issue(hosts, past)), 'outside-expired', '2024-02-03'],
    [await urlOf(company.issue(hosts, future)), 'outside-not-yet-valid', 'Set the clock'],
    [await urlOf(company.issue(['login.hotel.example'])), 'outside-other-name', 'login.hotel.example'],
    [await urlOf(privateAuthority('my own', { hosts })), 'outside-self-signed', 'my own'],
    [await urlOf(stranger.issue(hosts), [stranger]), 'outside-intercepted', 'Antivirus Web Shield Root'],
    [
      await urlOf(between.issue(hosts, { issuerUrl: 'http://ca.example/between.cer' })),
      'outside-chain',
      'Between CA',
    ],
  ] as const;
  const answers = await askOutside({ trustedCaFile, asked: cases.map(([asked]) => asked) });
  expect(answers).toMatchObject(
    cases.map(([, code, words]) => ({ code, text: expect.stringContaining(words) })),
  );
});

const wanting = (...challenges: readonly string[]) =>
  `HTTP/1.1 407 Proxy Authentication Required\n${challenges.map((one) => `Proxy-Authenticate: ${one}\n`).join('')}Transfer-Encoding: chunked\n\n5\n<html\n0\n\n`;

const at = ({ port }: { readonly port: number }, who = 'me:p%40ss-word@') => `http://${who}127.0.0.1:${port}`;

// Guarantee: proxies as companies run them are used, with a Windows account and any password; the machine's own variable only as long
// as no setting says otherwise.
test('through a proxy', async () => {
  await using folder = await temporaryFolder('outside');
  await using stack = new AsyncDisposableStack();
  const trustedCaFile = join(folder.path, 'root.pem');
  await writeFile(trustedCaFile, company.cert);
  const server = stack.use(await openTlsSite(site));
  const basic = Buffer.from('CORP\\jdoe:p@ss-word/#1').toString('base64');
  const through = (head: string) =>
    /^CONNECT site\.example:443 HTTP\/1\.1\r\n/.test(head) ? server.port : 'HTTP/1.1 400 No\r\n\r\n';
  const signedIn = (head: string) =>
    head.includes(`: Basic ${basic}\r\n`) ? through(head) : wanting('Basic');
  const open = async (...given: Parameters<typeof openTestProxy>) => stack.use(await openTestProxy(...given));
  const plain = await open(through);
  const signIn = await open(signedIn);
  const v6 = await open(through, { address: '::1' });
  const local = `https://localhost:${server.port}/`;
  const url = 'https://site.example/';
  const asked = [
    { url, proxy: at(plain) },
    { url, proxy: `127.0.0.1:${plain.port}` },
    { url, proxy: `http://[::1]:${v6.port}/` },
    { url, proxy: at(signIn, 'CORP\\jdoe:p@ss-word/#1@') },
    { url, proxy: at(signIn, 'CORP%5Cjdoe:p%40ss-word%2F%231@') },
    { url, machineProxy: at(plain) },
    { url, machineProxy: 'http://127.0.0.1:1', proxy: at(plain) },
    { url: local, proxy: at(plain) },
    { url: local, machineProxy: 'socks5://127.0.0.1:1' },
    { url: `https://127.0.0.1:${server.port}/`, proxy: at(plain) },
  ];
  expect(await askOutside({ trustedCaFile, asked })).toEqual(asked.map(() => ok));
  expect(plain.heads.map((head) => head.split(' ', 2).join(' '))).toEqual(
    Array.from({ length: 4 }, () => 'CONNECT site.example:443'),
  );
});

/** What it is, its answer, the code, words of the sentence, and who signs in. */
const refusals: readonly (readonly [string, string, string, string?, string?])[] = [
  ['wants Basic or NTLM, and none is given', wanting('NTLM', 'Basic realm="a, b"'), 'proxy-sign-in', '', ''],
  ['does not take what is given', wanting('Basic realm="x"'), 'proxy-sign-in-refused'],
  ['says 407 and nothing else', wanting(), 'proxy-sign-in-refused'],
  [
    'wants a Windows sign-in',
    wanting('Negotiate', 'NTLM'),
    'proxy-sign-in-unsupported',
    'Negotiate, NTLM (407)',
  ],
  [
    'wants Digest',
    wanting('Digest realm="x", nonce="y, z", qop="auth"'),
    'proxy-sign-in-unsupported',
    'by Digest (407)',
  ],
  [
    'forbids, by HTTP/1.0',
    'HTTP/1.0 403 Forbidden\nContent-Type: text/html\n\n<html>blocked',
    'proxy-forbids',
    'HTTP 403',
  ],
  [
    'redirects to a page',
    'HTTP/1.1 302 Found\nLocation: http://login.example/\n\n',
    'proxy-forbids',
    'HTTP 302',
  ],
  [
    'answers a page with 200',
    'HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: 20\n\n<html>Sign in</html>',
    'proxy-page',
  ],
  ['answers a page that it does not name', 'HTTP/1.1 200 OK\n\n<!doctype html>', 'proxy-page'],
  ['answers 200, and then no TLS', 'HTTP/1.0 200 OK\nContent-Length: 0\n\nhello', 'outside-no-tls'],
  ['resets', 'reset', 'proxy-away', 'ECONNRESET'],
  ['is none', 'SSH-2.0-x\n\n', 'proxy-odd'],
];

// Guarantee: each way in which a proxy refuses has its code, and no answer holds the password.
test.each(refusals)('a proxy that %s', async (_what, answer = 'reset', code, words = '', who) => {
  await using proxy = await openTestProxy(() =>
    answer === 'reset' ? answer : answer.replaceAll('\n', '\r\n'),
  );
  const settings = { trustedCaFile: undefined, proxy: new Secret(at(proxy, who)), noProxy: '' };
  const way = createOutside(settings, {});
  const url = new URL('https://site.example/x');
  const error = await way.fetch(url, { redirect: 'error' }).catch((caught: unknown) => caught);
  expect(await explainOutside(error, url, { way })).toMatchObject({
    code,
    text: expect.stringContaining(words),
  });
  expect(inspect(error)).not.toMatch(/p(?:@|%40)ss-word/);
});

// Guarantee: a proxy that is not there is named; what the machine's environment names is tried, and then done without.
test.each([
  [{ proxy: 'http://me:p%40ss-word@127.0.0.1:1' }, 'proxy-away', 'ECONNREFUSED'],
  [{ proxy: 'http://no-such-proxy.invalid:8080' }, 'proxy-unknown', 'no-such-proxy.invalid:8080'],
  [{ machine: 'http://127.0.0.1:1' }, 'outside-name', 'site.invalid'],
])('no proxy: %j', async ({ proxy, machine }: { proxy?: string; machine?: string }, code, words) => {
  const settings = {
    trustedCaFile: undefined,
    proxy: proxy === undefined ? proxy : new Secret(proxy),
    noProxy: '',
  };
  const way = createOutside(settings, machine === undefined ? {} : { HTTPS_PROXY: machine });
  const url = new URL('https://site.invalid/x');
  const error = await way.fetch(url, { redirect: 'error' }).catch((caught: unknown) => caught);
  expect(await explainOutside(error, url, { way })).toMatchObject({
    code: expect.stringContaining(code),
    text: expect.stringContaining(words),
  });
});

// Guarantee: one that no one set and that is not there is not waited for by each connection; one that refuses a single address is
// asked for the next.
test('what the machine’s environment names is passed by', async () => {
  const attempt = (way: ReturnType<typeof createOutside>) =>
    way.fetch(new URL('https://site.invalid/x'), { redirect: 'error' }).catch(() => undefined);
  const port = await freePort();
  const away = createOutside(nothingSet, { HTTPS_PROXY: `http://127.0.0.1:${port}` });
  await attempt(away);
  let count = 0;
  await using server = createServer((socket) => {
    count += 1;
    socket.destroy();
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  await attempt(away);
  expect(count).toBe(0);

  await using refusing = await openTestProxy(() => 'reset');
  const there = createOutside(nothingSet, { HTTPS_PROXY: `http://127.0.0.1:${refusing.port}` });
  await attempt(there);
  await attempt(there);
  expect(refusing.heads).toHaveLength(2);
});

const thrown = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) });

// Guarantee: what clients throw has the code of what it means, whichever client it is.
test.each([
  [thrown('ENOTFOUND'), /^outside-(?:name-unknown|offline)$/],
  [thrown('EAI_AGAIN'), /^outside-(?:name-silent|offline)$/],
  [thrown('ECONNREFUSED'), /^outside-refused$/],
  [thrown('UND_ERR_CONNECT_TIMEOUT'), /^outside-timeout$/],
  [thrown('ETIMEDOUT'), /^outside-timeout$/],
  [new DOMException('x', 'TimeoutError'), /^outside-timeout$/],
  [thrown('EHOSTUNREACH'), /^outside-(?:no-route|offline)$/],
  [
    new TypeError('x', {
      cause: new AggregateError([Object.assign(new Error('x'), { code: 'ENETUNREACH' })]),
    }),
    /^outside-(?:no-route|offline)$/,
  ],
  [thrown('ECONNRESET'), /^outside-reset$/],
  [thrown('UND_ERR_SOCKET'), /^outside-reset$/],
  [thrown('ERR_SSL_WRONG_VERSION_NUMBER'), /^outside-no-tls$/],
  [thrown('CERT_REVOKED'), /^outside-certificate$/],
  [new Error('net::ERR_INTERNET_DISCONNECTED'), /^outside-offline$/],
  [new Error('net::ERR_NAME_NOT_RESOLVED'), /^outside-(?:name-unknown|offline)$/],
  [new Error('net::ERR_CONNECTION_TIMED_OUT'), /^outside-timeout$/],
  [new Error('net::ERR_TUNNEL_CONNECTION_FAILED'), /^proxy-forbids$/],
  ['what', /^outside-broken$/],
])('%s', async (error, code) => {
  const { code: found, text } = await explainOutside(error, new URL('https://127.0.0.1:1/'));
  expect(found).toMatch(code);
  expect(reasonOf(text)?.code).toBe(found);
});

// Guarantee: where an optional proxy was passed over, the certificate that is named is the one that was met without it.
test('whose certificate is named', async () => {
  const antivirus = privateAuthority('Antivirus Web Shield Root');
  await using server = await openTlsSite(company.issue(['site.example']), [company]);
  await using between = await openTlsSite(antivirus.issue(['site.example']), [antivirus]);
  await using proxy = await openTestProxy(() => between.port);
  const way = createOutside(nothingSet, { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` });
  const lookup: LookupFunction = (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);
  const url = new URL(`https://site.example:${server.port}/`);
  const error = Object.assign(new Error('x'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' });
  const named = async (isOfOptional: boolean) =>
    (await explainOutside(error, url, { way, lookup, isOfOptional })).text;
  expect(await named(false)).toContain('Example Corp TLS Inspection');
  expect(await named(true)).toContain('Antivirus Web Shield Root');
});
