import { spawnSync } from 'node:child_process';
import { win32 } from 'node:path';
import { readElevatedArguments } from './elevated-act.ts';
import { elevatedCalls, elevatedEnv } from './elevated-calls.ts';
import { readWindowsFolders, type WindowsFolders } from './windows-folders.ts';

/** The exit code of any command with unknown arguments. */
const refusedExitCode = 2;

/**
 * The elevated half of `runElevated`. Windows has asked the user whether this program may change the machine; it performs
 * the one act of its arguments and nothing else: no window, no page, nothing from the account's profile. It blocks its thread
 * to the end, so that Electron never starts its own processes with these rights.
 * @returns the exit code; null where the arguments ask for no such act
 */
export const performElevated = (
  args: readonly string[],
  programsFolder: string,
  variables: Readonly<Record<string, string | undefined>>,
): number | null => {
  const act = readElevatedArguments(args);
  if (act === 'none') return null;
  if (act === 'refused' || process.platform !== 'win32') return refusedExitCode;
  const folders = knownFolders();
  if (folders === null) return refusedExitCode;
  const system = win32.join(folders.root, 'System32');
  const env = elevatedEnv(variables, folders);
  for (const { program, args: given, mayFail, timeoutMs } of elevatedCalls(act, programsFolder, system)) {
    const { status, error } = spawnSync(program, given, {
      env,
      cwd: system,
      stdio: 'ignore',
      windowsHide: true,
      ...(timeoutMs !== null && { timeout: timeoutMs }),
    });
    if (!mayFail && (error || status !== 0)) return status || 1;
  }
  return 0;
};

/** Null where Windows does not name them: the environment is not trusted instead. */
const knownFolders = (): WindowsFolders | null => {
  try {
    return readWindowsFolders();
  } catch (error) {
    process.stderr.write(`could not run as administrator: ${(error as Error).message}\n`);
    return null;
  }
};
