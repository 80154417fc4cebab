import type { KeyObject } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { build, Platform } from 'electron-builder';
import { ZipFile } from 'yazl';
import { product } from '#contracts/kernel/product.ts';
import { agentProgramsFolder } from '#contracts/servers/agent-downloads.ts';
import { version } from '#runtime/version.ts';
import { koffiFile } from '#runtime/windows/koffi-file.ts';
import { bundlePrograms, programsFolder } from '../bundle.ts';
import { type ElectronSystem, electronRuntime } from '../electron-runtime.ts';
import type { CodeSigner } from '../release/sign-code.ts';
import { packAgentPrograms } from './agent-programs.ts';
import { leftOutOfElectron } from './left-out.ts';
import { layOutPrograms } from './programs.ts';
import { hasSignature } from './remove-signature.ts';
import { allowLongPaths } from './windows-manifest.ts';

const root = resolve(import.meta.dirname, '../..');
const targets = { linux: Platform.LINUX, win: Platform.WINDOWS } as const;
/** Where electron-builder unpacks to. */
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
  // Linux desktops use it to find the entry of a window, and its icon.
  desktopName: `${product.name.toLowerCase()}.desktop`,
} as const;

/** What runs inside Electron; Node runs everything else, from its own folder. */
const ofElectron = ['desktop.mjs', 'preload.cjs', 'icons'];

/**
 * Packages the desktop as a folder that needs nothing else on the machine. Built whole beside its place, then moved there.
 * @throws when there is something else in its place
 */
export const packageDesktop = async ({
  folder,
  system,
  say,
  signAgentWith = [],
  isForRelease = false,
  codeSigner = null,
}: {
  /** Absolute; replaced when it already holds a package. */
  readonly folder: string;
  readonly system: ElectronSystem;
  readonly say: (line: string) => void;
  /** Release keys that sign the release from which agents in use update themselves. */
  readonly signAgentWith?: readonly KeyObject[];
  /** Packs the agent's programs as small as possible, which takes a minute. */
  readonly isForRelease?: boolean;
  /** Signs what runs on Windows. */
  readonly codeSigner?: CodeSigner | null;
}): Promise<void> => {
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
      // electron-builder.yml is there, and its paths are relative to it.
      projectDir: root,
      publish: 'never',
      config: {
        directories: { app: appFolder, output: join(work, 'out') },
        electronDist: runtime.folder,
        electronVersion: runtime.version,
        win: { icon: join(programsFolder, 'icons', 'castellan.ico') },
        linux: { icon: join(programsFolder, 'icons', 'castellan.png') },
        // The bundles hold everything they need: there is nothing to collect, install or compile.
        beforeBuild: async () => false,
      },
    });
    const made = join(work, 'out', unpacked[system]);
    for (const name of leftOutOfElectron[system]) await rm(join(made, name), { force: true });
    await packChromiumLicenses(made);
    // Not through electron-builder, which would leave out node_modules and sign other vendors' programs again.
    const programs = join(made, 'resources', 'programs');
    await layOutPrograms(programs, system);
    const agents = join(programs, agentProgramsFolder);
    await packAgentPrograms(agents, { signWith: signAgentWith, isForRelease, codeSigner });
    if (system === 'win') {
      await allowLongPaths(join(made, desktopExecutable.win));
      if (codeSigner) await signPrograms(made, codeSigner);
    }
    await replace(made, folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
};

/** 20 MB of text that must be included and that few people read: 2.2 MB as an archive that every system opens. */
const packChromiumLicenses = async (folder: string): Promise<void> => {
  const text = join(folder, 'LICENSES.chromium.html');
  const archive = new ZipFile();
  archive.addFile(text, 'LICENSES.chromium.html', { compressionLevel: 9 });
  archive.end();
  await pipeline(archive.outputStream, createWriteStream(join(folder, 'LICENSES.chromium.zip')));
  await rm(text);
};

/**
 * Signs Electron's unsigned programs and libraries, and ours among them. Programs signed by others keep their signature,
 * and the service host stays byte for byte the same.
 */
const signPrograms = async (folder: string, signer: CodeSigner): Promise<void> => {
  const own = (await readdir(folder)).filter((name) => /\.(?:exe|dll)$/.test(name));
  for (const name of [...own, join('resources', 'programs', koffiFile)].toSorted())
    if (!hasSignature(await readFile(join(folder, name)))) await signer.sign(join(folder, name));
};

const replace = async (from: string, to: string): Promise<void> => {
  const replaced = `${to}.replaced`;
  await rm(replaced, { recursive: true, force: true });
  if (existsSync(to)) await rename(to, replaced);
  await rename(from, to);
  await rm(replaced, { recursive: true, force: true });
};

/** A mistyped path must not delete someone's folder. */
const demandOwn = async (folder: string): Promise<void> => {
  const names = existsSync(folder) ? await readdir(folder) : [];
  const isOurs = names.includes('resources') && existsSync(join(folder, 'resources', 'app.asar'));
  if (names.length > 0 && !isOurs)
    throw new Error(`${folder} holds something else: name a new folder, or one made by this command.`);
};
