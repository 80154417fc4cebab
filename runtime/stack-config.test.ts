import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reasonOf } from '#contracts/kernel/reasons.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { ConfigError } from './env.ts';
import { keyRecordName, recordKeys } from './key-record.ts';
import { outsideFaults } from './outside/outside.ts';
import { createRedactor } from './redact.ts';
import { Secret } from './secret.ts';
import { keyIdOf } from './secret-box.ts';
import { readStackConfig, stackEnvPath, stackSecrets } from './stack-config.ts';

const complete = {
  CONFIG_ENCRYPTION_KEY: '0'.repeat(64),
  DATABASE_URL: 'postgresql://castellan:p%40ssword-of-the-api@127.0.0.1:5440/castellan?connection_limit=20',
  LICENSE_SERVER_URL: 'https://portal.example',
  LICENSE_SERVER_PUBLIC_KEY: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  INSTANCE_ID: '68714f06-0087-4dbd-98d5-494814695c8d',
  INTERNAL_API_SECRET: 'internal-secret-of-the-bot',
  GAME_AGENT_SECRET: 'secret-of-the-game-agents',
};

const readWith = async (changes: Record<string, string | undefined>) => {
  await using home = await temporaryFolder('config');
  const lines = Object.entries({ ...complete, ...changes }).filter(([, value]) => value !== undefined);
  await writeFile(stackEnvPath(home.path), lines.map(([name, value]) => `${name}=${value}\n`).join(''));
  return await readStackConfig(home.path);
};

// Guarantee: every default of the interface document applies, and its required variables are enough.
test('the required variables make a whole configuration', async () => {
  const config = await readWith({});
  expect(config).toMatchObject({
    apiHosts: ['127.0.0.1'],
    apiPort: 3001,
    apiOrigin: 'http://127.0.0.1:3001',
    apiUrl: 'http://127.0.0.1:3001',
    auditLogRetentionDays: 365,
    eventLogRetentionDays: 90,
    licenseGracePeriodDays: 7,
    trustProxy: false,
    logLevel: 'info',
    discordBotToken: undefined,
  });
  expect(stackSecrets(config).map((secret) => secret.reveal())).toContain('p@ssword-of-the-api');
});

// Guarantee: older keys come from `.env` and from the key record, each once; the log's redaction knows them all. A malformed key is
// refused, and the record stays as it is.
test('older keys', async () => {
  await using home = await temporaryFolder('config');
  const [listed, recorded] = ['a'.repeat(64), 'b'.repeat(64)];
  const write = (changes: Record<string, string>) =>
    writeFile(
      stackEnvPath(home.path),
      Object.entries({ ...complete, ...changes })
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    );
  await write({ CONFIG_ENCRYPTION_KEY_PREVIOUS: listed });
  await recordKeys(
    home.path,
    [complete.CONFIG_ENCRYPTION_KEY, listed, recorded].map((key) => new Secret(key)),
  );
  const config = await readStackConfig(home.path);
  expect(config.previousKeys.map((key) => key.reveal())).toEqual([listed, recorded]);
  expect(config).toMatchObject({ recordedKeyIds: [keyIdOf(new Secret(recorded))], keyRecordFault: null });
  const known = stackSecrets(config).map((secret) => secret.reveal());
  expect(known).toEqual(expect.arrayContaining([listed, recorded]));
  const record = await readFile(join(home.path, keyRecordName), 'utf8');
  await write({ CONFIG_ENCRYPTION_KEY: 'c'.repeat(63) });
  await expect(readStackConfig(home.path)).rejects.toThrow('CONFIG_ENCRYPTION_KEY: must be 32 bytes');
  expect(await readFile(join(home.path, keyRecordName), 'utf8')).toBe(record);
});

// Guarantee: all faults are named together, and no value is shown.
test('all faults are named together, without their values', async () => {
  const failure = readWith({
    CONFIG_ENCRYPTION_KEY: 'too-short-a-key',
    CONFIG_ENCRYPTION_KEY_PREVIOUS: `${'a'.repeat(64)},nonsense`,
    DATABASE_URL: 'postgresql://postgres:hidden-password@127.0.0.1/castellan',
    EVENT_LOG_RETENTION_DAYS: '731',
    LICENSE_GRACE_PERIOD_DAYS: '-1',
    API_PORT: 'http',
    TRUST_PROXY: 'everybody',
    INSTANCE_ID: undefined,
    GAME_AGENT_SECRET: 'short',
  });
  const error = await failure.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ConfigError);
  const { faults, message } = error as ConfigError;
  expect(faults.map(({ variable }) => variable).sort()).toEqual([
    'API_PORT',
    'CONFIG_ENCRYPTION_KEY',
    'CONFIG_ENCRYPTION_KEY_PREVIOUS',
    'DATABASE_URL',
    'EVENT_LOG_RETENTION_DAYS',
    'GAME_AGENT_SECRET',
    'INSTANCE_ID',
    'LICENSE_GRACE_PERIOD_DAYS',
    'TRUST_PROXY',
  ]);
  for (const value of ['too-short-a-key', 'nonsense', 'hidden-password'])
    expect(message).not.toContain(value);
});

// Guarantee: a connection string that cannot work is refused at the start, not discovered later.
test.each([
  ['nonsense', /connection string/],
  ['mysql://a:b@127.0.0.1/c', /postgresql:/],
  ['postgresql://a:b@db.example/c', /127\.0\.0\.1/],
  ['postgresql://127.0.0.1/c', /role and a password/],
  ['postgresql://a:b@127.0.0.1/', /database/],
  ['postgresql://%70ostgres:b@127.0.0.1/c', /superuser/],
  ['postgresql://a:pa%ss@127.0.0.1/c', /percent sign/],
  ['postgresql://a%:b@127.0.0.1/c', /percent sign/],
  ['postgresql://a:b@127.0.0.1/%ff', /percent sign/],
  ['postgresql://a:b@127.0.0.1/c?connection_limit=0', /connection_limit/],
  ['postgresql://a:b@127.0.0.1/c?connection_limit=many', /connection_limit/],
  ['postgresql://a:b@127.0.0.1/c?host=db.example', /move it by host=/],
  ['postgresql://a:b@127.0.0.1/c?connection_limit=5&port=5433', /move it by port=/],
])('DATABASE_URL=%s is refused', async (url, words) => {
  await expect(readWith({ DATABASE_URL: url })).rejects.toThrow(words);
});

// Guarantee: a file that a person saved wrongly says what is wrong with it: its encoding, a mistyped name, a line that sets nothing;
// what was harmless stays so, and no value is shown.
test('a file that was saved wrongly', async () => {
  await using home = await temporaryFolder('config');
  const text = Object.entries(complete)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
  const read = async (content: string | Buffer) => {
    await writeFile(stackEnvPath(home.path), content);
    return readStackConfig(home.path).then(
      () => 'read',
      (error: Error) => error.message,
    );
  };
  expect(await read(Buffer.from(`${text}GUILD_ID=caf\xe9\n`, 'latin1'))).toMatch(
    /line \d+: is not saved as UTF-8/,
  );
  expect(await read(`\ufeff${text}`)).toBe('read');
  expect(await read(text.replace('LICENSE_SERVER_URL', 'LICENCE_SERVER_URL'))).toMatch(
    /LICENSE_SERVER_URL: is missing; is LICENCE_SERVER_URL meant to be it\?$/m,
  );
  const stray = 'DISCORD_BOT_TOKEN my-token\n# a comment\nNOTE="two\nlines"\n';
  expect(await read(text + stray)).toBe('read');
  const without = await read(text.replace('INSTANCE_ID=', 'INSTANCE_ID ') + stray);
  expect(without).toMatch(/INSTANCE_ID: is missing\n/);
  expect(without.match(/line \d+/g)).toEqual(['line 5', 'line 8']);
  expect(without).not.toContain('my-token');
});

// Guarantee: one connection is enough for everything.
test('connection_limit=1 is taken', async () => {
  const url = 'postgresql://a:b@127.0.0.1/c?connection_limit=1';
  expect((await readWith({ DATABASE_URL: url })).databaseUrl.reveal()).toBe(url);
});

// Guarantee: wherever the API listens, this machine itself reaches it on 127.0.0.1, and no address is used twice.
test.each([
  ['localhost', ['127.0.0.1']],
  ['::ffff:127.0.0.1', ['127.0.0.1']],
  ['0.0.0.0', ['0.0.0.0']],
  ['::', ['::']],
  ['0:0:0:0:0:0:0:0', ['::']],
  ['192.168.1.5', ['192.168.1.5', '127.0.0.1']],
  ['::1', ['::1', '127.0.0.1']],
])('an API on %s listens on %j', async (host, apiHosts) => {
  const origin = 'http://127.0.0.1:3001';
  expect(await readWith({ API_HOST: host })).toMatchObject({ apiHosts, apiOrigin: origin, apiUrl: origin });
});

// Guarantee: a proxy that cannot be used keeps nothing from starting: the line may be from before Castellan read it. It is named by what
// it is, without its password, and no log shows that, nor the one of a proxy that is used.
test.each(['LICENSE_PROXY', 'HTTPS_PROXY'])('the proxy in %s', async (name) => {
  for (const [url, words] of [
    ['http://me:hidden-word@proxy.example:80800', 'not the address of an HTTP proxy'],
    ['socks5://me:hidden-word@proxy.example', 'does not speak socks5 to a proxy'],
    ['SOCKS4A://me:hidden-word@proxy.example:1080', 'does not speak socks4a to a proxy'],
    ['http://me:hidden-word@', 'not the address of an HTTP proxy'],
    ['me:hidden-word@proxy.example/path', 'not the address of an HTTP proxy'],
  ] as const) {
    const config = await readWith({ [name]: url });
    expect([config.licenseProxy, config.outside.proxy]).toEqual([undefined, undefined]);
    const [fault = ''] = outsideFaults(config.outside);
    expect(fault).toMatch(new RegExp(`^${name} is not used: .*${words}`));
    expect(reasonOf(fault)).toMatchObject({ code: expect.stringMatching(/^proxy-un/) });
    expect(fault).not.toContain('hidden');
    expect(createRedactor(stackSecrets(config))(`${url} hidden-word`)).not.toContain('hidden');
  }
  for (const url of ['http://me:hidd%25en-word@proxy.example:8080', 'CORP\\me:hidd%en-word@proxy'])
    expect(stackSecrets(await readWith({ [name]: url })).map((secret) => secret.reveal())).toContain(
      'hidd%en-word',
    );
});
