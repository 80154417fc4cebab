import { expect, test } from 'vitest';
import * as z from 'zod';
import { ConfigError, integerField, parseEnvText, portField, readEnv, trustProxyField } from './env.ts';
import { Secret, secretField } from './secret.ts';

const schema = z.object({
  KEY: secretField(z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits')),
  PORT: portField.default(3001),
  DAYS: integerField(7, 730).default(90),
  PROXY: trustProxyField.optional(),
});

const faultsOf = (values: Record<string, string>) => {
  try {
    readEnv(schema, values, 'test.env');
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map(({ variable }) => variable);
  }
};

// Guarantee: a person who fixes a configuration sees every fault at the same time, and no value in the message.
test('all faults are named together, without values', () => {
  expect(faultsOf({ KEY: 'hunter2-is-not-hex', PORT: '99999', DAYS: '6', PROXY: 'true' })).toEqual([
    'KEY',
    'PORT',
    'DAYS',
    'PROXY',
  ]);
  expect(() => readEnv(schema, { KEY: 'hunter2-is-not-hex' }, 'test.env')).toThrow(/test\.env/);
  expect(() => readEnv(schema, { KEY: 'hunter2-is-not-hex' }, 'test.env')).not.toThrow(/hunter2/);
  expect(() => readEnv(schema, {}, 'test.env')).toThrow(/KEY: is missing/);
});

// Guarantee: an empty value means "not set", as people write it in a file.
test('empty values take the default', () => {
  const key = 'ab'.repeat(32);
  const env = readEnv(schema, { KEY: key, PORT: '', DAYS: '730' }, 'test.env');
  expect(env).toMatchObject({ PORT: 3001, DAYS: 730 });
  expect(env.KEY.reveal()).toBe(key);
});

// Guarantee: no setting makes us trust an address that any client may write.
test('TRUST_PROXY takes hops, addresses and subnets, and never everybody', () => {
  const parse = (text: string) => trustProxyField.safeParse(text);
  expect(parse('1').data).toBe(1);
  expect(parse('loopback, 10.0.0.0/8,2001:db8::1').data).toEqual(['loopback', '10.0.0.0/8', '2001:db8::1']);
  expect(parse('10.1.2.3/32,fd00::/16,::ffff:10.0.0.0/104').success).toBe(true);
  for (const text of ['true', '*', 'all', '11', 'example.com', '']) expect(parse(text).success).toBe(false);
});

// Guarantee: a value that Express would choke on is refused with a reason, and so is a list that covers everyone.
test.each([
  '10.0.0.0/33',
  '10.0.0.0/0',
  '999.1.1.1',
  'f',
  '::1/129',
  'fe80::1%eth0',
  '10.0.0.0/8/8',
  '0.0.0.0/1,128.0.0.0/1',
  '::/0',
  '2000::/3',
  '::ffff:0.0.0.0/96',
  '::ffff:0:0/97',
  '0:0:0:0:0:ffff:8000:0/97',
])('TRUST_PROXY=%s is refused', (text) => {
  expect(faultsOf({ KEY: 'ab'.repeat(32), PROXY: text })).toEqual(['PROXY']);
});

// Guarantee: no variable is lost from a file that Notepad has saved.
test('a byte order mark', () => {
  expect(parseEnvText('\uFEFFKEY=first\nPORT=1\n')).toEqual({ KEY: 'first', PORT: '1' });
});

// Guarantee: printing a config by accident prints no secret.
test('a secret does not print', () => {
  const secret = new Secret('hunter2');
  expect(`${secret} ${JSON.stringify({ secret })} ${String(secret)}`).not.toContain('hunter2');
});
