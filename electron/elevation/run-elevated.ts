import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { plainCode } from '#contracts/kernel/windows-codes/windows-answer.ts';
import { type ElevatedAct, elevatedArguments } from './elevated-act.ts';
import { isElevated } from './is-elevated.ts';

/** How an act that needs an administrator's rights ended. */
export type ElevationOutcome = 'done' | 'refused' | 'impossible' | 'failed';

export interface Elevation {
  readonly outcome: ElevationOutcome;
  /** The program's exit code; where it never ran, Windows's own number as `asExitCode` writes it. */
  readonly exitCode: number;
}

/**
 * Performs an act with an administrator's rights to its end, however long that takes; Windows first asks the user, naming
 * the product. If they enter another account's password, it runs as that account: everything it needs to know about ours is
 * in the act.
 */
export type RunElevated = (act: ElevatedAct) => Promise<Elevation>;

/** Windows's number for a user who said no (ERROR_CANCELLED). */
const elevationRefused = 1223;
/** Windows's numbers for an account that must not do this (ERROR_ELEVATION_REQUIRED, ERROR_ACCESS_DISABLED_BY_POLICY). */
const elevationImpossible: readonly number[] = [740, 1260];

export const elevationOutcome = (exitCode: number): ElevationOutcome => {
  if (exitCode === 0) return 'done';
  const plain = plainCode(exitCode);
  if (plain === elevationRefused) return 'refused';
  return elevationImpossible.includes(plain) ? 'impossible' : 'failed';
};

const impossible: Elevation = { outcome: 'impossible', exitCode: 1 };

/**
 * Elevates the product's own program, which reads the act from its arguments (perform-elevated.ts) and does nothing else.
 * Where the rights are already there, Windows does not ask.
 */
export const elevationBy =
  ({
    program,
    programsFolder,
    node,
    isClosed,
    owner,
  }: {
    /** The product's own program; null where this runs from a checkout. */
    readonly program: string | null;
    readonly programsFolder: string;
    /** The Node executable. */
    readonly node: string;
    /** Whether no account without an administrator's rights could have replaced what would run. */
    readonly isClosed: () => Promise<boolean>;
    /** The handle of the window that the question belongs to; zero: none. */
    readonly owner: () => bigint;
  }): RunElevated =>
  async (act) => {
    if (process.platform !== 'win32' || program === null || !(await isClosed())) return impossible;
    const args = elevatedArguments(act);
    if (await isElevated()) {
      const exitCode = await run(program, args);
      return { outcome: exitCode === 0 ? 'done' : 'failed', exitCode };
    }
    const exitCode = await run(node, [join(programsFolder, 'elevate.mjs'), String(owner()), ...args]);
    return { outcome: elevationOutcome(exitCode), exitCode };
  };

/** @returns its exit code @throws when it cannot be started */
const run = async (program: string, args: readonly string[]): Promise<number> => {
  const child = spawn(program, [...args], { stdio: 'ignore', windowsHide: true });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
};
