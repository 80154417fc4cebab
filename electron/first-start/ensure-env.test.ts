import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { smallDisk } from '#harness/small-disk.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { ConfigError } from '#runtime/env.ts';
import { readStackConfig, stackEnv, stackEnvPath } from '#runtime/stack-config.ts';
import { writeMark } from '../data-folder/move-marks.ts';
import { ensureEnv } from './ensure-env.ts';
import { renderEnv } from './env-template.ts';

const server = { url: 'https://portal.example', publicKey: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
let home: TemporaryFolder;
beforeEach(async () => {
  home = await temporaryFolder('home');
});
afterEach(() => home[Symbol.asyncDispose]());

const readFileOf = () => readFile(stackEnvPath(home.path), 'utf8');

// Guarantee: a first start leaves a complete, private, readable `.env` with its own secrets.
test('a first start writes a complete .env', async () => {
  await ensureEnv(home.path, server);
  const text = await readFileOf();
  for (const name of Object.keys(stackEnv.shape)) expect(text).toMatch(new RegExp(`^(# )?${name}=`, 'm'));
  expect((await stat(stackEnvPath(home.path))).mode & 0o777).toBe(0o600);
  expect(await readdir(home.path)).toEqual(['.env']);
  const config = await readStackConfig(home.path);
  expect(config).toMatchObject({ licenseServerUrl: server.url, auditLogRetentionDays: 365 });
  expect(config.databaseUrl.reveal()).toMatch(
    /^postgresql:\/\/castellan:[\w-]{43}@127\.0\.0\.1:\d+\/castellan\?connection_limit=20$/,
  );

  await using other = await temporaryFolder('home');
  await ensureEnv(other.path, server);
  const [here, there] = [parseEnv(text), parseEnv(await readFile(stackEnvPath(other.path), 'utf8'))];
  for (const name of [
    'CONFIG_ENCRYPTION_KEY',
    'GAME_AGENT_SECRET',
    'INTERNAL_API_SECRET',
    'INSTANCE_ID',
    'DATABASE_URL',
  ])
    expect(here[name]).not.toBe(there[name]);
});

// Guarantee: later starts keep the file unchanged, byte for byte.
test('a complete file is left alone', async () => {
  await ensureEnv(home.path, server);
  const text = await readFileOf();
  expect(await ensureEnv(home.path, server)).toEqual([]);
  expect(await readFileOf()).toBe(text);
});

// Guarantee: what is missing is added at the end; every line and comment that was there stays.
test('a shortened file is completed', async () => {
  const mine = '# my own words\nAPI_PORT=4001\nINSTANCE_ID=\nGUILD_ID="123456789012345678" # the guild';
  await writeFile(stackEnvPath(home.path), mine, { mode: 0o644 });
  const [said] = await ensureEnv(home.path, server);
  expect(said).toMatch(/added .*CONFIG_ENCRYPTION_KEY.*INSTANCE_ID/);
  expect((await readFileOf()).startsWith(`${mine}\n`)).toBe(true);
  expect((await stat(stackEnvPath(home.path))).mode & 0o777).toBe(0o640);
  expect(await readStackConfig(home.path)).toMatchObject({ apiPort: 4001, guildId: '123456789012345678' });
  expect(await ensureEnv(home.path, server)).toEqual([]);
});

// Guarantee: the key in the first line of a file that Notepad has saved is not replaced by a fresh one.
test('a byte order mark hides no key', async () => {
  const key = 'ab'.repeat(32);
  const mine = `\uFEFFCONFIG_ENCRYPTION_KEY=${key}\n`;
  await writeFile(stackEnvPath(home.path), mine, { mode: 0o600 });
  const [said] = await ensureEnv(home.path, server);
  expect(said).not.toContain('CONFIG_ENCRYPTION_KEY');
  expect((await readFileOf()).startsWith(mine)).toBe(true);
  expect((await readStackConfig(home.path)).configEncryptionKey.reveal()).toBe(key);
});

// Guarantee: a first start and a first activation at the same time leave one set of secrets, and say so once.
test.each([
  ['no file', null],
  ['a shortened file', '# mine\n'],
])('several at once, over %s', async (_case, mine) => {
  if (mine !== null) await writeFile(stackEnvPath(home.path), mine, { mode: 0o600 });
  const each = Array.from({ length: 6 }, async () => {
    const said = await ensureEnv(home.path, server);
    return { said, text: await readFileOf() };
  });
  const done = await Promise.all(each);
  expect(done.filter(({ said }) => said.length > 0)).toHaveLength(1);
  expect(new Set(done.map(({ text }) => text)).size).toBe(1);
  expect(await readdir(home.path)).toEqual(['.env']);
});

const lost = /CONFIG_ENCRYPTION_KEY: is missing.*put the old key back/;

// Guarantee: a mistyped line of a secret does not bring a fresh secret, which would lock out every agent.
test.each([
  ['GAME_AGENTS_SECRET=', /is GAME_AGENTS_SECRET meant to be it\?/],
  ['GAME_AGENT_SECRET ', /line \d+: is not NAME=value/],
])('a mistyped secret: %s', async (mistyped, words) => {
  await ensureEnv(home.path, server);
  const text = (await readFileOf()).replace(/^GAME_AGENT_SECRET=/m, mistyped);
  await writeFile(stackEnvPath(home.path), text);
  await expect(ensureEnv(home.path, server)).rejects.toThrow(words);
  expect(await readFileOf()).toBe(text);
});

// Guarantee: a setting that is missing only because its name or its line is mistyped is said, and the stack starts as before.
test('a mistyped setting', async () => {
  await ensureEnv(home.path, server);
  const text = `${await readFileOf()}DISCORD_BOT_TOKN=hunter22\nLICENSE_PROXY http://proxy:8080\nhello\n`;
  await writeFile(stackEnvPath(home.path), text);
  expect(await ensureEnv(home.path, server)).toEqual([
    expect.stringMatching(/DISCORD_BOT_TOKEN is missing; is DISCORD_BOT_TOKN meant to be it\?$/),
    expect.stringMatching(/line \d+ is not NAME=value$/),
  ]);
  expect(await readFileOf()).toBe(text);
});

// Guarantee: a complete file needs no room on the disk, since nothing is written.
test('a complete file on a full disk', { tags: 'mount' }, async () => {
  using disk = smallDisk(1);
  if (disk === null) throw new Error('no disk');
  await ensureEnv(disk.path, server);
  await disk.fill();
  expect(await ensureEnv(disk.path, server)).toEqual([]);
});

// Guarantee: the key of an existing database is never replaced by a fresh one, however it was lost, and what is wrong is said.
test.each([
  ['the line', 'API_PORT=4001\n', lost],
  ['its value', 'CONFIG_ENCRYPTION_KEY=\n', lost],
  ['its name', `CONFIG_ENCRYPTION_KYE=${'ab'.repeat(32)}\n`, /is missing; is CONFIG_ENCRYPTION_KYE meant/],
  [
    'its sign',
    `CONFIG_ENCRYPTION_KEY ${'ab'.repeat(32)}\n`,
    /put the old key back\n.*line 1: is not NAME=value/,
  ],
  ['the encoding', `\uFEFFAPI_PORT=4001\nCONFIG_ENCRYPTION_KEY=ä\uD800\n`, /line 3: is cut off/],
  [
    'its last value',
    `CONFIG_ENCRYPTION_KEY=${'ab'.repeat(32)}\nCONFIG_ENCRYPTION_KEY=\n`,
    /is set on line 1 and emptied again on line 2/,
  ],
  [
    'all below it',
    `CONFIG_ENCRYPTION_KEY=${'ab'.repeat(32)}\nGAME_AGENT_SECRET=0123456789abcdef0123`,
    /line 2: ends without a line break/,
  ],
  ['the file', null, lost],
])('a lost key of a database: %s', async (what, mine, words) => {
  await mkdir(join(home.path, 'postgres/data'), { recursive: true });
  await writeFile(join(home.path, 'postgres/data/PG_VERSION'), '18\n');
  // As PowerShell writes with `>`.
  if (mine !== null)
    await writeFile(stackEnvPath(home.path), mine, what === 'the encoding' ? 'utf16le' : 'utf8');
  const error = await ensureEnv(home.path, server).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as Error).message).toMatch(words);
  expect(await readdir(home.path)).toEqual(mine === null ? ['postgres'] : ['.env', 'postgres']);
});

// Guarantee: nothing starts over, with fresh secrets, in a folder that an installation was moved out of, or is being moved into.
test.each([
  ['moved', 'was moved to'],
  ['unfinished', 'unfinished copy'],
] as const)('a home with the mark %s', async (mark, words) => {
  await writeMark(home.path, mark, '/elsewhere');
  const before = await readdir(home.path);
  await expect(ensureEnv(home.path, server)).rejects.toThrow(words);
  expect(await readdir(home.path)).toEqual(before);
});

// Guarantee: a file that everyone can read is reported, though we must not change it.
test('an open file is noticed', async () => {
  await ensureEnv(home.path, server);
  await chmod(stackEnvPath(home.path), 0o644);
  expect(await ensureEnv(home.path, server)).toEqual([expect.stringContaining('chmod o-rwx')]);
});

// Guarantee: a `.env` that is a link elsewhere stays one.
test('a linked file is completed where it lies', async () => {
  const real = join(home.path, 'elsewhere.env');
  await writeFile(real, '');
  await symlink(real, stackEnvPath(home.path));
  await ensureEnv(home.path, server);
  expect(await readFile(real, 'utf8')).toContain('CONFIG_ENCRYPTION_KEY=');
  expect(await readFileOf()).toBe(await readFile(real, 'utf8'));
});

// Guarantee: wrong values are named together and the file is not touched, though it lacks others.
test('a wrong value leaves the file alone', async () => {
  const wrong = 'CONFIG_ENCRYPTION_KEY=abc\nEVENT_LOG_RETENTION_DAYS=6\n';
  await writeFile(stackEnvPath(home.path), wrong);
  const error = await ensureEnv(home.path, server).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as ConfigError).faults.map(({ variable }) => variable)).toEqual([
    'CONFIG_ENCRYPTION_KEY',
    'EVENT_LOG_RETENTION_DAYS',
  ]);
  expect(await readFileOf()).toBe(wrong);
});

// Guarantee: a first start finds free ports when the usual ones are taken, and says so; also where a person has written the
// first lines, such as those of the license server.
test.each([
  ['no file', null],
  ['first lines', `LICENSE_SERVER_URL=${server.url}\nLICENSE_SERVER_PUBLIC_KEY=${server.publicKey}\n`],
])('taken ports are avoided: %s', async (_case, mine) => {
  if (mine !== null) await writeFile(stackEnvPath(home.path), mine, { mode: 0o600 });
  const listenOn = (port: number) =>
    new Promise<Server>((resolve, reject) => {
      const server = createServer().once('error', reject);
      server.listen(port, '127.0.0.1', () => resolve(server));
    });
  // The port check itself holds them for a moment; another program may hold them for good, which serves as well.
  const servers = await Promise.all(
    [3001, 5440].map((port) => eventually(() => listenOn(port), 2000).catch(() => null)),
  );
  try {
    const said = (await ensureEnv(home.path, server)).join('\n');
    const config = await readStackConfig(home.path);
    expect(config.apiPort).not.toBe(3001);
    expect(new URL(config.databaseUrl.reveal()).port).not.toBe('5440');
    expect(said).toContain(`port 3001 is in use, so the API gets ${config.apiPort}`);
  } finally {
    for (const each of servers) each?.close();
  }
});

// Guarantee: a build without a portal says what is missing, and how to provide it.
test('a build that names no portal leaves the lines empty', async () => {
  await ensureEnv(home.path, null);
  await expect(readStackConfig(home.path)).rejects.toThrow(
    /LICENSE_SERVER_URL: is missing\n.*LICENSE_SERVER_PUBLIC_KEY: is missing/,
  );
});

// Guarantee: settings that Notepad saved under another name are not replaced by fresh ones.
test('a file with a second ending', async () => {
  await writeFile(`${stackEnvPath(home.path)}.txt`, 'API_PORT=4001\n');
  await expect(ensureEnv(home.path, server)).rejects.toThrow(/\.env\.txt, which .* Rename it to \.env\./);
  expect(await readdir(home.path)).toEqual(['.env.txt']);
});

// Guarantee: the documented example is what a first start writes.
test('.env.example is the template', async () => {
  const example = await readFile(resolve(import.meta.dirname, '../../.env.example'), 'utf8');
  expect(example).toBe(renderEnv({}));
});

// Guarantee: the secrets of a file that PowerShell wrote or continued are found, what is missing joins them in one encoding, and a
// file that leaves doubt stays as it is (motdotla/dotenv#445).
test.each([
  ['UTF-16', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
  [
    'UTF-16 below UTF-8',
    (text: string) => Buffer.concat([Buffer.from('# für mich\n'), Buffer.from(text, 'utf16le')]),
  ],
  ['ANSI comments', (text: string) => Buffer.from(`# f\xfcr mich\r\n${text}`, 'latin1')],
])('a file that is not UTF-8: %s', async (_what, encoded) => {
  const key = 'ab'.repeat(32);
  const bytes = encoded(`CONFIG_ENCRYPTION_KEY=${key}\r\nAPI_PORT=4001\r\n`);
  await writeFile(stackEnvPath(home.path), bytes, { mode: 0o600 });
  const [said] = await ensureEnv(home.path, server);
  expect(said).toMatch(/added (?!.*CONFIG_ENCRYPTION_KEY)/);
  expect((await readStackConfig(home.path)).configEncryptionKey.reveal()).toBe(key);
  expect(await ensureEnv(home.path, server)).toEqual([]);

  const doubtful = Buffer.concat([Buffer.from('API_PORT=4001'), Buffer.from(`INSTANCE_ID=\r\n`, 'utf16le')]);
  await writeFile(stackEnvPath(home.path), doubtful);
  await expect(ensureEnv(home.path, server)).rejects.toThrow('line 1: is saved in another encoding');
  expect(await readFile(stackEnvPath(home.path))).toEqual(doubtful);
});
