import { type RunSystemProgram, runSystemProgram } from '#runtime/windows/system-program.ts';

export interface WindowsProcess {
  readonly pid: number;
  readonly parent: number;
  /** As Windows prints it; with the pid it names one process. */
  readonly created: string;
  /** Empty where Windows does not say. */
  readonly program: string;
}

/** A file time, because a date is printed in the calendar of the account. */
const byPowershell = [
  'Get-CimInstance Win32_Process | ForEach-Object {',
  "$created = ''; if ($_.CreationDate) { $created = $_.CreationDate.ToFileTimeUtc() };",
  "'{0}|{1}|{2}|{3}' -f $_.ProcessId, $_.ParentProcessId, $created, $_.ExecutablePath }",
].join(' ');

/** wmic is gone from newer versions of Windows, and what it prints is of the system's code page: paths are lost in it. */
export const listWindowsProcesses = async (
  run: RunSystemProgram = runSystemProgram,
): Promise<readonly WindowsProcess[]> =>
  parseWindowsProcesses(
    await run('WindowsPowerShell\\v1.0\\powershell.exe', [
      '-NoProfile',
      '-NonInteractive',
      '-Command',
      `[Console]::OutputEncoding = [Text.Encoding]::UTF8; ${byPowershell}`,
    ]),
  );

export const parseWindowsProcesses = (printed: string): readonly WindowsProcess[] =>
  Array.from(
    printed.matchAll(/^(\d+)\|(\d+)\|(\d*)\|(.*?)\r?$/gm),
    ([, pid, parent, created = '', program = '']) => ({
      pid: Number(pid),
      parent: Number(parent),
      created,
      program,
    }),
  );
