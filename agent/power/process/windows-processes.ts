import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type RunSystemProgram, runSystemProgram, systemFolder } from '#runtime/windows/system-program.ts';

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

/** Windows counts its starts there; PowerShell would take seconds for the time of the last one. */
const bootCounter =
  'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Memory Management\\PrefetchParameters';

/** The same for every start where the counter cannot be read. */
export const readWindowsBoot = (): string => {
  try {
    const printed = execFileSync(join(systemFolder, 'reg.exe'), ['query', bootCounter, '/v', 'BootId'], {
      encoding: 'latin1',
      windowsHide: true,
      timeout: 5000,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return parseWindowsBoot(printed);
  } catch {
    return 'windows';
  }
};

export const parseWindowsBoot = (printed: string): string => {
  const count = /\bBootId\s+REG_DWORD\s+0x([0-9a-f]+)/i.exec(printed)?.[1];
  return count ? `windows-${Number.parseInt(count, 16)}` : 'windows';
};
