import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createRedactor } from './redact.ts';
import { Secret } from './secret.ts';
import { proxySecretsIn, setFoundProxy } from './system-env.ts';

// Guarantee: a known secret never appears in a log line, however it was spelled there.
test('known secrets are cut out in every spelling', () => {
  const line = fc.tuple(fc.string(), fc.string({ minLength: 8, unit: 'binary' }), fc.string());
  fc.assert(
    fc.property(line, ([before, secret, after]) => {
      const redact = createRedactor([new Secret(secret)]);
      for (const text of [
        before + secret + after,
        JSON.stringify({ text: before + secret }),
        encodeURIComponent(secret),
      ])
        expect(redact(text)).toContain('[redacted]');
      expect(redact(`${before}${secret}${after}`)).not.toContain(secret);
    }),
  );
});

// Guarantee: no line, no matter who wrote it, blocks the process; time that grows with the square takes minutes here.
test.each(['a://b:', 'a.', 'eyJ-', 'eyJabcdefgh.'])('a long line of %s', { timeout: 10_000 }, (part) => {
  const line = part.repeat(1_000_000 / part.length);
  expect(createRedactor()(line).length).toBeGreaterThan(0);
});

// Guarantee: text in the shape of a secret is cut out even when it was not registered as one.
test('license keys, tokens and passwords in URLs are cut out by their shape', () => {
  const redact = createRedactor();
  const text =
    'CSTL-0000-ABCD-EFGH-1234 eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJ4In0.c2lnbmF0dXJl postgresql://castellan:s3cr3t%2F@127.0.0.1/x';
  const clean = redact(text);
  for (const part of ['ABCD', 'eyJpc3Mi', 'c2lnbmF0dXJl', 's3cr3t']) expect(clean).not.toContain(part);
  expect(clean).toContain('postgresql://castellan:[redacted]@127.0.0.1/x');
  const token = 'a-b_'.repeat(11).slice(0, 43);
  for (const prefix of ['cst_k3y1d', 'cse', 'cwt', 'csh', 'cus', 'ven', 'dev', 'pend', 'form'])
    expect(redact(`Bearer ${prefix}_${token};`)).toBe(`Bearer ${prefix}_[redacted];`);
  expect(redact('an ordinary line at 12:00:01')).toBe('an ordinary line at 12:00:01');
});

const proxyVariables = [
  ...['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'],
  ...['https_proxy', 'http_proxy', 'all_proxy', 'npm_config_https_proxy'],
];

// Guarantee: no program shows the password of a proxy that the machine's environment names, whichever programs it is meant for, in any
// form in which a library repeats it.
test.each(proxyVariables)('the password in %s', (name) => {
  vi.stubEnv(name, 'socks5://CORP\\jdoe:p%40ss-word!/#@proxy.example:1080');
  onTestFinished(() => void vi.unstubAllEnvs());
  const redact = createRedactor();
  const basic = Buffer.from('CORP\\jdoe:p@ss-word!/#').toString('base64');
  const forms = ['p%40ss-word!/#', 'p@ss-word!/#', 'p%40ss-word%21%2F%23', basic];
  for (const form of forms) expect(redact(`a line with ${form} in it`)).toBe('a line with [redacted] in it');
});

// Guarantee: the same of a proxy in the settings of Windows, and of one that another program is told of; one without a name stays.
test('the password of other proxies', () => {
  const windows = 'me:pass-word@proxy.example:8080';
  setFoundProxy({ proxy: windows, noProxy: '' });
  onTestFinished(() => setFoundProxy({ proxy: '', noProxy: '' }));
  expect(createRedactor()(`through ${windows}`)).toBe('through [redacted]');
  const variables = { OUTSIDE_PROXY: 'http://me:p@ss@proxy:8080', TRUST_PROXY: 'loopback', API_URL: 'x' };
  const redact = createRedactor(proxySecretsIn(variables));
  expect(redact('http://me:p@ss@proxy:8080 loopback')).toBe('[redacted] loopback');
  const plain = createRedactor(proxySecretsIn({ HTTPS_PROXY: 'http://proxy.example:8080' }));
  expect(plain('through http://proxy.example:8080')).toBe('through http://proxy.example:8080');
});

// Guarantee: a password in an address is cut out up to its end; what follows the host stays.
test.each([
  ['http://me:p@ss@proxy:80/x', 'http://me:[redacted]@proxy:80/x'],
  ['http://CORP\\jdoe:pw@proxy', 'http://CORP\\jdoe:[redacted]@proxy'],
  [
    'smtp://a:b@one:25 and https://c:d@two/e@f',
    'smtp://a:[redacted]@one:25 and https://c:[redacted]@two/e@f',
  ],
])('%s', (text, clean) => expect(createRedactor()(text)).toBe(clean));
