import { lettersOutside } from '#runtime/folder-check/path-letters.ts';
import { readCodePage } from '#runtime/windows/code-page.ts';
import type { UpdateRecordStore } from './update-record.ts';

/**
 * Notes that an installed version passes paths to Postgres in UTF-8 (decision 0113). The versions before that cannot note it, and
 * drop the list when they run; what they lead to notes itself again.
 */
export const noteReadsAnyLetter = async (
  record: Pick<UpdateRecordStore, 'now' | 'change'>,
  installed: string,
): Promise<void> => {
  const known = record.now().readsAnyLetter;
  if (!known.includes(installed))
    await record.change({ readsAnyLetter: [installed, ...known].slice(0, most) });
};

/** Installers are kept of two or three versions. */
const most = 20;

/**
 * Why a version could not open the data folder: it passes paths to Postgres in the machine's code page, and the folder has letters
 * that this lacks or cuts. The folder of the programs is the one it was installed in.
 * @returns for people; null: it can open it
 */
export const unreadableHome = async (
  version: string,
  {
    home,
    record,
    codePage = codePageHere,
  }: {
    readonly home: string;
    readonly record: Pick<UpdateRecordStore, 'now'>;
    readonly codePage?: () => Promise<number | null>;
  },
): Promise<string | null> => {
  if (record.now().readsAnyLetter.includes(version)) return null;
  const letters = lettersOutside(await codePage(), home);
  return letters.length === 0
    ? null
    : `Castellan ${version} cannot open ${home}, because of these letters: ${letters.join(' ')}`;
};

const codePageHere = async (): Promise<number | null> =>
  process.platform === 'win32' ? readCodePage() : null;
