import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ComponentStatus } from '#contracts/operations/stack.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { unzip } from '#harness/unzip.ts';
import { recordKeys } from '#runtime/key-record.ts';
import { Secret } from '#runtime/secret.ts';
import { ensureEnv } from '../first-start/ensure-env.ts';
import { type BundleOptions, makeBundle } from './make-bundle.ts';

let folder: TemporaryFolder;
let home: string;
let out: string;
beforeEach(async () => {
  folder = await temporaryFolder('diagnostics');
  home = join(folder.path, 'home');
  out = join(folder.path, 'bundle.zip');
  await mkdir(join(home, 'logs'), { recursive: true });
});
afterEach(() => folder[Symbol.asyncDispose]());

const make = (more: Partial<BundleOptions> = {}) =>
  makeBundle({
    addresses: null,
    out,
    home,
    program: { electron: '1.2.3' },
    stack: async () => null,
    crashFolder: null,
    ...more,
  });
const write = async (path: string, text: string) => {
  await mkdir(dirname(join(home, path)), { recursive: true });
  await writeFile(join(home, path), text);
};
const newEnv = () =>
  ensureEnv(home, { url: 'https://portal.example', publicKey: randomBytes(32).toString('base64url') });

const canaries = new Map<string, string>();
const plant = (
  name: string,
  make: () => string = () => `canary${randomBytes(18).toString('hex')}`,
): string => {
  const value = make();
  canaries.set(name, value);
  return value;
};
const base64url = (bytes: number) => randomBytes(bytes).toString('base64url');

/** Text with each secret in every form in which it could be in a log or a file. */
const everywhere = (): string =>
  [...canaries.values()]
    .flatMap((value) => [
      JSON.stringify({ level: 'error', msg: `password=${value}` }),
      JSON.stringify({ err: { message: JSON.stringify({ password: value }) } }),
      `LOG:  statement: alter role castellan password '${value}'`,
      `open 127.0.0.1:27020?ServerAdminPassword=${value}?listen`,
      `GET /?token=${encodeURIComponent(value)}&a=b`,
      `Authorization: Bearer ${value}`,
      `postgresql://castellan:${encodeURIComponent(value)}@127.0.0.1/x`,
      `API_KEY: "${value}"`,
    ])
    .join('\n');

// Guarantee: no secret of an installation leaves in a bundle, wherever it is and however it is spelled; nor does
// one of another installation that is known by its name or its shape.
test('canaries', { tags: 'python' }, async () => {
  canaries.clear();
  await newEnv();
  const env = await readFile(join(home, '.env'), 'utf8');
  for (const [, name = '', value = ''] of env.matchAll(/^(\w*(?:SECRET|KEY|URL|TOKEN)\w*)=(.+)$/gm))
    if (!name.startsWith('LICENSE_SERVER')) canaries.set(name, value);
  await writeFile(
    join(home, '.env'),
    [
      env,
      `DISCORD_BOT_TOKEN=${plant('Discord token', () => `${base64url(18)}.${base64url(4)}.${base64url(28)}`)}`,
      `CONFIG_ENCRYPTION_KEY_PREVIOUS=${randomBytes(32).toString('hex')},${plant('older key', () => randomBytes(32).toString('hex'))}`,
      `LICENSE_PROXY=http://who:${plant('proxy password', () => `p%23${base64url(12)}`)}@proxy.example:8080`,
      `HTTPS_PROXY=socks5://who:${plant('password of another kind of proxy')}@proxy.example:1080`,
      `SOME_OTHER_PROGRAM=${plant("another program's")}`,
      `# GAME_AGENT_SECRET=${plant('commented out')}`,
      `TLS_CERT_FILE=cert.pem\nTLS_KEY_FILE=key.pem`,
      '',
    ].join('\n'),
  );
  const pem = plant('a line of the TLS key', () => randomBytes(48).toString('base64'));
  await write('key.pem', `-----BEGIN PRIVATE KEY-----\n${pem}\n-----END PRIVATE KEY-----\n`);
  await write('postgres/superuser.password', `${plant('superuser')}\n`);
  await recordKeys(home, [new Secret(plant('replaced key', () => randomBytes(32).toString('hex')))]);
  await write('services/bot/service.env', `DISCORD_BOT_TOKEN='${plant('of a service')}'\n`);
  await write(
    'license.json',
    JSON.stringify({
      token: plant('license token', () => `eyJhbGciOiJFZERTQSJ9.${base64url(60)}.${base64url(60)}`),
    }),
  );
  await write(
    'supervisor.json',
    JSON.stringify({
      pid: 1,
      startedAt: new Date().toISOString(),
      heldBy: 'x',
      token: plant('control token'),
    }),
  );
  const link = plant('set-up link', () => `csu_${base64url(32)}`);
  await write('setup-link.txt', `http://127.0.0.1:3001/#/set-up?token=${link}\n`);
  // Registered nowhere here, but known by name or shape.
  plant('license key', () => 'CSTL-0000-ABCD-EFGH-1234');
  plant('console password');
  plant('session', () => `cse_${base64url(32)}`);
  const host = 'service-host/shawl_for_castellan-api_rCURRENT.log';
  for (const name of ['api.log', 'api.log.7', 'postgres.log', 'bot.log', 'supervisor.log', host])
    await write(
      `logs/${name}`,
      `${everywhere()}\n${[...canaries]
        .filter(([name]) => !['console password'].includes(name))
        .map(([, value]) => value)
        .join('\n')}\n`,
    );
  await write(`backups/${canaries.get('GAME_AGENT_SECRET')}.bak`, everywhere());
  const said = everywhere();
  const component: ComponentStatus = {
    name: 'api',
    state: 'failed',
    reason: said,
    pid: null,
    port: 1,
    since: '',
    restarts: 1,
    lastLines: [said],
  };
  const report = await make({
    stack: async () => ({
      state: 'failed',
      home,
      pid: 1,
      heldBy: said,
      apiUrl: said,
      components: [component],
    }),
  });

  const files = await unzip(out);
  expect(Object.keys(files)).toEqual(
    expect.arrayContaining(['README.txt', 'stack.json', 'logs/api.log.7', `logs/${host}`]),
  );
  const all = JSON.stringify(files) + JSON.stringify(report) + Object.keys(files).join('\n');
  const found = [...canaries].filter(([, value]) =>
    [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), decodeURIComponent(value)].some(
      (spelling) => all.includes(spelling),
    ),
  );
  expect(found.map(([name]) => name)).toEqual([]);
  expect(canaries.size).toBeGreaterThan(14);
  // What is no secret is still there.
  expect(files['settings.txt']).toMatch(/^DISCORD_BOT_TOKEN is set$/m);
  expect(files['settings.txt']).toMatch(/^LICENSE_SERVER_URL=https:\/\/portal.example$/m);
  expect(files['settings.txt']).toMatch(/^Other names in the file: 1$/m);
  expect(files['settings.txt']).toMatch(/^HTTPS_PROXY is not used: Castellan does not speak socks5/m);
  expect(files['logs/postgres.log']).toContain('alter role castellan');
});

// Guarantee: a bundle is made of whatever there is: an empty data folder, broken settings, files that cannot be read; it
// names what is missing, and why.
test('a broken installation', { tags: 'python' }, async () => {
  const secret = `canary${randomBytes(18).toString('hex')}`;
  await write('.env', `API_PORT=${secret}\n${secret}\nDATABASE_URL postgres://a:${secret}@b\n"`);
  await write('logs/api.log', 'a line\n');
  await mkdir(join(home, 'logs', 'bot.log'));
  await symlink('/etc/passwd', join(home, 'logs', 'postgres.log'));
  await write('logs/supervisor.log', 'closed\n');
  await chmod(join(home, 'logs', 'supervisor.log'), 0);
  const { missing } = await make({
    stack: () => Promise.reject(new Error('The stack runs under another account')),
    crashFolder: join(home, '.env'),
  });
  const names = missing.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'stack.json',
      'health.json',
      'license.json',
      'database.json',
      'crash-reports.json',
    ]),
  );
  const files = await unzip(out);
  expect(files['README.txt']).toContain('The stack runs under another account');
  expect(files['settings.txt']).toMatch(/^API_PORT is set, to something that it must not be$/m);
  expect(files['settings.txt']).toMatch(/^INTERNAL_API_SECRET – is missing$/m);
  expect(files['logs/api.log']).toBe('a line\n');
  expect(Object.keys(files)).not.toContain('logs/postgres.log');
  expect(files['files.txt']).toMatch(/^logs\/postgres.log {2}11 bytes, .*, a link$/m);
  expect(JSON.stringify(files)).not.toContain(secret);
  // Root reads what others may not.
  if (process.getuid?.() !== 0) expect(names).toContain('logs/supervisor.log');
});

// Guarantee: an empty data folder, and one that is not there, still tell about the machine.
test('no installation', { tags: 'python' }, async () => {
  const steps: string[] = [];
  await make({
    home: join(folder.path, 'nowhere'),
    onProgress: ({ done, all }) => steps.push(`${done}/${all}`),
  });
  const files = await unzip(out);
  expect(JSON.parse(files['versions.json'] ?? '')).toMatchObject({
    electron: '1.2.3',
    node: process.versions.node,
  });
  expect(JSON.parse(files['ports.json'] ?? '')).toMatchObject({ api: { port: 3001 } });
  const all = steps.length;
  expect(steps).toEqual(Array.from({ length: all }, (_, index) => `${index + 1}/${all}`));
});

// Guarantee: however much was logged, a bundle stays small, has the newest lines, and no line is torn, since half of a
// secret would not be recognized.
test('large logs', { tags: 'python' }, async () => {
  const lines = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${name} ${index} ${'ä'.repeat(40)}`)
      .join('\n')
      .concat('\n');
  await write('logs/api.log', lines('api', 2000));
  await write('logs/bot.log', lines('bot', 2000));
  await write('logs/postgres.log', 'x'.repeat(50_000));
  await write('logs/supervisor.log', `${'y'.repeat(10)}${'z'.repeat(300_000)}\nafter it\n`);
  await write('logs/not ours.log', 'a file of somebody');
  await truncate(join(home, 'logs', 'api.log.3'), 2 ** 31).catch(() => undefined);
  const { missing } = await make({ limits: { fileBytes: 30_000, allBytes: 75_000 } });
  const files = await unzip(out);
  expect(files['logs/api.log']).toMatch(/^api \d+ ä{40}\n[\s\S]*api 1999 ä{40}\n$/);
  expect(files['logs/api.log']?.length).toBeLessThan(30_000);
  expect(files['logs/postgres.log']?.length).toBe(30_000 - 8192);
  expect(files['logs/supervisor.log']).toBe('after it\n');
  const sizes = Object.entries(files).filter(([name]) => name.startsWith('logs/'));
  expect(sizes.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0)).toBeLessThanOrEqual(75_000);
  expect(missing.map(({ name }) => name)).toEqual(expect.arrayContaining(['logs/api.log', 'logs/bot.log']));
  expect(Object.keys(files).join()).not.toContain('not ours');
});

// Guarantee: where a bundle cannot be written, people read why, the file there is unchanged, and no half of it is left.
test('no room, no folder', { tags: 'python' }, async () => {
  await write('logs/api.log', randomBytes(40_000).toString('hex'));
  await expect(make({ out: join(folder.path, 'nowhere', 'bundle.zip') })).rejects.toThrow(
    /cannot be written/,
  );
  await writeFile(out, 'an earlier one');
  await mkdir(join(folder.path, 'taken'));
  await writeFile(join(folder.path, 'taken', 'file'), '');
  await expect(make({ out: join(folder.path, 'taken') })).rejects.toThrow(/cannot be written/);
  expect(await readFile(out, 'utf8')).toBe('an earlier one');
  await make();
  expect(Object.keys(await unzip(out))).toContain('logs/api.log');
  expect((await readdir(folder.path)).sort()).toEqual(['bundle.zip', 'home', 'taken']);
});

// Guarantee: a bundle that fails for whatever reason ends, says why, and leaves nothing behind.
test('a fault in the middle', async () => {
  const onProgress = () => {
    throw new Error('the window is gone');
  };
  await expect(make({ onProgress })).rejects.toThrow('the window is gone');
  expect(await readdir(folder.path)).toEqual(['home']);
});
