import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type WayToList, windowsLister } from '#runtime/windows/listing.ts';
import { type RunSystemProgram, systemFolder } from '#runtime/windows/system-program.ts';

interface WindowsProcess {
  readonly pid: number;
  readonly parent: number;
  /** As Windows prints it; together with the pid it names one process. */
  readonly created: string;
  /** Empty when Windows does not reveal it. */
  readonly program: string;
}

/** A file time, because a date is printed in the account's calendar. */
const byPowershell = [
  'Get-CimInstance Win32_Process | ForEach-Object {',
  "$created = ''; if ($_.CreationDate) { $created = $_.CreationDate.ToFileTimeUtc() };",
  "'{0}|{1}|{2}|{3}' -f $_.ProcessId, $_.ParentProcessId, $created, $_.ExecutablePath }",
].join(' ');

const script = `[Console]::OutputEncoding = [Text.Encoding]::UTF8; ${byPowershell}`;
const listing: WayToList = [
  'WindowsPowerShell\\v1.0\\powershell.exe',
  ['-NoProfile', '-NonInteractive', '-Command', script],
];

/** Newer versions of Windows no longer include wmic, and its output is in the system's code page, which corrupts paths. */
export const listWindowsProcesses = (run?: RunSystemProgram): Promise<readonly WindowsProcess[]> =>
  windowsLister.list([listing], parseWindowsProcesses, run);

const parseWindowsProcesses = (printed: string): readonly WindowsProcess[] =>
  Array.from(
    printed.matchAll(/^(\d+)\|(\d+)\|(\d*)\|(.*?)\r?$/gm),
    ([, pid, parent, created = '', program = '']) => ({
      pid: Number(pid),
      parent: Number(parent),
      created,
      program,
    }),
  );

/**
 * Processes that a process has started, and their descendants, the eldest first. Windows keeps the pid of an ended parent and
 * gives it to another process: times of creation tell whose child a process is.
 */
export const descendantsOf = (
  processes: readonly WindowsProcess[],
  root: Pick<WindowsProcess, 'pid' | 'created'>,
): readonly WindowsProcess[] => {
  const found: WindowsProcess[] = [];
  const parents = [root];
  for (let parent = parents.pop(); parent !== undefined; parent = parents.pop()) {
    const { pid, created } = parent;
    const successor = processes.find((one) => one.pid === pid && isLater(one.created, created));
    for (const one of processes) {
      if (one.parent !== pid || one.pid === pid || found.includes(one)) continue;
      if (!isLater(one.created, created) || (successor && isLater(one.created, successor.created))) continue;
      found.push(one);
      parents.push(one);
    }
  }
  return found.sort((a, b) => (isLater(a.created, b.created) ? 1 : -1));
};

/** False when one of them is unknown. */
const isLater = (created: string, than: string): boolean =>
  created !== '' && than !== '' && BigInt(created) > BigInt(than);

/** Windows counts its boots there; PowerShell would take seconds for the time of the last one. */
const bootCounter =
  'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Memory Management\\PrefetchParameters';

/** The same for every boot when the counter cannot be read. */
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
