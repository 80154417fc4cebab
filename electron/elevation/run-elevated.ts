import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { systemFolder } from '#runtime/windows/system-program.ts';
import { type ElevationOutcome, elevatedCommand, elevationOutcome } from './elevated-command.ts';
import { isElevated } from './is-elevated.ts';

export interface Elevation {
  readonly outcome: ElevationOutcome;
  /** Of the program; where it never ran, Windows's own number. */
  readonly exitCode: number;
}

/**
 * Runs a program with an administrator's rights to its end, however long that takes; Windows asks the person first.
 * Whoever enters another account's password there makes it run as that account: what it needs to know about ours has
 * to stand in its arguments, and nothing secret may.
 * @param program its full path
 */
export type RunElevated = (program: string, args: readonly string[]) => Promise<Elevation>;

const powershell = join(systemFolder, 'WindowsPowerShell', 'v1.0', 'powershell.exe');

export const runElevated: RunElevated = async (program, args) => {
  if (await isElevated()) {
    const exitCode = await run(program, args);
    return { outcome: exitCode === 0 ? 'done' : 'failed', exitCode };
  }
  try {
    const exitCode = await run(powershell, elevatedCommand(program, args));
    return { outcome: elevationOutcome(exitCode), exitCode };
  } catch (error) {
    // Taken away by a policy; without it there is nobody to ask Windows for us.
    const isMissing = ['ENOENT', 'EACCES', 'EPERM', 'UNKNOWN'].includes(
      (error as NodeJS.ErrnoException).code ?? '',
    );
    if (isMissing) return { outcome: 'impossible', exitCode: 1 };
    throw error;
  }
};

/** @returns its exit code @throws when it cannot be started */
const run = async (program: string, args: readonly string[]): Promise<number> => {
  const child = spawn(program, [...args], { stdio: 'ignore', windowsHide: true });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
};
