import { Readable } from 'node:stream';
import { listLogFiles } from './log-files.ts';
import { isBefore, type LogPosition } from './log-position.ts';
import { endOfLog, readForwards } from './read-forwards.ts';
import type { LogToSearch } from './search-log.ts';

/** In characters. This much of a piece waits for the next one: a secret across both is masked when they are together. */
const longestSecret = 4096;

/**
 * The log from its oldest line to the currently newest one, read as fast as the client takes it.
 * @throws {Problem} LOG_UNREADABLE
 */
export const downloadLog = async ({ folder, component, redact }: LogToSearch): Promise<Readable> => {
  // Before the response begins: an unreadable log is reported, instead of a download that breaks off.
  const end = await endOfLog(await listLogFiles(folder, component));
  const chunks = async function* () {
    let held = '';
    for (
      let position: LogPosition = { file: 0, offset: 0 }, isMore = true;
      isMore && isBefore(position, end);
    ) {
      // Listed again: while a slow client takes its time, files are put aside and removed.
      const read = await readForwards(await listLogFiles(folder, component), position);
      let chunk = '';
      for (const { text, isCut } of read.lines) {
        const clean = redact(held + text);
        chunk += isCut ? clean.slice(0, -longestSecret) : `${clean}\n`;
        held = isCut ? clean.slice(-longestSecret) : '';
      }
      if (chunk !== '') yield chunk;
      ({ position, isMore } = read);
    }
    if (held !== '') yield `${held}\n`;
  };
  return Readable.from(chunks(), { objectMode: false });
};
