import { isDeepStrictEqual } from 'node:util';
import type { KeptBackup } from '#runtime/backup/backup-manifest.ts';
import { type DatedAhead, notesAfter, readDatedAhead, writeDatedAhead } from '#runtime/backup/dated-ahead.ts';
import { type ClockLook, sinceStartMs } from '#runtime/clock.ts';
import type { Log } from '#runtime/log.ts';

/** Which backups were dated ahead of now when this installation first saw them, also over restarts. */
export const followDatedAhead = ({ home, log }: { readonly home: string; readonly log: Log }) => {
  let stored: DatedAhead | null = null;
  /** While this machine's clock is known to be behind, backups are not to blame: what it says then is forgotten once it is right. */
  let passing: DatedAhead = {};
  let before: ClockLook | null = null;
  const notes = (): DatedAhead => ({ ...stored, ...passing });
  return {
    notes,
    async look(backups: readonly KeptBackup[], nowMs: number, isClockBehind: boolean): Promise<DatedAhead> {
      const known = stored ?? (await readDatedAhead(home));
      const look = { nowMs, monotonicMs: sinceStartMs() };
      const next = isClockBehind ? known : notesAfter(known, backups, look, before);
      passing = isClockBehind ? notesAfter(passing, backups, look, null) : {};
      before = look;
      stored = next;
      if (isDeepStrictEqual(next, known)) return notes();
      const names = Object.keys(next).filter((name) => !(name in known));
      if (names.length > 0) log.warn({ backups: names }, 'backups are dated ahead of now; they do not count');
      // Without room on the disk, this process still knows.
      await writeDatedAhead(home, next).catch((error: unknown) =>
        log.warn({ err: error }, 'could not note which backups are dated ahead'),
      );
      return notes();
    },
  };
};
