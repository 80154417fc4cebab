import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { product } from '#contracts/kernel/product.ts';
import { ifAbsent, isAbsent } from '#runtime/absent-file.ts';
import { version } from '#runtime/version.ts';
import { programIco } from '../icons/draw-icons.ts';
import { drawPictures } from '../installer/draw-pictures.ts';
import { type CodeSigner, signCommand } from '../release/sign-code.ts';

const run = promisify(execFile);
const scripts = resolve(import.meta.dirname, '../installer');
const licenses = resolve(import.meta.dirname, '../../resources/licenses');

export const installerName = `${product.name}-Setup-${version}.exe`;

/** Builds the installer of an unpacked desktop for 64-bit Windows. @throws when NSIS is missing, or refuses */
export const makeInstaller = async (options: {
  /** The unpacked desktop for Windows, absolute. */
  readonly appFolder: string;
  /** Absolute; replaced. */
  readonly file: string;
  readonly version?: string;
  /** Packing takes minutes; tests skip it. */
  readonly isPacked?: boolean;
  /** Signs the uninstaller, then the installer; null leaves both unsigned. */
  readonly signer?: CodeSigner | null;
}): Promise<void> => {
  const { appFolder, file, isPacked = true, signer = null } = options;
  const half = `${file}.part`;
  await mkdir(dirname(file), { recursive: true });
  const work = await mkdtemp(join(tmpdir(), 'castellan-installer-'));
  try {
    await drawPictures(join(work, 'pictures'));
    const icon = join(work, 'castellan.ico');
    await writeFile(icon, await programIco());
    const defines = {
      VERSION: options.version ?? version,
      VERSION_QUAD: versionQuad(options.version ?? version),
      APP_ID: product.appId,
      APP_DIR: appFolder,
      APP_KB: String(await kilobytesIn(appFolder)),
      LONGEST_PATH: String(await longestPathIn(appFolder)),
      LICENSE_EN: await writeTerms(appFolder, 'en', work),
      LICENSE_PT: await writeTerms(appFolder, 'pt-BR', work),
      PICTURES: join(work, 'pictures'),
      OUT_FILE: half,
      ICON: icon,
      ...(!isPacked && { STORED: '' }),
      ...(signer && { SIGN: signCommand }),
    };
    const args = [
      ['-V2', '-WX', '-INPUTCHARSET', 'UTF8', '-XTarget amd64-unicode'],
      ...Object.entries(defines).map(([name, value]) => [value === '' ? `-D${name}` : `-D${name}=${value}`]),
      [resolve(scripts, 'installer.nsi')],
    ].flat();
    await compile(args);
    await signer?.sign(half);
    await rename(half, file);
  } finally {
    await rm(half, { force: true });
    await rm(work, { recursive: true, force: true });
  }
};

const compile = async (args: readonly string[]): Promise<void> => {
  try {
    await run('makensis', args, { maxBuffer: 16 * 1024 * 1024 });
  } catch (error) {
    if (isAbsent(error))
      throw new Error(
        'makensis is missing: install NSIS with its 64-bit half (Debian: nsis); what ships is to be made with 3.12 or newer.',
        { cause: error },
      );
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`makensis: ${stderr}${stdout}`.trim(), { cause: error });
  }
};

/** The cluster size of NTFS. */
const clusterBytes = 4096;

/** What a folder takes on disk. */
const kilobytesIn = async (folder: string): Promise<number> => {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const { size } = await stat(join(entry.parentPath, entry.name));
    bytes += Math.ceil(size / clusterBytes) * clusterBytes;
  }
  return Math.ceil(bytes / 1024);
};

/** In letters, below the folder. Postgres opens none of more than MAX_PATH, whatever Windows allows other programs. */
const longestPathIn = async (folder: string): Promise<number> =>
  Math.max(0, ...(await readdir(folder, { recursive: true })).map((path) => path.length));

/** Our own terms, then the licenses of others that the package holds. @returns the file, in the form that NSIS reads */
const writeTerms = async (appFolder: string, language: 'en' | 'pt-BR', work: string): Promise<string> => {
  const folder = join(appFolder, 'resources', 'programs', 'licenses');
  const names = (await readdir(folder).catch(ifAbsent([]))).toSorted();
  const others = names.filter((name) => !name.startsWith('castellan.'));
  const texts = await Promise.all([
    readFile(join(licenses, `castellan.${language}.txt`), 'utf8'),
    ...others.map((name) => readFile(join(folder, name), 'utf8')),
  ]);
  const file = join(work, `terms-${language}.txt`);
  const text = texts.map((one) => one.trim()).join(`\n\n${'-'.repeat(60)}\n\n`);
  // The byte order mark tells NSIS that the file is UTF-8.
  await writeFile(file, `\uFEFF${text.replace(/\r?\n/g, '\r\n')}\r\n`);
  return file;
};

/** The four numbers that Windows compares. What follows a hyphen does not count. */
export const versionQuad = (text: string): string => {
  const numbers = /^(\d+)\.(\d+)\.(\d+)/.exec(text);
  if (!numbers) throw new Error(`${text} is no version such as 1.2.3`);
  return `${numbers.slice(1).join('.')}.0`;
};
