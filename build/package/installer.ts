import { execFile } from 'node:child_process';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { product } from '#contracts/product.ts';
import { version } from '#runtime/version.ts';

const run = promisify(execFile);
const scripts = resolve(import.meta.dirname, '../installer');

export interface InstallerOptions {
  /** The unpacked desktop for Windows, absolute. */
  readonly appFolder: string;
  /** Absolute; replaced. */
  readonly file: string;
  readonly version?: string;
  /** For Windows without its 32-bit half, as the lab is; what ships runs everywhere and says what it needs. */
  readonly is64Bit?: boolean;
  /** Packing takes minutes; a test does without. */
  readonly isPacked?: boolean;
}

export const installerName = `${product.name}-Setup-${version}.exe`;

/** Makes the installer for Windows of an unpacked desktop. @throws when NSIS is not there, or refuses */
export const makeInstaller = async (options: InstallerOptions): Promise<void> => {
  const { appFolder, file, is64Bit = false, isPacked = true } = options;
  const half = `${file}.part`;
  await mkdir(dirname(file), { recursive: true });
  const defines = {
    VERSION: options.version ?? version,
    VERSION_QUAD: versionQuad(options.version ?? version),
    APP_ID: product.appId,
    APP_DIR: appFolder,
    OUT_FILE: half,
    ICON: resolve(scripts, 'castellan.ico'),
    ...(!isPacked && { STORED: '' }),
  };
  const target = is64Bit ? 'amd64-unicode' : 'x86-unicode';
  const args = [
    ['-V2', '-WX', '-INPUTCHARSET', 'UTF8', `-XTarget ${target}`],
    ...Object.entries(defines).map(([name, value]) => [value === '' ? `-D${name}` : `-D${name}=${value}`]),
    [resolve(scripts, 'installer.nsi')],
  ].flat();
  try {
    await run('makensis', args);
    await rename(half, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Error(
        'makensis is missing: install NSIS (Debian: nsis); what ships is to be made with 3.12 or newer.',
        { cause: error },
      );
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`makensis: ${stderr}${stdout}`.trim(), { cause: error });
  } finally {
    await rm(half, { force: true });
  }
};

/** As Windows counts: four numbers. What stands behind a hyphen does not count. */
export const versionQuad = (text: string): string => {
  const numbers = /^(\d+)\.(\d+)\.(\d+)/.exec(text);
  if (!numbers) throw new Error(`${text} is no version such as 1.2.3`);
  return `${numbers.slice(1).join('.')}.0`;
};
