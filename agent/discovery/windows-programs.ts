import { splitCommandLine } from '#runtime/windows/command-line-text.ts';
import { type WayToList, windowsLister } from '#runtime/windows/listing.ts';
import { type RunSystemProgram, runSystemProgram } from '#runtime/windows/system-program.ts';
import type { RunningProgram } from './running-program.ts';

/** One line of JSON per process; only these fields, since querying the owner of each takes seconds. */
const byPowershell = [
  '[Console]::OutputEncoding = [Text.Encoding]::UTF8;',
  'Get-CimInstance Win32_Process | ForEach-Object {',
  '@{ pid = $_.ProcessId; parent = $_.ParentProcessId; executable = $_.ExecutablePath; line = $_.CommandLine }',
  '| ConvertTo-Json -Compress }',
].join(' ');

const processes: WayToList = [
  'WindowsPowerShell\\v1.0\\powershell.exe',
  ['-NoProfile', '-NonInteractive', '-Command', byPowershell],
];
const services: WayToList = ['tasklist.exe', ['/SVC', '/FO', 'CSV', '/NH']];

interface Printed {
  readonly pid: number;
  readonly parent: number;
  readonly executable: string | null;
  readonly line: string | null;
}

/** Empty when PowerShell is unavailable: the well-known folders are still searched. */
export const listWindowsPrograms = async (
  run: RunSystemProgram = runSystemProgram,
): Promise<RunningProgram[]> => {
  const [running, servicesOf] = await Promise.all([
    windowsLister.list([processes], readPrinted, run).catch(() => []),
    windowsLister
      .list([services], servicesByPid, run)
      .catch((): ReturnType<typeof servicesByPid> => new Map()),
  ]);
  return running.map(({ pid, parent, executable, line }) => ({
    pid,
    executable,
    command: splitCommandLine(line ?? ''),
    // Windows does not reveal another process's folder; its servers are started from their own.
    workingFolder: executable === null ? null : executable.replace(/\\[^\\]*$/, ''),
    account: null,
    uid: null,
    unit: null,
    container: null,
    services: [...(servicesOf.get(pid) ?? []), ...(servicesOf.get(parent) ?? [])],
    listeningPorts: async () => portsOfPid(await run('netstat.exe', ['-ano']).catch(() => ''), pid),
  }));
};

const readPrinted = (printed: string): Printed[] =>
  printed.split(/\r?\n/).flatMap((line) => {
    try {
      return line.startsWith('{') ? [JSON.parse(line) as Printed] : [];
    } catch {
      return [];
    }
  });

/** From `tasklist /SVC /FO CSV`, by position, since its words are translated: name, pid, services. */
export const servicesByPid = (tasks: string): ReadonlyMap<number, readonly string[]> =>
  new Map(
    Array.from(tasks.matchAll(/^"[^"]*","(\d+)","([^"]*)"/gm), ([, pid, names = '']): [number, string[]] => [
      Number(pid),
      // A host of many services, such as svchost, runs no game; "N/A" is translated and contains a slash.
      names.includes('/') || names.includes(',') ? [] : [names],
    ]),
  );

const portsOfPid = (table: string, wanted: number): number[] => {
  const ports = table.split(/\r?\n/).flatMap((line) => {
    const [protocol, local, remote, , pid] = line.trim().split(/\s+/);
    const isOurs = protocol === 'TCP' && remote?.endsWith(':0') && Number(pid) === wanted;
    return isOurs ? [Number(local?.slice(local.lastIndexOf(':') + 1))] : [];
  });
  return [...new Set(ports)].sort((a, b) => a - b);
};
