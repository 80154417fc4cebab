import { expect, test } from 'vitest';
import { createBundleRedactor } from './bundle-redactor.ts';

const { redact, redactLong } = createBundleRedactor(['a secret that we know']);

// Guarantee: an unregistered secret is recognized by the name before it, with blanks and quotes in it, too.
test.each([
  [`{"password":"two words \\" and a quote","a":1}`, `{"password":"[redacted]","a":1}`],
  [`"{\\"rconPassword\\":\\"two words\\"}"`, `"{\\"rconPassword\\":\\"[redacted]\\"}"`],
  [`{ password: 'two words', a: 1 }`, `{ password: '[redacted]', a: 1 }`],
  ['?ServerAdminPassword=hunter2?MaxPlayers=70', '?ServerAdminPassword=[redacted]?MaxPlayers=70'],
  ['--api-key=abc --port=1', '--api-key=[redacted] --port=1'],
  [`alter role x password 'it is'`, `alter role x password '[redacted]'`],
  ['authorization: Basic YTpi, next', 'authorization: [redacted]'],
  ['sent Bearer abcdefgh12345678 to', 'sent Bearer [redacted] to'],
  [`-----BEGIN RSA PRIVATE KEY-----\n${'ab+/\n'.repeat(20)} and no end`, '[redacted private key]'],
  [`opened with ${'0a'.repeat(32)}.`, 'opened with [redacted key].'],
  [`{"level":"info","msg":"${'aB+/'.repeat(16)}"}`, '{"level":"info","msg":"[redacted key]"}'],
  ['https_proxy=CORP\\jdoe:pw@proxy:80', 'https_proxy=[redacted]@proxy:80'],
  ['{"proxy":"me:p@w@proxy:80"}', '{"proxy":"[redacted]@proxy:80"}'],
  ['--db-password "hunter2" --port=1', '--db-password "[redacted]" --port=1'],
  [
    '<property name="TelnetPassword" value="hunter2"/>',
    '<property name="TelnetPassword" value="[redacted]"/>',
  ],
  [`csu_${'a'.repeat(42)}- next`, 'csu_[redacted] next'],
  [`%3Ftoken%3Dcst_abc_${'a'.repeat(43)}`, '%3Ftoken%3Dcst_abc_[redacted]'],
  [`of sha256:${'0123456789abcdef'.repeat(4)},`, 'of sha256:0123456789abcdef[redacted],'],
  [
    'DETAIL:  Failing row contains (1, maria, $argon2id$v=19, x).',
    'DETAIL:  Failing row contains ([redacted]',
  ],
  [
    '{"detail":"Key (name)=(two \\"words\\" (x)) already exists.","code":"23505"}',
    '{"detail":"Key (name)=([redacted]","code":"23505"}',
  ],
  ['https://discord.com/api/webhooks/123/abc-DEF', 'https://discord.com/api/webhooks/123/[redacted]'],
  ['-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----', '[redacted private key] PRIVATE KEY-----'],
])('%s', (text, clean) => expect(redact(text)).toBe(clean));

// Guarantee: what describes a trouble stays unchanged.
test.each([
  'the bot reconnected 3 times',
  'basic settings are wrong',
  '{"secrets":{"status":"ok"}}',
  'port 3001 is taken',
  'HTTPS_PROXY=http://proxy.example:8080',
  'password authentication failed for user "castellan"',
])('%s', (text) => expect(redact(text)).toBe(text));

// Guarantee: no one who can write into a log can use it to block the desktop, or to tear a secret in two.
test.each([
  'a',
  'password',
  'password"',
  'proxy=',
  '-----BEGIN PRIVATE KEY-----',
  '+',
  '--password ',
  'abc_',
  'Key (',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaa.',
  'x ',
])('5 MB of %s in one line', { timeout: 20_000 }, async (part) => {
  const line = part.repeat(5_000_000 / part.length);
  const known = 'a secret that we know'.repeat(10_000);
  const clean = await redactLong(`${line}\n${known}\nthe last line`);
  expect(clean).toMatch(/the last line$/);
  expect(clean).toContain('(cut)');
  expect(clean).not.toContain('secret');
});
