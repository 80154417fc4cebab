import { createPrivateKey } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Command } from 'commander';
import { product } from '#contracts/kernel/product.ts';
import { inMegabytes } from '#runtime/disk-space.ts';
import { bundlePrograms, programsFolder } from './bundle.ts';
import { type ElectronSystem, thisSystem } from './electron-runtime.ts';
import { packageAgent } from './package/agent.ts';
import { appImageName, makeAppImage } from './package/app-image.ts';
import { debianName, makeDebianPackage } from './package/debian.ts';
import { desktopExecutable, packageDesktop } from './package/desktop.ts';
import { installerName, makeInstaller } from './package/installer.ts';
import { packagePortal } from './package/portal.ts';
import { releaseKeyCommand } from './release/make-key.ts';
import { openCodeSigner, unsignedWarning } from './release/sign-code.ts';
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
  readonly deb?: true;
  readonly out?: string;
  readonly key?: string[];
}

const readKeys = (paths: readonly string[]) =>
  Promise.all(paths.map(async (path) => createPrivateKey(await readFile(path))));

const desktop = async ({
  linux,
  win,
  dir,
  deb,
  out = 'dist-desktop',
  key = [],
}: DesktopOptions): Promise<void> => {
  if (linux && win) throw new Error('One system at a time: --linux or --win.');
  const system: ElectronSystem = win ? 'win' : linux ? 'linux' : thisSystem();
  const folder = resolve(out);
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const codeSigner = await openCodeSigner();
  const options = { system, say, signAgentWith: await readKeys(key), codeSigner };
  if (system === 'win' && !codeSigner) say(unsignedWarning);
  if (dir) {
    await packageDesktop({ ...options, folder });
    say(join(folder, desktopExecutable[system]));
    return;
  }
  const runtimeFile = process.env.APPIMAGE_RUNTIME;
  if (system === 'linux' && !runtimeFile && !deb)
    throw new Error(
      "APPIMAGE_RUNTIME names no file: an AppImage needs runtime-x86_64 of AppImage's type2-runtime, and mksquashfs. " +
        'Without them, make the package for Debian alone: --deb; or the folder: --dir',
    );
  const unpacked = join(await mkdtemp(join(tmpdir(), 'castellan-package-')), product.name);
  try {
    await packageDesktop({ ...options, folder: unpacked, isForRelease: true });
    const at = (name: string) => join(folder, name);
    if (system === 'win') {
      await makeInstaller({ appFolder: unpacked, file: at(installerName), signer: codeSigner });
      say(at(installerName));
      return;
    }
    await makeDebianPackage({ appFolder: unpacked, file: at(debianName) });
    say(at(debianName));
    if (deb) return;
    await makeAppImage({
      appFolder: unpacked,
      file: at(appImageName),
      runtimeFile: resolve(runtimeFile ?? ''),
    });
    say(at(appImageName));
  } finally {
    await rm(dirname(unpacked), { recursive: true, force: true });
  }
};

const command = new Command('npm run package --')
  .description('Builds the programs as single files in dist/, or the packages that customers get.')
  // Otherwise this command would take the option of the same name away from `desktop`.
  .enablePositionalOptions()
  .option('--dir', 'same as `desktop --dir`')
  .action(({ dir }: { dir?: true }) => (dir ? desktop({ dir }) : sizes()));
command
  .command('desktop')
  .description(
    'the desktop and everything it starts: an installer for Windows (takes ten minutes), an AppImage and a package for Debian and Ubuntu, or a folder',
  )
  .option('--linux', 'for Linux (default: for this system)')
  .option('--win', 'for Windows')
  .option('--dir', 'only the folder, without an installer')
  .option('--deb', 'for Linux: only the package for Debian and Ubuntu')
  .option(
    '--out <folder>',
    'output folder; with --dir, the desktop itself, replacing what is there',
    'dist-desktop',
  )
  .option(
    '--key <file...>',
    'private keys that sign the release with which installed Game Agents update themselves',
  )
  .action((options: DesktopOptions) => desktop(options));
command
  .command('portal')
  .description('the license portal, as a folder that needs neither this repository nor an installation')
  .option('--out <folder>', 'output folder; replaced if it already contains the portal', 'dist-portal')
  .option('--no-postgres', 'leave out the bundled Postgres; PORTAL_DATABASE_URL is then required')
  .action(async ({ out, postgres }: { readonly out: string; readonly postgres: boolean }) => {
    const folder = resolve(out);
    const { hasPostgres } = await packagePortal({ folder, withPostgres: postgres });
    const lacks = hasPostgres ? '' : ', without a bundled Postgres';
    process.stdout.write(`${folder}${lacks}\nnode ${join(folder, 'portal.mjs')} --help\n`);
  });

command
  .command('agent')
  .description('the Game Agent as one file for Linux and one for Windows, which need no Node')
  .option('--out <folder>', 'output folder', 'dist')
  .option(
    '--key <file...>',
    'private keys that sign the release with which installed Game Agents update themselves',
  )
  .action(async ({ out, key = [] }: { out: string; key?: string[] }) => {
    const codeSigner = await openCodeSigner();
    if (!codeSigner) process.stdout.write(`${unsignedWarning}\n`);
    const options = { folder: resolve(out), signWith: await readKeys(key), codeSigner };
    for (const { file, bytes, sha256 } of await packageAgent(options))
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
