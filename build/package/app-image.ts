import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { product } from '#contracts/kernel/product.ts';
import { version } from '#runtime/version.ts';
import { programPng } from '../icons/draw-icons.ts';

const run = promisify(execFile);

export const appImageName = `${product.name}-${version}.AppImage`;

const iconSide = 256;

const appRun = `#!/bin/sh
exec "$(dirname "$(readlink -f "$0")")/castellan" "$@"
`;

const desktopEntry = `[Desktop Entry]
Type=Application
Name=${product.name}
Exec=castellan
Icon=castellan
Categories=Utility;
StartupWMClass=castellan
`;

/** Packs the desktop into one file that runs on any Linux. @throws when mksquashfs or the runtime is missing */
export const makeAppImage = async ({
  appFolder,
  file,
  runtimeFile,
}: {
  /** The unpacked desktop for Linux, absolute; files are added to it. */
  readonly appFolder: string;
  /** Absolute; replaced. */
  readonly file: string;
  /** The head of each AppImage, which mounts the rest: `runtime-x86_64` of AppImage's type2-runtime. */
  readonly runtimeFile: string;
}): Promise<void> => {
  const half = `${file}.part`;
  const packed = `${file}.squashfs`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(join(appFolder, 'AppRun'), appRun);
  await chmod(join(appFolder, 'AppRun'), 0o755);
  await writeFile(join(appFolder, 'castellan.desktop'), desktopEntry);
  const icon = await programPng(iconSide);
  // Menus read the first, file managers the second.
  for (const name of ['castellan.png', '.DirIcon']) await writeFile(join(appFolder, name), icon);
  try {
    await run('mksquashfs', [appFolder, packed, '-root-owned', '-noappend', '-no-progress', '-comp', 'gzip']);
    await copyFile(runtimeFile, half);
    // The runtime knows its own length, and finds the rest behind it.
    await pipeline(createReadStream(packed), createWriteStream(half, { flags: 'a' }));
    await chmod(half, 0o755);
    await rename(half, file);
  } finally {
    await rm(half, { force: true });
    await rm(packed, { force: true });
  }
};
