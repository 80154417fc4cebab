import { appendFile, rm } from 'node:fs/promises';
import { writeFileAtomically } from '../atomic-write.ts';
import type { FreezeNote } from './freeze-note.ts';

/** How often the supervisor is heard, in ticks of the guardian, and after how many without a word it counts as frozen. */
export const heartbeatTicks = 5;
const silentTicks = 40;

export interface FreezeWatch {
  /** The supervisor said something. */
  heard(): void;
  /** Resolves when the note is gone. */
  end(): Promise<void>;
}

/**
 * Notices a supervisor that no longer reacts, and only says so: machines sleep, and debuggers stop a process for as long as a
 * person thinks. Ticks count only the time in which this process ran, too.
 */
export const watchForFreeze = ({
  pid,
  notePath,
  tickMs,
}: {
  readonly pid: number;
  readonly notePath: string;
  readonly tickMs: number;
}): FreezeWatch => {
  const logPath = notePath.replace(/\.json$/, '.log');
  let since = new Date().toISOString();
  let ticks = 0;
  let isNoted = false;
  // One after another; a full disk must not end the guardian.
  let writing: Promise<unknown> = rm(notePath, { force: true }).catch(() => undefined);
  const write = (act: () => Promise<unknown>) => {
    writing = writing.then(act).catch(() => undefined);
  };
  const log = (level: 'warn' | 'info', msg: string) => {
    const line = { level, time: new Date().toISOString(), component: 'guardian', msg };
    write(() => appendFile(logPath, `${JSON.stringify(line)}\n`, { mode: 0o600 }));
  };
  const timer = setInterval(() => {
    ticks += 1;
    if (isNoted || ticks < silentTicks) return;
    isNoted = true;
    const note: FreezeNote = { pid, since };
    log('warn', `the supervisor (process ${pid}) has not reacted since ${since}; nothing is ended`);
    write(() => writeFileAtomically(notePath, `${JSON.stringify(note)}\n`, 0o600));
  }, tickMs);

  return {
    heard() {
      ticks = 0;
      since = new Date().toISOString();
      if (!isNoted) return;
      isNoted = false;
      log('info', `the supervisor (process ${pid}) reacts again`);
      write(() => rm(notePath, { force: true }));
    },
    async end() {
      clearInterval(timer);
      if (isNoted) write(() => rm(notePath, { force: true }));
      await writing;
    },
  };
};
