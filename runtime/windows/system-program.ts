import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Runs a program of the system folder and returns its output. */
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

/** By full path: a bare name would be looked up in the current folder first. */
export const runSystemProgram: RunSystemProgram = async (program, args, timeoutMs = usualTimeoutMs) => {
  const options = { timeout: timeoutMs, windowsHide: true, maxBuffer };
  return (await run(join(systemFolder, program), [...args], options)).stdout;
};
