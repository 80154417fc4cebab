import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { build, Platform } from 'electron-builder';
import { agentProgramsFolder } from '#contracts/agent-downloads.ts';
import { product } from '#contracts/product.ts';
import { version } from '#runtime/version.ts';
import { bundlePrograms, programsFolder } from '../bundle.ts';
import { type ElectronSystem, electronRuntime } from '../electron-runtime.ts';
import { packAgentPrograms } from './agent-programs.ts';
import { layOutPrograms } from './programs.ts';

export interface DesktopPackageOptions {
  /** Absolute; replaced when it holds a package already. */
  readonly folder: string;
  readonly system: ElectronSystem;
  readonly say: (line: string) => void;
}

const root = resolve(import.meta.dirname, '../..');
const targets = { linux: Platform.LINUX, win: Platform.WINDOWS } as const;
/** Where electron-builder puts what it has unpacked. */
const unpacked = { linux: 'linux-unpacked', win: 'win-unpacked' } as const;
export const desktopExecutable = { linux: 'castellan', win: 'Castellan.exe' } as const;

const manifest = {
  name: product.name.toLowerCase(),
  productName: product.name,
  version,
  description: 'Control center for game-server communities',
  author: product.name,
  private: true,
  type: 'module',
  main: 'desktop.mjs',
} as const;

/** What runs inside of Electron; everything else is run by Node, from its own folder. */
const ofElectron = ['desktop.mjs', 'preload.cjs', 'panel', 'icons'];

/**
 * The desktop as a folder that needs nothing else on the machine. Made whole beside its place, then put there.
 * @throws when there is something else in its place
 */
export const packageDesktop = async ({ folder, system, say }: DesktopPackageOptions): Promise<void> => {
  await demandOwn(folder);
  const runtime = await electronRuntime(system, say);
  say(`Electron ${runtime.version}`);
  await bundlePrograms();
  await mkdir(dirname(folder), { recursive: true });
  const work = await mkdtemp(`${folder}.part-`);
  try {
    const appFolder = join(work, 'app');
    await mkdir(appFolder);
    await writeFile(join(appFolder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    for (const name of ofElectron)
      await cp(join(programsFolder, name), join(appFolder, name), { recursive: true });
    await build({
      targets: targets[system].createTarget('dir'),
      // electron-builder.yml stands there, and its paths begin there.
      projectDir: root,
      publish: 'never',
      config: {
        directories: { app: appFolder, output: join(work, 'out') },
        electronDist: runtime.folder,
        electronVersion: runtime.version,
        // The bundles hold all that they need: nothing is to be collected, installed or compiled.
        beforeBuild: async () => false,
      },
    });
    const made = join(work, 'out', unpacked[system]);
    // What Electron shows when it is given no program.
    await rm(join(made, 'resources', 'default_app.asar'), { force: true });
    // Not by electron-builder, which would leave out node_modules and sign other people's programs anew.
    const programs = join(made, 'resources', 'programs');
    await layOutPrograms(programs, system);
    await packAgentPrograms(join(programs, agentProgramsFolder));
    await replace(made, folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
};

const replace = async (from: string, to: string): Promise<void> => {
  const replaced = `${to}.replaced`;
  await rm(replaced, { recursive: true, force: true });
  if (existsSync(to)) await rename(to, replaced);
  await rename(from, to);
  await rm(replaced, { recursive: true, force: true });
};

/** A slip of the hand must not cost somebody a folder of theirs. */
const demandOwn = async (folder: string): Promise<void> => {
  const names = existsSync(folder) ? await readdir(folder) : [];
  const isOurs = names.includes('resources') && existsSync(join(folder, 'resources', 'app.asar'));
  if (names.length > 0 && !isOurs)
    throw new Error(`${folder} holds something else: name a new folder, or one made by this command.`);
};
