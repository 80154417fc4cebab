import { readFile } from 'node:fs/promises';
import { release } from 'node:os';
import { readCodePage, utf8CodePage } from '../windows/code-page.ts';
import { packagedBinaries } from './binaries.ts';

/** Windows 10 1903 is the first that heeds what a program says about its code page; Windows Server 2019 is older. */
const firstUtf8Build = 18_362;

/** As `receivePathsInUtf8` in build/package writes it into Postgres's programs; npm's have no manifest. */
const mark = 'activeCodePage';

/**
 * In which Windows passes paths to Postgres: the packaged one takes UTF-8 (65001) where Windows can give it, and so any letter. Else it
 * is the machine's code page; null when that is unknown.
 */
export const pathCodePageOf = async (sources: {
  /** As Node names the version of Windows, such as 10.0.19045. */
  readonly release: string;
  readonly initdb: string;
  readonly readMachine: () => Promise<number | null>;
}): Promise<number | null> => {
  const build = Number(sources.release.split('.')[2] ?? 0);
  // A virus scanner may have removed it, which its start then says.
  const takesUtf8 =
    build >= firstUtf8Build &&
    (await readFile(sources.initdb).then(
      (bytes) => bytes.includes(mark),
      () => false,
    ));
  return takesUtf8 ? utf8CodePage : sources.readMachine();
};

/** Null except on Windows: elsewhere paths are bytes, and accept any letter. */
export const pathCodePage = async (): Promise<number | null> =>
  process.platform === 'win32'
    ? pathCodePageOf({ release: release(), initdb: packagedBinaries().initdb, readMachine: readCodePage })
    : null;
