import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  duplicateFiles,
  filesIn,
  indiscreetFiles,
  readFuses,
  shippedFuses,
  unwantedFiles,
} from '#harness/desktop-package.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { openScreen } from '#harness/screen.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { packageDesktop } from '../../build/package/desktop.ts';
import { makeInstaller } from '../../build/package/installer.ts';
import { openWindowsLab, type WindowsLab, type WindowsRun } from './lab.ts';
import { testOnWindows } from './test-on-windows.ts';

const patienceMs = 120_000;
const uninstallKey = 'Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\Castellan';
const runKey = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run';
const exitCodes = { done: 0, newer: 4, folder: 6 } as const;

interface Machine {
  readonly lab: WindowsLab;
  /** A path on drive C:, as this machine names it. */
  at(...names: readonly string[]): string;
  /** Builds an installer of these files, as it ships but uncompressed. */
  make(appFolder: string, version: string): Promise<void>;
  setUp(version: string, ...args: readonly string[]): Promise<WindowsRun>;
  /** Waits until the folder is gone: the uninstaller continues after its own process, from a copy. */
  uninstall(folder: string, ...args: readonly string[]): Promise<void>;
}

const machineOf = (lab: WindowsLab): Machine => {
  const at = (...names: readonly string[]) => join(lab.drive, ...names);
  return {
    lab,
    at,
    make: (appFolder, version) =>
      makeInstaller({ appFolder, file: at(`setup-${version}.exe`), version, isPacked: false }),
    setUp: (version, ...args) => lab.run(`C:\\setup-${version}.exe`, ['/S', ...args]),
    async uninstall(folder, ...args) {
      await lab.run(`C:\\Program Files\\${folder}\\uninstall.exe`, ['/S', ...args]);
      await eventually(() => expect(existsSync(at('Program Files', folder))).toBe(false), patienceMs);
    },
  };
};

/** The parts of a package that the installer itself needs. */
const smallPackage = async (folder: TemporaryFolder, mark: string): Promise<string> => {
  const path = join(folder.path, mark);
  const programs = join(path, 'resources', 'programs');
  await mkdir(programs, { recursive: true });
  await writeFile(join(path, 'Castellan.exe'), mark);
  await writeFile(join(programs, 'castellan.mjs'), mark);
  await writeFile(join(programs, `only-${mark}.mjs`), mark);
  return path;
};

// Guarantee: no matter what an earlier setup left behind, the result is one complete version without files of another one;
// a newer version and other people's folders stay untouched; data is deleted only on request.
testOnWindows('installed, renewed, mended, removed', ['nsis'], async () => {
  await using packages = await temporaryFolder('installer');
  await using lab = await openWindowsLab();
  const machine = machineOf(lab);
  const { at, setUp } = machine;
  for (const version of ['1.9.0', '1.10.0'])
    await machine.make(await smallPackage(packages, version), version);
  // NSIS takes the rest of its command line literally as the folder.
  const name = 'Castellan ü Ж 城';
  const to = `/D=C:\\Program Files\\${name}`.split(' ');
  const inside = (...names: readonly string[]) => at('Program Files', name, ...names);
  const installed = () => readFile(inside('Castellan.exe'), 'utf8');
  const reason = ['query', 'HKLM\\Software\\Castellan\\Setup', '/v', 'LastFailure', '/reg:64'];

  // Windows Server 2019 gives Postgres its own path in the machine's code page.
  const version = 'HKLM\\Software\\Microsoft\\Windows NT\\CurrentVersion';
  const build = (number: string) =>
    lab.run('reg.exe', ['add', version, '/v', 'CurrentBuildNumber', '/d', number, '/f', '/reg:64']);
  await build('17763');
  expect(await setUp('1.9.0', ...to)).toMatchObject({ code: exitCodes.folder });
  expect((await lab.run('reg.exe', reason)).out).toContain('letters other than a to z');
  await build('19045');

  await mkdir(at('Program Files', 'Games'));
  await writeFile(at('Program Files', 'Games', 'of-somebody.txt'), '');
  expect(await setUp('1.9.0', ...'/D=C:\\Program Files\\Games'.split(' '))).toMatchObject({
    code: exitCodes.folder,
  });
  expect(existsSync(at('Program Files', 'Games', 'of-somebody.txt'))).toBe(true);

  expect(await setUp('1.9.0', ...to)).toMatchObject({ code: exitCodes.done });
  expect(await installed()).toBe('1.9.0');
  expect(existsSync(at('ProgramData/Microsoft/Windows/Start Menu/Programs/Castellan.lnk'))).toBe(true);
  const registered = ['query', `HKLM\\${uninstallKey}`, '/v', 'DisplayVersion', '/reg:64'];
  expect((await lab.run('reg.exe', registered)).out).toContain('1.9.0');

  // Upgraded in place, with numeric comparison: 1.10 is newer than 1.9.
  expect(await setUp('1.10.0', '--updated')).toMatchObject({ code: exitCodes.done });
  expect(await installed()).toBe('1.10.0');
  expect(existsSync(inside('resources', 'programs', 'only-1.9.0.mjs'))).toBe(false);
  const replaced = (version: string) =>
    lab.run('reg.exe', [
      ...['query', 'HKLM\\Software\\Castellan\\Setup', '/v', `Before-${version}`, '/reg:64'],
    ]);
  expect((await replaced('1.10.0')).out).toMatch(/^\s*Before-1\.10\.0\s+REG_SZ\s+1\.9\.0\s*$/m);
  // A new installation, and later a repair, replaces nothing.
  expect((await replaced('1.9.0')).code).not.toBe(0);
  expect(await setUp('1.9.0', '--updated')).toMatchObject({ code: exitCodes.newer });
  expect((await lab.run('reg.exe', reason)).out).toContain(
    '1.9.0: A newer version of Castellan is installed.',
  );
  expect(await setUp('1.10.0', ...'/D=C:\\Program Files\\Elsewhere'.split(' '))).toMatchObject({
    code: exitCodes.folder,
  });
  expect(await installed()).toBe('1.10.0');

  // Killed between its two renames, with half of the next version unpacked.
  await rename(inside(), `${inside()}.old`);
  await mkdir(`${inside()}.new`);
  await writeFile(join(`${inside()}.new`, 'half.txt'), '');
  expect(await setUp('1.9.0', '--updated', '/ALLOW-DOWNGRADE')).toMatchObject({ code: exitCodes.done });
  expect(await installed()).toBe('1.9.0');
  // Killed while it removed the old version.
  await cp(inside(), `${inside()}.old`, { recursive: true });
  expect(await setUp('1.10.0')).toMatchObject({ code: exitCodes.done });
  expect(await installed()).toBe('1.10.0');
  // Killed in the middle of an uninstallation.
  for (const gone of ['uninstall.exe', 'resources']) await rm(inside(gone), { recursive: true });
  expect(await setUp('1.10.0')).toMatchObject({ code: exitCodes.done });
  expect(existsSync(inside('uninstall.exe'))).toBe(true);
  expect(existsSync(inside('resources', 'programs', 'only-1.10.0.mjs'))).toBe(true);
  for (const rest of ['.old', '.new']) expect(existsSync(`${inside()}${rest}`)).toBe(false);
  expect(existsSync(inside('half.txt'))).toBe(false);

  await mkdir(at('ProgramData', 'Castellan'));
  await writeFile(at('ProgramData', 'Castellan', '.env'), 'A=1\n');
  const entry = (value: string, program: string) =>
    lab.run('reg.exe', ['add', runKey, '/v', value, '/d', program, '/f']);
  await entry('app.castellan.desktop', `"C:\\Program Files\\${name}\\Castellan.exe" --hidden`);
  await entry('of-somebody', 'C:\\windows\\notepad.exe');
  await machine.uninstall(name);
  expect(await readFile(at('ProgramData', 'Castellan', '.env'), 'utf8')).toBe('A=1\n');
  const autostart = (await lab.run('reg.exe', ['query', runKey])).out;
  expect(autostart).toContain('of-somebody');
  expect(autostart).not.toContain('app.castellan.desktop');
  expect((await lab.run('reg.exe', registered)).code).not.toBe(0);

  expect(await setUp('1.10.0')).toMatchObject({ code: exitCodes.done });
  await machine.uninstall('Castellan', '/DELETE-DATA');
  await eventually(() => expect(existsSync(at('ProgramData', 'Castellan'))).toBe(false), patienceMs);

  // Outside of Program Files, where anyone may put something next to its folder.
  await mkdir(at('Jogos ü', 'Castellan.new'), { recursive: true });
  await writeFile(at('Jogos ü', 'Castellan.new', 'version.dll'), '');
  const outside = '/D=C:\\Jogos ü\\Castellan'.split(' ');
  // The uninstaller has not finished removing files, and setup does not wait for it.
  await eventually(
    async () => expect(await setUp('1.10.0', ...outside)).toMatchObject({ code: exitCodes.done }),
    patienceMs,
  );
  expect(await readdir(at('Jogos ü'))).toEqual(['Castellan']);
  expect((await readdir(at('Jogos ü', 'Castellan'))).toSorted()).toEqual([
    'Castellan.exe',
    'resources',
    'uninstall.exe',
  ]);
});

// Guarantee: an upgrade ends the desktop cleanly, stops the services of the installation and restarts only those that
// ran; an uninstallation removes the services and leaves the data folder.
testOnWindows('over what runs', ['nsis', 'screen'], async () => {
  await using packages = await temporaryFolder('installer');
  await using screen = await openScreen();
  await using lab = await openWindowsLab({ screen });
  const machine = machineOf(lab);
  const { at, setUp } = machine;
  const app = join(packages.path, 'app');
  await packageDesktop({ folder: app, system: 'win', say: () => undefined });
  expect(await indiscreetFiles(app)).toEqual([]);
  expect(unwantedFiles(await filesIn(app))).toEqual([]);
  expect(await duplicateFiles(app)).toEqual([]);
  expect(await readFile(join(app, 'Castellan.exe'), 'latin1')).toContain('longPathAware');
  expect(await readFuses(join(app, 'Castellan.exe'))).toEqual(shippedFuses);
  await machine.make(app, '1.0.0');
  // The services need nothing from Electron, and without it the installer has half the size.
  for (const name of await readdir(app))
    if (name !== 'resources') await rm(join(app, name), { recursive: true });
  await writeFile(join(app, 'Castellan.exe'), '');
  await machine.make(app, '1.1.0');
  const installed = (...names: readonly string[]) => at('Program Files', 'Castellan', ...names);

  expect(await setUp('1.0.0')).toMatchObject({ code: exitCodes.done });
  const port = await freePort();
  const desktop = lab.run('C:\\Program Files\\Castellan\\Castellan.exe', [
    '--disable-gpu',
    `--remote-debugging-port=${port}`,
  ]);
  await eventually(async () => {
    const pages = await (await fetch(`http://127.0.0.1:${port}/json`)).text();
    if (!pages.includes('castellan://panel')) throw new Error('no window');
  }, patienceMs);
  expect(await setUp('1.1.0', '--updated')).toMatchObject({ code: exitCodes.done });
  expect(await desktop).toMatchObject({ code: 0 });
  expect(existsSync(installed('resources.pak'))).toBe(false);

  const home = `C:\\ProgramData\\Castellan ü ${randomBytes(6).toString('hex')}`;
  const homeFolder = at(...home.split('\\').slice(1));
  await mkdir(homeFolder, { recursive: true });
  const database = `postgresql://castellan:${randomBytes(24).toString('hex')}@127.0.0.1:${await freePort()}/castellan`;
  const settings = {
    API_PORT: await freePort(),
    DATABASE_URL: database,
    // No one answers there: the services still run, unlicensed.
    LICENSE_SERVER_URL: 'http://127.0.0.1:9',
    LICENSE_SERVER_PUBLIC_KEY: randomBytes(32).toString('base64url'),
  };
  const lines = Object.entries(settings).map(([variable, value]) => `${variable}=${value}\n`);
  await writeFile(join(homeFolder, '.env'), lines.join(''));
  const programs = 'C:\\Program Files\\Castellan\\resources\\programs';
  const castellan = async (...args: readonly string[]): Promise<string> => {
    const all = [`${programs}\\castellan.mjs`, '--home', home, ...args];
    const { code, out, err } = await lab.run(`${programs}\\node.exe`, all);
    if (code !== 0) throw new Error(`exit code ${code}: ${err}${out}`);
    return out;
  };
  const states = async (): Promise<readonly string[]> => {
    const told = JSON.parse(await castellan('services', 'status', '--json'));
    return (told as { services: { state: string }[] }).services.map(({ state }) => state);
  };

  await castellan('services', 'install');
  expect(await states()).toEqual(['running', 'running', 'running']);
  const before = await lab.pids('service-host.exe', home);
  expect(before).toHaveLength(3);
  const left = installed('resources', 'left-by-an-older-version.txt');
  await writeFile(left, '');
  expect(await setUp('1.1.0', '--updated')).toMatchObject({ code: exitCodes.done });
  expect(existsSync(left)).toBe(false);
  expect(await states()).toEqual(['running', 'running', 'running']);
  expect((await lab.pids('service-host.exe', home)).filter((pid) => before.includes(pid))).toEqual([]);

  expect((await lab.run('sc.exe', ['stop', 'Castellan-Bot'])).code).toBe(0);
  await eventually(async () => expect(await states()).toEqual(['running', 'running', 'stopped']), patienceMs);
  expect(await setUp('1.1.0', '--updated')).toMatchObject({ code: exitCodes.done });
  await eventually(async () => expect(await states()).toEqual(['running', 'running', 'stopped']), patienceMs);

  await machine.uninstall('Castellan');
  for (const service of ['Castellan-Postgres', 'Castellan-API', 'Castellan-Bot'])
    expect((await lab.run('sc.exe', ['query', service])).code).toBe(1060 % 256);
  expect(await readFile(join(homeFolder, '.env'), 'utf8')).toContain(database);
  expect(existsSync(join(homeFolder, 'postgres', 'data', 'PG_VERSION'))).toBe(true);
});
