import { chmodSync, existsSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import type { FirstRunFinish } from '#contracts/desktop/desktop-first-run.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { testIf } from '#harness/test-if.ts';
import { readDiscordHandover } from '#runtime/discord/discord-handover.ts';
import { readStackConfig } from '#runtime/stack-config.ts';
import { writeMark } from '../data-folder/move-marks.ts';
import { ensureEnv } from '../first-start/ensure-env.ts';
import type { LicenseServer } from '../first-start/license-server.ts';
import { openDesktopRecord } from './desktop-record.ts';
import { firstRunCalls, firstRunReason } from './first-run-calls.ts';

const licenseServer = {
  url: 'https://portal.example',
  publicKey: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};
const discord = { token: 'abc.def.ghi', clientId: '123456789012345678', guildId: '222222222222222222' };

const setUp = async (
  folder: string,
  named: LicenseServer | null = licenseServer,
  onStage: (stage: string) => void = () => undefined,
) => {
  await mkdir(join(folder, 'user'), { recursive: true });
  const record = await openDesktopRecord(join(folder, 'user'));
  const usualHome = join(folder, 'usual');
  const finished: string[] = [];
  const opened: (number | null)[] = [];
  const stages: string[] = [];
  const autostarts: boolean[] = [];
  const calls = firstRunCalls({
    record,
    usualHome,
    programsFolder: join(usualHome, 'programs'),
    node: process.execPath,
    licenseServer: named,
    discordApiUrl: undefined,
    variables: { OneDrive: join(folder, 'cloud') },
    firewall: {
      async change({ open }) {
        opened.push(open);
        return { outcome: 'refused', exitCode: 1223 };
      },
    },
    autostart: { set: async (on) => void autostarts.push(on) },
    onStage(stage) {
      stages.push(stage);
      onStage(stage);
    },
    askForFolder: async () => null,
    onFinished: (home) => finished.push(home),
  });
  const chosen: FirstRunFinish = {
    home: join(folder, 'Größe Ελλάδα', 'my home'),
    apiPort: 4001,
    postgresPort: 4002,
    isOpen: true,
    discord,
    portal: null,
    autostart: false,
  };
  return { record, usualHome, finished, opened, stages, autostarts, calls, chosen };
};

// Guarantee: what was chosen is in one complete `.env`, and the first run is over.
test('the choices are written at one stroke', async () => {
  await using folder = await temporaryFolder('first-run');
  const { record, usualHome, finished, opened, stages, autostarts, calls, chosen } = await setUp(folder.path);
  expect(firstRunReason(record, usualHome)).toBe('new');
  expect(await calls['firstRun.finish'](chosen)).toEqual({ outcome: 'done' });
  expect(finished).toEqual([chosen.home]);
  // A refusal is no reason to stop.
  expect(opened).toEqual([4001]);
  expect(stages).toEqual(['folder', 'settings', 'firewall', 'start']);
  // By default the program does not start with the computer.
  expect(autostarts).toEqual([]);
  const config = await readStackConfig(chosen.home);
  expect(config).toMatchObject({
    apiHosts: ['0.0.0.0'],
    apiPort: 4001,
    discordBotToken: undefined,
    licenseServerUrl: licenseServer.url,
  });
  // The API takes it into the database: the panel could not change what is in `.env`.
  expect(await readDiscordHandover(chosen.home, [config.configEncryptionKey])).toEqual(discord);
  expect(new URL(config.databaseUrl.reveal()).port).toBe('4002');
  expect(record.now()).toMatchObject({ home: chosen.home, firstRun: null, isOwnerLeft: true });
  expect(firstRunReason(record, usualHome)).toBeNull();
});

// Guarantee: an existing installation is used unchanged, whatever else was chosen.
test('an installation that is there', async () => {
  await using folder = await temporaryFolder('first-run');
  const { calls, chosen, autostarts } = await setUp(folder.path);
  await calls['firstRun.finish'](chosen);
  const before = await readStackConfig(chosen.home);
  await calls['firstRun.finish']({ ...chosen, apiPort: 5001, discord: null, autostart: true });
  expect(autostarts).toEqual([true]);
  const after = await readStackConfig(chosen.home);
  expect(after.apiPort).toBe(4001);
  expect(after.configEncryptionKey.reveal()).toBe(before.configEncryptionKey.reveal());
});

// Guarantee: in a folder that an installation was moved out of, another one is never begun by mistake.
test('a folder that leads elsewhere', async () => {
  await using folder = await temporaryFolder('first-run');
  const { calls, chosen, finished } = await setUp(folder.path);
  await mkdir(chosen.home, { recursive: true });
  await writeMark(chosen.home, 'moved', join(folder.path, 'on a drive that is away'));
  const detail = expect.stringContaining('on a drive that is away');
  expect(await calls['firstRun.finish'](chosen)).toEqual({ outcome: 'refused', detail });
  expect(existsSync(join(chosen.home, '.env'))).toBe(false);
  expect(finished).toEqual([]);
});

// Guarantee: a choice that cannot be kept is refused in words, and leaves no `.env`.
test('choices that cannot be kept', async () => {
  await using folder = await temporaryFolder('first-run');
  const { record, finished, calls, chosen } = await setUp(folder.path);
  expect(await calls['firstRun.finish']({ ...chosen, home: 'elsewhere' })).toMatchObject({
    outcome: 'refused',
  });
  const { home } = chosen;
  expect(await calls['firstRun.finish']({ ...chosen, apiPort: 70_000 })).toMatchObject({
    outcome: 'refused',
    detail: expect.stringContaining('API_PORT'),
  });
  expect(existsSync(join(home, '.env'))).toBe(false);
  expect(finished).toEqual([]);
  expect(record.now().home).toBeNull();
  expect(await readdir(folder.path)).not.toContain('usual');
});

// Guarantee: the next start finds what was chosen so far; a missing data folder does not count as a first start.
test('left and found again', async () => {
  await using folder = await temporaryFolder('first-run');
  const { record, usualHome, calls, chosen } = await setUp(folder.path);
  const state = await calls['firstRun.state'](undefined);
  if (!state) throw new Error('no first run');
  expect(state.draft).toMatchObject({ home: usualHome, portal: null, autostart: false });
  await calls['firstRun.keep']({ ...state.draft, apiPort: 4003, autostart: true });
  const again = await openDesktopRecord(join(folder.path, 'user'));
  expect(again.now().firstRun).toMatchObject({ apiPort: 4003, autostart: true });
  await record.change({ home: chosen.home, firstRun: null });
  expect(firstRunReason(record, usualHome)).toBe('gone');
  // Whatever other folder is looked at in between, the lost one is named.
  await calls['firstRun.keep']({ ...state.draft, home: usualHome });
  expect(await calls['firstRun.state'](undefined)).toMatchObject({ reason: 'gone', goneHome: chosen.home });
});

// Guarantee: the usual data folder is missed, too, when its drive is away; nothing is made in its place, and once back it is used.
test('the usual home is away', async () => {
  await using folder = await temporaryFolder('first-run');
  const { record, usualHome, calls, chosen } = await setUp(folder.path);
  const there = { ...chosen, home: usualHome };
  expect(await calls['firstRun.finish'](there)).toEqual({ outcome: 'done' });
  expect(record.now()).toMatchObject({ home: null, lastHome: usualHome });
  // Empty, as an unused mount point is.
  const away = join(folder.path, 'unplugged');
  await rename(usualHome, away);
  await mkdir(usualHome);
  expect(firstRunReason(record, usualHome)).toBe('gone');
  expect(await calls['firstRun.state'](undefined)).toMatchObject({ reason: 'gone', goneHome: usualHome });
  expect(await calls['firstRun.checkHome']({ home: `${usualHome}/` })).toMatchObject({ outcome: 'away' });
  expect(await calls['firstRun.finish'](there)).toMatchObject({ outcome: 'refused' });
  expect(await readdir(usualHome)).toEqual([]);
  await rmdir(usualHome);
  await rename(away, usualHome);
  expect(firstRunReason(record, usualHome)).toBeNull();
  // Another user's usual data folder was never in use.
  expect(firstRunReason(record, join(folder.path, 'another'))).toBe('new');
});

// Guarantee: a first data folder is refused, before anything is written, for whatever a move would be refused for; an
// installation that already exists is used wherever it is.
test('a folder that is kept in step with a cloud', async () => {
  await using folder = await temporaryFolder('first-run');
  const { calls, chosen, finished } = await setUp(folder.path);
  const home = join(folder.path, 'cloud', 'Castellan');
  expect(await calls['firstRun.checkHome']({ home })).toMatchObject({ outcome: 'synced' });
  expect(await calls['firstRun.finish']({ ...chosen, home })).toMatchObject({ outcome: 'refused' });
  expect(existsSync(join(folder.path, 'cloud'))).toBe(false);
  expect(finished).toEqual([]);
  await calls['firstRun.finish'](chosen);
  await mkdir(join(folder.path, 'cloud'));
  await rename(chosen.home, home);
  expect(await calls['firstRun.checkHome']({ home })).toEqual({ outcome: 'taken-up', namesPortal: true });
});

// Guarantee: without a portal in the build the chosen one is written, and nothing is set up without one.
test('a build that names no portal', async () => {
  await using folder = await temporaryFolder('first-run');
  const { calls, chosen, finished } = await setUp(folder.path, null);
  expect(await calls['firstRun.state'](undefined)).toMatchObject({
    hasPortal: false,
    hasDemoPortal: false,
    draft: { portal: null },
  });
  const { publicKey } = licenseServer;
  const connected = {
    kind: 'connected',
    url: 'Portal.example/ ',
    publicKey,
    isPlainConfirmed: false,
  } as const;
  const finish = (portal: FirstRunFinish['portal']) => calls['firstRun.finish']({ ...chosen, portal });
  expect(await finish(null)).toMatchObject({ outcome: 'refused' });
  const plain = { ...connected, url: 'http://portal.example' };
  expect(await finish(plain)).toMatchObject({ outcome: 'refused' });
  expect(existsSync(join(chosen.home, '.env'))).toBe(false);
  expect(finished).toEqual([]);
  expect(await finish(connected)).toEqual({ outcome: 'done' });
  expect(await readStackConfig(chosen.home)).toMatchObject({
    licenseServerUrl: 'https://portal.example',
    licenseServerPublicKey: publicKey,
  });
});

// Guarantee: settings that name no portal are no reason to fail, but to ask for one; everything else in them stays.
test('settings without a portal', async () => {
  await using folder = await temporaryFolder('first-run');
  const { record, usualHome, calls, chosen } = await setUp(folder.path, null);
  await mkdir(usualHome, { recursive: true });
  await ensureEnv(usualHome, null);
  expect(firstRunReason(record, usualHome)).toBe('no-portal');
  expect(await calls['firstRun.checkHome']({ home: usualHome })).toEqual({
    outcome: 'taken-up',
    namesPortal: false,
  });
  // A folder that was chosen is not missed because of that.
  await record.change({ home: usualHome });
  expect(await calls['firstRun.state'](undefined)).toMatchObject({
    reason: 'no-portal',
    goneHome: null,
    draft: { portal: null, home: usualHome },
  });
  const { publicKey } = licenseServer;
  const portal = {
    kind: 'connected',
    url: 'https://portal.example',
    publicKey,
    isPlainConfirmed: false,
  } as const;
  const before = parseEnv(await readFile(join(usualHome, '.env'), 'utf8'));
  expect(await calls['firstRun.finish']({ ...chosen, home: usualHome, portal })).toEqual({ outcome: 'done' });
  const { licenseServerUrl, configEncryptionKey } = await readStackConfig(usualHome);
  expect(licenseServerUrl).toBe('https://portal.example');
  expect(configEncryptionKey.reveal()).toBe(before.CONFIG_ENCRYPTION_KEY);
  expect(firstRunReason(record, usualHome)).toBeNull();
});

const isRoot = process.getuid?.() === 0;
/** Runs as an account that is not root: everything is open to that. */
const asNobody = async (work: () => Promise<void>) => {
  process.seteuid?.(65_534);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
};

// Guarantee: an installation of another account that this one may not open is neither new nor gone, whichever part is closed;
// nothing is asked and nothing is written, and it is named with whom to ask. microsoft/PowerToys#6654.
testIf(isRoot).each<[string, (home: string) => Promise<void>]>([
  ['its settings', (home) => chmod(join(home, '.env'), 0o600)],
  ['the folder', (home) => chmod(home, 0o700)],
  ['a folder above', (home) => chmod(join(home, '..'), 0o700)],
])('a second account of the machine: %s', async (_name, close) => {
  await using folder = await temporaryFolder('first-run');
  await chmod(folder.path, 0o755);
  const { calls, chosen, record, usualHome } = await setUp(folder.path);
  await calls['firstRun.finish']({ ...chosen, home: join(usualHome, 'home') });
  const home = join(usualHome, 'home');
  await chmod(usualHome, 0o755);
  await chmod(home, 0o755);
  await chmod(join(home, '.env'), 0o644);
  // The second account never saw it: its own record names nothing.
  await record.change({ home: null, lastHome: null });
  await close(home);
  await asNobody(async () => {
    expect(firstRunReason(record, home)).toBe('no-access');
    const detail = expect.stringContaining(`has no access to ${home}`);
    expect(await calls['firstRun.checkHome']({ home })).toEqual({ outcome: 'no-access', detail });
    expect(await calls['firstRun.finish']({ ...chosen, home })).toMatchObject({ outcome: 'refused', detail });
  });
  // For the account that uses it, as for root, nothing has changed.
  expect(firstRunReason(record, home)).toBeNull();
});

// Guarantee: a folder that is closed after it was checked is refused in words, and nothing of an installation is begun.
testIf(isRoot)('a folder that is closed between check and use', async () => {
  await using folder = await temporaryFolder('first-run');
  await chmod(folder.path, 0o755);
  const home = join(folder.path, 'mine');
  await mkdir(home);
  await chown(home, 65_534, 65_534);
  const { calls, chosen, finished, record } = await setUp(folder.path, licenseServer, (stage) => {
    if (stage === 'settings') chmodSync(home, 0);
  });
  await chown(join(folder.path, 'user'), 65_534, 65_534);
  await asNobody(async () => {
    const refusal = await calls['firstRun.finish']({ ...chosen, home });
    expect(refusal).toMatchObject({ outcome: 'refused', detail: expect.stringContaining(home) });
  });
  await chmod(home, 0o755);
  expect(finished).toEqual([]);
  expect(record.now()).toMatchObject({ home: null, lastHome: null });
  expect(existsSync(join(home, '.env'))).toBe(false);
});
