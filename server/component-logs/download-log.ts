import { Readable } from 'node:stream';
import { listLogFiles } from './log-files.ts';
import { isBefore, type LogPosition } from './log-position.ts';
import { endOfLog, readForwards } from './read-forwards.ts';
import type { LogToSearch } from './search-log.ts';

/** The log from its oldest line to the one that is the newest now, read as fast as the client takes it. */
export const downloadLog = ({ folder, component, redact }: LogToSearch): Readable => {
  const chunks = async function* () {
    const end = await endOfLog(await listLogFiles(folder, component));
    for (
      let position: LogPosition = { file: 0, offset: 0 }, isMore = true;
      isMore && isBefore(position, end);
    ) {
      // Listed anew: while a slow client takes its time, files are put aside and removed.
      const read = await readForwards(await listLogFiles(folder, component), position);
      if (read.lines.length > 0) yield read.lines.map(({ text }) => `${redact(text)}\n`).join('');
      ({ position, isMore } = read);
    }
  };
  return Readable.from(chunks(), { objectMode: false });
};
