import type { ListedBackup } from './backup-folder.ts';

/** The API shows this many per backup, and this much of each. */
const mostNotes = 5;
const longestNote = 300;
/** For all notes in one list: a task's result has a limit. */
const mostBytes = 48 * 1024;

/** The notes of a list as far as an answer has room; the newest backups come first. */
export const boundedNotes = (backups: readonly ListedBackup[]): ListedBackup[] => {
  let left = mostBytes;
  return backups.map((backup) => {
    const notes: string[] = [];
    for (const note of backup.notes.slice(0, mostNotes)) {
      const cut = note.length > longestNote ? `${note.slice(0, longestNote - 1).toWellFormed()}…` : note;
      left -= Buffer.byteLength(JSON.stringify(cut));
      if (left < 0) break;
      notes.push(cut);
    }
    const more = backup.notes.length - notes.length;
    return more === 0
      ? backup
      : { ...backup, notes: [...notes, `More (${more}) on the game's machine: castellan-agent saves list`] };
  });
};
