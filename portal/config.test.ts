import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { ConfigError } from '#runtime/env.ts';
import { readPortalConfig } from './config.ts';
import { settle } from './home/first-start.ts';

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder('portal-config');
});
afterEach(() => folder[Symbol.asyncDispose]());

const key = 'ab'.repeat(32);
const read = (variables: Record<string, string> = {}) =>
  readPortalConfig({ PORTAL_HOME: folder.path, ...variables });
const envFile = () => join(folder.path, '.env');

// Guarantee: all faults are named together, no value is shown, and the file is not changed.
test('wrong values are refused together', async () => {
  const text = 'PORTAL_PORT=70000\nTRUST_PROXY=*\nPORTAL_MASTER_KEY=secretsecret\nLOG_LEVEL=loud\n';
  await writeFile(envFile(), text);
  const error = await read({ PORTAL_DATABASE_URL: 'mysql://root:hunter22@db/x' }).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  expect(error.faults.map((fault: { variable: string }) => fault.variable).sort()).toEqual([
    'LOG_LEVEL',
    'PORTAL_DATABASE_URL',
    'PORTAL_MASTER_KEY',
    'PORTAL_PORT',
    'TRUST_PROXY',
  ]);
  expect(error.message).not.toMatch(/secretsecret|hunter22/);
  expect(await readFile(envFile(), 'utf8')).toBe(text);
});

// Guarantee: a portal on an external database never creates its own master key.
test('an external database needs its master key', async () => {
  const database = { PORTAL_DATABASE_URL: 'postgresql://portal:secret@db.example/portal' };
  await expect(read(database)).rejects.toThrow(/PORTAL_MASTER_KEY: is missing/);
  expect((await read({ ...database, PORTAL_MASTER_KEY: key })).masterKey?.reveal()).toBe(key);
});

// Guarantee: a line without "=" is named beside what it left missing.
test('a line that sets nothing', async () => {
  await writeFile(envFile(), `# keys\nPORTAL_MASTER_KEY ${key}\n`);
  const error = await read({ PORTAL_DATABASE_URL: 'postgresql://portal:secret@db.example/portal' }).catch(
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(ConfigError);
  expect(error.faults).toEqual([
    { variable: 'PORTAL_MASTER_KEY', message: 'is missing' },
    { variable: 'line 2', message: 'is not NAME=value' },
  ]);
  expect(error.message).not.toContain(key);
});

// Guarantee: a setting that is missing only because its name or its line is mistyped starts no portal without it, in the file and in
// the environment; other programs' variables and what sets nothing of ours are no faults.
test('a mistyped name', async () => {
  const faultsOf = async (text: string, variables = {}) => {
    await writeFile(envFile(), text);
    const error = await read(variables).catch((thrown) => thrown);
    return error instanceof ConfigError ? error.message.split('\n').slice(1) : [];
  };
  const meant = (name: string, typed: string) => [`  ${name}: is missing; is ${typed} meant to be it?`];
  const url = 'postgresql://portal:hunter22@db.example/portal';
  const mistyped = meant('PORTAL_DATABASE_URL', 'PORTAL_DATABSE_URL');
  expect(await faultsOf(`PORTAL_DATABSE_URL=${url}\n`)).toEqual(mistyped);
  expect(await faultsOf('', { PORTAL_DATABSE_URL: url })).toEqual(mistyped);
  expect(await faultsOf('smtp_url=smtp://localhost')).toEqual(meant('SMTP_URL', 'smtp_url'));
  expect(await faultsOf('PORTAL_SMTP_HSOT=localhost\n')).toEqual([
    '  PORTAL_SMTP_HSOT: is not known; check the spelling',
  ]);
  expect(await faultsOf(`LOG_LEVEL=warn\nPORTAL_DATABSE_URL ${url}\n`)).toEqual([
    '  line 2: is not NAME=value',
  ]);
  const others = `PORTAL_HOME=${folder.path}\nSMTP_HOST=localhost\nPORTAL_SMTP=\nhello\nPORTAL_PORT=1\nPORTAL_PROT=2\n`;
  expect(await faultsOf(others)).toEqual(['  PORTAL_PROT: is not known; check the spelling']);
  const kubernetes = { PORTAL_SERVICE_HOST: '10.0.0.1', PORTAL_PORT_3100_TCP: 'tcp://10.0.0.1:3100' };
  expect(await faultsOf(others.replace('PORTAL_PROT=2\n', ''), kubernetes)).toEqual([]);
  await writeFile(envFile(), `\ufeffPORTAL_DATABASE_URL=${url}\nPORTAL_MASTER_KEY=${key}\n`, 'utf16le');
  expect((await read()).databaseUrl?.reveal()).toBe(url);
});

// Guarantee: an address that cannot be decoded is a named fault, never a later failure, and is not shown.
test.each([
  'postgresql://portal:hunter%22%@db.example/portal',
  'postgresql://por%tal:hunter22@db.example/portal',
  'postgresql://portal:hunter%ff@db.example/portal',
  'postgresql://portal:hunter22@db.example/por%tal',
])('%s is refused', async (url) => {
  const error = await read({ PORTAL_DATABASE_URL: url, PORTAL_MASTER_KEY: key }).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  expect(error.message).toMatch(/PORTAL_DATABASE_URL: must write a percent sign/);
  expect(error.message).not.toContain('hunter');
});

// Guarantee: the environment wins over the file; an empty value counts as absent.
test('the environment wins', async () => {
  await writeFile(envFile(), 'PORTAL_PORT=4000\nPORTAL_HOST=::1\n');
  expect(await read({ PORTAL_PORT: '4001', PORTAL_HOST: '' })).toMatchObject({ port: 4001, host: '::1' });
});

// Guarantee: a first start completes the file and keeps its content, comments included; a later start changes nothing.
test('a first start writes what is missing', async () => {
  await writeFile(envFile(), '# ours\nLOG_LEVEL=warn # quiet\n#PORTAL_MASTER_KEY=old');
  const made = await settle(await read());
  const text = await readFile(envFile(), 'utf8');
  expect(text).toMatch(
    /^# ours\nLOG_LEVEL=warn # quiet\n#PORTAL_MASTER_KEY=old\nPORTAL_PORT=3100\nPORTAL_POSTGRES_PORT=\d+\nPORTAL_MASTER_KEY=[0-9a-f]{64}\n$/,
  );
  expect((await stat(envFile())).mode & 0o777).toBe(0o600);
  const again = await settle(await read());
  expect(again.masterKey.reveal()).toBe(made.masterKey.reveal());
  expect(await readFile(envFile(), 'utf8')).toBe(text);
});

// Guarantee: a file that PowerShell or Notepad's "ANSI" has written keeps what it says when a first start completes it.
test.each([
  ['utf16le', '\ufeffPORTAL_HOST=::1\r\n', 'utf8'],
  ['latin1', '# für uns\r\nPORTAL_HOST=::1', 'latin1'],
] as const)('a first start with a file in %s', async (written, text, readAs) => {
  await writeFile(envFile(), text, written);
  const made = await settle(await read());
  expect(await readFile(envFile(), readAs)).toContain(text.replace('\ufeff', ''));
  const again = await read();
  expect(again.host).toBe('::1');
  expect(again.masterKey?.reveal()).toBe(made.masterKey.reveal());
});

// Guarantee: previous master keys and the schedule of the signing keys are validated, and no key is shown.
test('keys and their rotation', async () => {
  const previous = { PORTAL_MASTER_KEY_PREVIOUS: `${'cd'.repeat(32)}, ${'ef'.repeat(32)}` };
  const config = await read({ ...previous, PORTAL_KEY_ROTATION_DAYS: '365' });
  expect(config.previousMasterKeys.map((one) => one.reveal())).toEqual(['cd'.repeat(32), 'ef'.repeat(32)]);
  expect(config.keyRotationDays).toBe(365);
  expect(await read()).toMatchObject({ previousMasterKeys: [], keyRotationDays: null });
  const error = await read({
    PORTAL_MASTER_KEY_PREVIOUS: `${key},secretsecret`,
    PORTAL_KEY_ROTATION_DAYS: '7',
  }).catch((thrown) => thrown);
  expect(error.faults).toHaveLength(2);
  expect(error.message).not.toMatch(/secretsecret|abab/);
});

// Guarantee: the settings for monitoring and restarts are validated, and the token is not shown.
test('metrics and draining', async () => {
  const token = 'a-token-of-thirty-two-characters';
  const config = await read({ PORTAL_METRICS_TOKEN: token, PORTAL_DRAIN_SECONDS: '15' });
  expect([config.metricsToken?.reveal(), config.drainSeconds]).toEqual([token, 15]);
  expect(await read()).toMatchObject({ metricsToken: null, drainSeconds: 0 });
  const error = await read({ PORTAL_METRICS_TOKEN: 'shortsecret', PORTAL_DRAIN_SECONDS: '31' }).catch(
    (thrown) => thrown,
  );
  expect(error.faults).toHaveLength(2);
  expect(error.message).not.toContain('shortsecret');
});

// Guarantee: a guessable token for the first account is refused, and the token is not shown.
test('the admin token', async () => {
  const token = 'a-token-of-thirty-two-characters';
  expect((await read({ PORTAL_ADMIN_TOKEN: token })).adminToken?.reveal()).toBe(token);
  expect(await read()).toMatchObject({ adminToken: null });
  const error = await read({ PORTAL_ADMIN_TOKEN: token.slice(1) }).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  expect(error.message).toMatch(/PORTAL_ADMIN_TOKEN: must have at least 32 characters/);
  expect(error.message).not.toContain(token.slice(1));
});
