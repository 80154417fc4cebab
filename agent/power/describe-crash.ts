import { processEndText, shownCode } from '#contracts/kernel/windows-codes/windows-answer.ts';
import type { CrashVerdict } from './crash-verdict.ts';
import type { Sighting } from './ways/start-way.ts';

type Ended = Extract<Sighting, { is: 'ended' }>;
export type Crash = Pick<Ended, 'exit' | 'ranMs' | 'firstLine' | 'detail'>;

export const neverStarted = (detail: string): Crash => ({
  exit: { code: null, signal: null },
  ranMs: 0,
  firstLine: null,
  detail,
});

export const describeExit = ({ code, signal }: Ended['exit']): string => {
  if (signal !== null) return `signal ${signal}`;
  if (code === null) return 'exit code not known';
  return `exit code ${shownCode(code)}`;
};

/**
 * For people, including those who may not read the console: only the crash report contains the game's lines.
 * @param crashes how many count
 */
export const describeCrash = ({ exit, detail }: Crash, crashes: number, verdict: CrashVerdict): string =>
  [
    `The game ended (${describeExit(exit)}).`,
    exit.code === null ? null : processEndText(exit.code, 'en'),
    detail,
    verdict.kind === 'crash loop'
      ? `It crashed ${crashes} times and is not started again.`
      : `It is started again in ${Math.ceil(verdict.inMs / 1000)} s.`,
  ]
    .filter((part) => part !== null)
    .join(' ');
