import { createPrivateKey } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Command } from 'commander';
import { product } from '#contracts/product.ts';
import { inMegabytes } from '#runtime/disk-space.ts';
import { bundlePrograms, programsFolder } from './bundle.ts';
import { type ElectronSystem, thisSystem } from './electron-runtime.ts';
import { packageAgent } from './package/agent.ts';
import { appImageName, makeAppImage } from './package/app-image.ts';
import { desktopExecutable, packageDesktop } from './package/desktop.ts';
import { installerName, makeInstaller } from './package/installer.ts';
import { packagePortal } from './package/portal.ts';
import { releaseKeyCommand } from './release/make-key.ts';
import { releaseCommand } from './release/sign-release.ts';
import { endAllAtSignal, endWithNpm } from './script-process.ts';

const sizes = async (): Promise<void> => {
  await bundlePrograms();
  for (const name of await readdir(programsFolder)) {
    const { size } = await stat(join(programsFolder, name));
    process.stdout.write(`${(size / 1024).toFixed(0).padStart(8)} KiB  dist/${name}\n`);
  }
};

interface DesktopOptions {
  readonly linux?: true;
  readonly win?: true;
  readonly dir?: true;
  readonly out?: string;
  readonly key?: string[];
}

const readKeys = (paths: readonly string[]) =>
  Promise.all(paths.map(async (path) => createPrivateKey(await readFile(path))));

const desktop = async ({
  linux,
  win,
  dir,
  out = 'dist-desktop',
  key = [],
}: DesktopOptions): Promise<void> => {
  if (linux && win) throw new Error('One system at a time: --linux or --win.');
  const system: ElectronSystem = win ? 'win' : linux ? 'linux' : thisSystem();
  const folder = resolve(out);
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const signAgentWith = await readKeys(key);
  if (dir) {
    await packageDesktop({ folder, system, say, signAgentWith });
    say(join(folder, desktopExecutable[system]));
    return;
  }
  const runtimeFile = process.env.APPIMAGE_RUNTIME;
  if (system === 'linux' && !runtimeFile)
    throw new Error(
      "APPIMAGE_RUNTIME names no file: an AppImage needs runtime-x86_64 of AppImage's type2-runtime, and mksquashfs. " +
        'Without them, make the folder: --dir',
    );
  const unpacked = join(await mkdtemp(join(tmpdir(), 'castellan-package-')), product.name);
  try {
    await packageDesktop({ folder: unpacked, system, say, signAgentWith });
    const file = join(folder, system === 'win' ? installerName : appImageName);
    if (system === 'win') await makeInstaller({ appFolder: unpacked, file });
    else await makeAppImage({ appFolder: unpacked, file, runtimeFile: resolve(runtimeFile ?? '') });
    say(file);
  } finally {
    await rm(dirname(unpacked), { recursive: true, force: true });
  }
};

interface PortalOptions {
  readonly out: string;
  readonly postgres: boolean;
}

const command = new Command('npm run package --')
  .description('The programs as single files in dist/; or what customers get.')
  // Else this one would take the option of the same name away from `desktop`.
  .enablePositionalOptions()
  .option('--dir', 'as `desktop --dir`')
  .action(({ dir }: { dir?: true }) => (dir ? desktop({ dir }) : sizes()));
command
  .command('desktop')
  .description(
    'the desktop with all that it starts: an installer for Windows (ten minutes), an AppImage for Linux, or a folder',
  )
  .option('--linux', 'for Linux (default: for this system)')
  .option('--win', 'for Windows')
  .option('--dir', 'only the folder, without an installer')
  .option('--out <folder>', 'where to; with --dir the folder itself, made anew', 'dist-desktop')
  .option(
    '--key <file...>',
    'private keys that sign the release by which Game Agents in use renew themselves',
  )
  .action((options: DesktopOptions) => desktop(options));
command
  .command('portal')
  .description('the license portal, as a folder that needs neither this repository nor an installation')
  .option('--out <folder>', 'where to; replaced when it holds such a folder already', 'dist-portal')
  .option('--no-postgres', 'leave the Postgres of its own out: PORTAL_DATABASE_URL is then needed')
  .action(async ({ out, postgres }: PortalOptions) => {
    const folder = resolve(out);
    const { hasPostgres } = await packagePortal({ folder, withPostgres: postgres });
    const lacks = hasPostgres ? '' : ', without a Postgres of its own';
    process.stdout.write(`${folder}${lacks}\nnode ${join(folder, 'portal.mjs')} --help\n`);
  });

command
  .command('agent')
  .description(
    'the Game Agent as one file for Linux and one for Windows, which need no Node on their machines',
  )
  .option('--out <folder>', 'where to', 'dist')
  .option('--key <file...>', 'private keys that sign the release by which agents in use renew themselves')
  .action(async ({ out, key = [] }: { out: string; key?: string[] }) => {
    const signWith = await readKeys(key);
    for (const { file, bytes, sha256 } of await packageAgent({ folder: resolve(out), signWith }))
      process.stdout.write(`${file}\n  ${inMegabytes(bytes)}, SHA-256 ${sha256}\n`);
  });

command.addCommand(releaseKeyCommand);
command.addCommand(releaseCommand);

endWithNpm();
using _ending = endAllAtSignal();
try {
  await command.parseAsync();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
