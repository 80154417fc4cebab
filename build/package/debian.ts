import { execFile } from 'node:child_process';
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type JumpAct, jumpArgument } from '#contracts/kernel/jump-acts.ts';
import { product } from '#contracts/kernel/product.ts';
import { isAbsent } from '#runtime/absent-file.ts';
import { version as ownVersion } from '#runtime/version.ts';
import { linuxSides, programPng } from '../icons/draw-icons.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const name = product.name.toLowerCase();

/** Where the desktop is installed. */
export const debianFolder = `/opt/${name}`;

/**
 * The package that provides a library that Electron, Node or Postgres link against and do not bundle: first the
 * name in Debian 12 and 13 and Ubuntu 22.04, then the name in releases with 64-bit time (t64). Where a library has several,
 * the oldest comes first, which newer systems provide, too.
 */
export const libraryPackages: Readonly<Record<string, string>> = {
  'ld-linux-x86-64.so.2': 'libc6 (>= 2.28)',
  'libasound.so.2': 'libasound2 | libasound2t64',
  'libatk-1.0.so.0': 'libatk1.0-0 | libatk1.0-0t64',
  'libatk-bridge-2.0.so.0': 'libatk-bridge2.0-0 | libatk-bridge2.0-0t64',
  'libatspi.so.0': 'libatspi2.0-0 | libatspi2.0-0t64',
  'libc.so.6': 'libc6 (>= 2.28)',
  'libcairo.so.2': 'libcairo2',
  'libcups.so.2': 'libcups2 | libcups2t64',
  'libdbus-1.so.3': 'libdbus-1-3',
  'libdl.so.2': 'libc6 (>= 2.28)',
  'libexpat.so.1': 'libexpat1',
  'libgbm.so.1': 'libgbm1',
  'libgcc_s.so.1': 'libgcc-s1',
  'libgio-2.0.so.0': 'libglib2.0-0 | libglib2.0-0t64',
  'libglib-2.0.so.0': 'libglib2.0-0 | libglib2.0-0t64',
  'libgobject-2.0.so.0': 'libglib2.0-0 | libglib2.0-0t64',
  'libgtk-3.so.0': 'libgtk-3-0 | libgtk-3-0t64',
  'libm.so.6': 'libc6 (>= 2.28)',
  'libnspr4.so': 'libnspr4',
  'libnss3.so': 'libnss3',
  'libnssutil3.so': 'libnss3',
  'libpango-1.0.so.0': 'libpango-1.0-0',
  'libpthread.so.0': 'libc6 (>= 2.28)',
  'librt.so.1': 'libc6 (>= 2.28)',
  'libsmime3.so': 'libnss3',
  'libstdc++.so.6': 'libstdc++6',
  'libudev.so.1': 'libudev1',
  'libX11.so.6': 'libx11-6',
  'libxcb.so.1': 'libxcb1',
  'libXcomposite.so.1': 'libxcomposite1',
  'libXdamage.so.1': 'libxdamage1',
  'libXext.so.6': 'libxext6',
  'libXfixes.so.3': 'libxfixes3',
  'libxkbcommon.so.0': 'libxkbcommon0',
  'libXrandr.so.2': 'libxrandr2',
};

/** Loaded when present: keys in the session's wallet, notifications, and addresses that open in the browser. */
const recommended = ['libsecret-1-0', 'libnotify4', 'xdg-utils'];

/** What a right click on the desktop entry offers; a running program is told of it. */
const actions: readonly { readonly act: JumpAct; readonly en: string; readonly ptBr: string }[] = [
  { act: 'start', en: 'Start everything', ptBr: 'Iniciar tudo' },
  { act: 'stop', en: 'Stop everything', ptBr: 'Parar tudo' },
  { act: 'logs', en: 'Open the logs', ptBr: 'Abrir os logs' },
];

const actionGroups = actions.map(
  ({ act, en, ptBr }) => `
[Desktop Action ${act}]
Name=${en}
Name[pt_BR]=${ptBr}
Exec=${debianFolder}/${name} ${jumpArgument(act)}
`,
);

const desktopEntry = `[Desktop Entry]
Type=Application
Name=${product.name}
GenericName=Game server control center
GenericName[pt_BR]=Central de controle de servidores de jogo
Comment=Run game servers, a store and Discord from one place
Comment[pt_BR]=Cuide de servidores de jogo, loja e Discord em um só lugar
Exec=${debianFolder}/${name} %U
Icon=${name}
Categories=Utility;
StartupWMClass=${name}
Actions=${actions.map(({ act }) => `${act};`).join('')}
${actionGroups.join('')}`;

/**
 * Running programs would continue with files of another version. dpkg then leaves the installed version unchanged.
 */
const beforeRemoval = `#!/bin/sh
set -e
case "$1" in
  upgrade|remove|deconfigure|failed-upgrade)
    for program in /proc/[0-9]*/exe; do
      case "$(readlink "$program" 2>/dev/null || true)" in
        "$DPKG_ROOT${debianFolder}/"*)
          echo "${product.name} is running. Quit it by its icon, or with '${name} stop', then try again." >&2
          exit 1
          ;;
      esac
    done
    ;;
esac
`;

/** `~` sorts a pre-release before its release. */
const debianVersion = (version: string): string => version.replace('-', '~');

export const debianName = `${name}_${debianVersion(ownVersion)}_amd64.deb`;

/** Builds a package of the desktop for Debian and Ubuntu. @throws when dpkg-deb is missing, or refuses */
export const makeDebianPackage = async (options: {
  /** The unpacked desktop for Linux, absolute; stays unchanged. */
  readonly appFolder: string;
  /** Absolute; replaced. */
  readonly file: string;
  readonly version?: string;
  /** Packing takes a minute; tests skip it. */
  readonly isPacked?: boolean;
}): Promise<void> => {
  const { appFolder, file, version = ownVersion, isPacked = true } = options;
  await mkdir(dirname(file), { recursive: true });
  const half = `${file}.part`;
  const stage = await mkdtemp(`${appFolder}.deb-`);
  try {
    await layOut(stage, appFolder);
    await writeControl(stage, version);
    await run('chmod', ['-R', 'u=rwX,go=rX', stage]);
    await chmod(join(stage, 'DEBIAN', 'prerm'), 0o755);
    // Chromium's sandbox where unprivileged user namespaces are refused, as on Ubuntu 24.04.
    await chmod(join(stage, debianFolder, 'chrome-sandbox'), 0o4755);
    const packing = isPacked ? ['-Zxz', '-z6'] : ['-Znone'];
    await run('dpkg-deb', ['--root-owner-group', ...packing, '--build', stage, half]);
    await rename(half, file);
  } catch (error) {
    if (!isAbsent(error) || !(error as NodeJS.ErrnoException).syscall?.startsWith('spawn')) throw error;
    throw new Error('dpkg-deb is missing, which makes packages for Debian (Debian: dpkg).', { cause: error });
  } finally {
    await rm(half, { force: true });
    await rm(stage, { recursive: true, force: true });
  }
};

const layOut = async (stage: string, appFolder: string): Promise<void> => {
  const at = async (path: string): Promise<string> => {
    const full = join(stage, path);
    await mkdir(dirname(full), { recursive: true });
    return full;
  };
  // Copied, since links would change the permissions of the desktop's own files.
  await run('cp', ['-a', appFolder, await at(debianFolder)]);
  await symlink(`../..${debianFolder}/resources/programs/castellan`, await at(`usr/bin/${name}`));
  await symlink(`../..${debianFolder}/${name}`, await at(`usr/bin/${name}-desktop`));
  await writeFile(await at(`usr/share/applications/${name}.desktop`), desktopEntry);
  const icons = 'usr/share/icons/hicolor';
  for (const side of linuxSides)
    await writeFile(await at(`${icons}/${side}x${side}/apps/${name}.png`), await programPng(side));
  await copyFile(join(root, 'renderer/public/icon.svg'), await at(`${icons}/scalable/apps/${name}.svg`));
  const terms = await readFile(join(root, 'resources/licenses/castellan.en.txt'), 'utf8');
  const where = `\nThe licenses of others: ${debianFolder}/resources/programs/licenses and ${debianFolder}/LICENSES.chromium.zip\n`;
  await writeFile(await at(`usr/share/doc/${name}/copyright`), `${terms}${where}`);
};

const writeControl = async (stage: string, version: string): Promise<void> => {
  const depends = [...new Set(Object.values(libraryPackages))].toSorted();
  const fields = {
    Package: name,
    Version: debianVersion(version),
    Architecture: 'amd64',
    Maintainer: product.name,
    'Installed-Size': String(await kilobytesIn(stage)),
    Depends: depends.join(', '),
    Recommends: recommended.join(', '),
    Section: 'admin',
    Priority: 'optional',
    Description: `Control center for game-server communities\n A supervised, self-hosted stack with a database, a store and a Discord bot.`,
  };
  const folder = join(stage, 'DEBIAN');
  await mkdir(folder);
  const lines = Object.entries(fields).map(([field, value]) => `${field}: ${value}\n`);
  await writeFile(join(folder, 'control'), lines.join(''));
  await writeFile(join(folder, 'prerm'), beforeRemoval);
};

/** Counted the way Debian does: each file in whole KiB. */
const kilobytesIn = async (folder: string): Promise<number> => {
  let kilobytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const { size } = entry.isFile() ? await stat(join(entry.parentPath, entry.name)) : { size: 1024 };
    kilobytes += Math.ceil(size / 1024);
  }
  return kilobytes;
};
