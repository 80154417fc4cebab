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
  // Windows's own codes are known by their hexadecimal form.
  return code < 0x8000_0000
    ? `exit code ${code}`
    : `exit code 0x${code.toString(16).toUpperCase()}${windowsEnds[code] ?? ''}`;
};

/** ntstatus.h: ends of a program that Windows could not load. */
const windowsEnds: Readonly<Record<number, string>> = {
  3221225595: ', a library is for another kind of machine',
  3221225781: ', a library is missing',
  3221225785: ', a library is too old',
};

/**
 * For people, including those who may not read the console: only the crash report contains the game's lines.
 * @param crashes how many count
 */
export const describeCrash = ({ exit, detail }: Crash, crashes: number, verdict: CrashVerdict): string =>
  [
    `The game ended (${describeExit(exit)}).`,
    detail,
    verdict.kind === 'crash loop'
      ? `It crashed ${crashes} times and is not started again.`
      : `It is started again in ${Math.ceil(verdict.inMs / 1000)} s.`,
  ]
    .filter((part) => part !== null)
    .join(' ');
