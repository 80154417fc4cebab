import { execFile } from 'node:child_process';
import { basename, extname, join, win32 } from 'node:path';
import { promisify } from 'node:util';
import { type WindowsAnswer, windowsAnswerText } from '#contracts/kernel/windows-codes/windows-answer.ts';

/** Runs a program of the system folder and returns its output. Rejects with SystemProgramError. */
export type RunSystemProgram = (
  program: string,
  args: readonly string[],
  timeoutMs?: number,
) => Promise<string>;

/** A cold PowerShell takes seconds. */
const usualTimeoutMs = 15_000;
/** A machine with tens of thousands of connections lists them all. */
const maxBuffer = 4 * 2 ** 20;

const run = promisify(execFile);

// biome-ignore lint/style/noProcessEnv: Windows defines its own location
export const systemFolder = join(process.env.SystemRoot ?? 'C:\\Windows', 'System32');

/** Its words are those of the table of Windows's numbers, since the program's own are in the language and code page of Windows. */
export class SystemProgramError extends Error {
  override readonly name = 'SystemProgramError';
  /** The exit code; the system's own where the program did not start; null where it was ended. */
  readonly code: number | string | null;
  /** What Windows answered; null where it did not. */
  readonly answer: WindowsAnswer | null;
  /** Whether it was ended because it had not answered in time. */
  readonly isSilent: boolean;

  constructor(
    asked: string,
    failure: { readonly code?: unknown; readonly killed?: boolean },
    cause: unknown,
  ) {
    const { code, killed } = failure;
    const answer = typeof code === 'number' ? { asked, code } : null;
    const text = answer
      ? windowsAnswerText(answer, 'en')
      : `${asked}: ${killed ? 'Windows does not answer. Restart Windows if that stays so.' : String(code ?? 'it was ended')}`;
    super(text, { cause });
    this.code = typeof code === 'number' || typeof code === 'string' ? code : null;
    this.answer = answer;
    this.isSilent = killed === true;
  }
}

const longestAsked = 200;

/** As a person would type it, without what follows the first two arguments: paths and scripts make it long. */
export const askedOf = (program: string, args: readonly string[]): string => {
  const name = basename(win32.basename(program), extname(program));
  const shown = name === 'powershell' || name === 'wmic' ? [] : args.slice(0, 2);
  return [name, ...shown].join(' ').slice(0, longestAsked);
};

/** By full path: a bare name would be looked up in the current folder first. */
export const runSystemProgram: RunSystemProgram = async (program, args, timeoutMs = usualTimeoutMs) => {
  const options = { timeout: timeoutMs, windowsHide: true, maxBuffer };
  try {
    return (await run(join(systemFolder, program), [...args], options)).stdout;
  } catch (error) {
    throw new SystemProgramError(
      askedOf(program, args),
      error as { code?: unknown; killed?: boolean },
      error,
    );
  }
};
