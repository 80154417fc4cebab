import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ProgramFault } from '#contracts/kernel/program-faults.ts';
import { lookAtProcess } from '../process/linux-processes.ts';
import { sinceBootMs } from '../process/process-identity.ts';
import { fault, otherStartFault } from '../program/fault.ts';
import { isLoadFailure, stillMissing } from '../program/libraries.ts';
import { serviceProgramFault } from '../program/service-program.ts';
import type { CheckedWay, Sighting } from './start-way.ts';

type RunSystemctl = (args: readonly string[]) => Promise<string>;

const run = promisify(execFile);
const timeoutMs = 15_000;

const runSystemctl: RunSystemctl = async (args) =>
  (
    await run('systemctl', [...args], {
      timeout: timeoutMs,
      // People read its words, and we read its values.
      // biome-ignore lint/style/noProcessEnv: it finds the bus there
      env: { ...process.env, LC_ALL: 'C' },
    })
  ).stdout;

/** systemctl(1), org.freedesktop.systemd1(5). */
const properties = [
  'LoadState',
  'ActiveState',
  'SubState',
  'MainPID',
  'ExecMainCode',
  'ExecMainStatus',
  'ExecMainStartTimestampMonotonic',
  'ExecMainExitTimestampMonotonic',
  'Result',
  'InvocationID',
  'Job',
  'ExecStart',
  'ExecStartPre',
  'WorkingDirectory',
  'RootDirectory',
  'RootImage',
];

/** systemd's own exit codes for a process that did not become the unit's program (systemd.exec(5)): CHDIR and EXEC. */
const notRun = { folder: 200, program: 203 };

/** The game as a systemd unit; no other unit is ever named. */
export const openSystemdWay = (unit: string, systemctl: RunSystemctl = runSystemctl): CheckedWay => {
  const order = async (...args: string[]): Promise<string | null> => {
    try {
      await systemctl([...args, '--', unit]);
      return null;
    } catch (error) {
      return describeRefusal(unit, error as RunFailure);
    }
  };
  let orderedMs: number | null = null;
  let unitNow: UnitProgram | null = null;
  /** The fault of the unit's program by its file; null when none can be told. */
  const programFault = async (): Promise<ProgramFault | null> =>
    unitNow === null ? null : serviceProgramFault(unitNow.path, unitNow.folder);
  const explainExit = async (code: number | null): Promise<ProgramFault | null> => {
    const isRefused = code === notRun.program || code === notRun.folder;
    if (!isRefused && !isLoadFailure({ code, signal: null })) return null;
    const found = await programFault();
    if (found !== null || !isRefused) return found;
    return fault('unit-program', unit);
  };
  return {
    method: 'systemd',
    takesShutdownCommand: false,
    async look() {
      try {
        const printed = await systemctl(['show', `--property=${properties.join(',')}`, '--', unit]);
        const values = unitValues(printed);
        unitNow = unitProgram(values);
        const seen = readUnit(unit, printed, orderedMs);
        // It restarts by itself, again and again.
        if (seen.is !== 'changing' || values.get('SubState') !== 'auto-restart') return seen;
        return { ...seen, program: await explainExit(Number(values.get('ExecMainStatus'))) };
      } catch (error) {
        return { is: 'unknown', detail: describeRefusal(unit, error as RunFailure) };
      }
    },
    async start() {
      orderedMs = sinceBootMs();
      const refusal = await order('start', '--no-block');
      return refusal === null ? null : otherStartFault(refusal);
    },
    // Not before a start: the unit's mounts and its own preparations may bring the program.
    inspect: async (known) =>
      known === null || known.code === 'unit-program'
        ? null
        : known.code === 'library-missing'
          ? stillMissing(known, unitNow?.folder ?? '/')
          : programFault(),
    explain: ({ exit }) => explainExit(exit.code),
    check: async () => (unitNow?.isPrepared ? null : programFault()),
    stop: () => order('stop', '--no-block'),
    // A unit with Restart= would come back: it is stopped first, which is immediate for a killed unit.
    async kill() {
      const refusal = await order('stop', '--no-block');
      await order('kill', '--signal=SIGKILL');
      return refusal;
    },
    write: null,
    onChange: () => undefined,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
};

interface RunFailure extends Error {
  readonly code?: number | string;
  readonly stderr?: string;
}

const describeRefusal = (unit: string, { code, stderr }: RunFailure): string => {
  if (code === 'ENOENT') return 'This machine has no systemctl.';
  const said = stderr?.trim().split('\n')[0] ?? '';
  if (/access denied|authentication (?:is )?required|authorized/i.test(said))
    return `This agent's account may not control ${unit}. Run "castellan-agent install" again, which writes the rule for it.`;
  return `systemctl does not obey for ${unit}: ${said || `it answers ${code}`}`;
};

interface UnitProgram {
  readonly path: string;
  readonly folder: string;
  /** Something that the unit runs first may bring the program. */
  readonly isPrepared: boolean;
}

/** Null when the unit's program cannot be found from here. */
const unitProgram = (values: ReadonlyMap<string, string>): UnitProgram | null => {
  const path = /^\{ path=(.*?) ; argv\[\]=/.exec(values.get('ExecStart') ?? '')?.[1];
  if (path === undefined || values.get('RootDirectory') || values.get('RootImage')) return null;
  // "!" marks a folder that may be missing.
  const folder = (values.get('WorkingDirectory') ?? '').replace(/^!/, '') || '/';
  return { path, folder, isPrepared: (values.get('ExecStartPre') ?? '') !== '' };
};

const unitValues = (printed: string): ReadonlyMap<string, string> =>
  new Map(
    printed.split('\n').map((line): [string, string] => {
      const at = line.indexOf('=');
      return [line.slice(0, at), line.slice(at + 1)];
    }),
  );

/**
 * Reads the output of `systemctl show`, one property per line.
 * @param orderedMs when this agent ordered the last start, in milliseconds since the start of the machine; null when it did not
 */
export const readUnit = (unit: string, printed: string, orderedMs: number | null): Sighting => {
  const values = unitValues(printed);
  const value = (name: string): string => values.get(name) ?? '';
  const startedMs = Number(value('ExecMainStartTimestampMonotonic')) / 1000;
  const endedMs = Number(value('ExecMainExitTimestampMonotonic')) / 1000;
  const launch = value('InvocationID') || null;
  if (value('LoadState') === 'not-found')
    return {
      is: 'unknown',
      detail: `There is no unit ${unit} on this machine. Check "unit" in the configuration.`,
    };

  switch (value('ActiveState')) {
    case 'active':
    case 'reloading':
    case 'refreshing':
      return runningUnit(Number(value('MainPID')), startedMs, launch, value('SubState'));
    case 'activating':
      return { is: 'changing', to: 'running' };
    case 'deactivating':
      return { is: 'changing', to: 'stopped' };
    case 'inactive':
    case 'failed':
      // A start that waits, for a mount or for the network: the unit still shows its previous run.
      if (!['', '0'].includes(value('Job'))) return { is: 'changing', to: 'running' };
      if (orderedMs !== null && !(startedMs >= orderedMs)) return neverRan(unit, value('Result'));
      // It has not run since the machine started.
      if (!(startedMs > 0)) return { is: 'absent' };
      return {
        is: 'ended',
        // A unit that is down keeps the id of its last run, or has none.
        launch: null,
        exit: exitOf(value('ExecMainCode'), Number(value('ExecMainStatus'))),
        firstLine: null,
        ranMs: endedMs > startedMs ? endedMs - startedMs : null,
        wasStopped: value('ActiveState') === 'inactive' && value('Result') === 'success',
        detail:
          value('ActiveState') === 'failed' ? `systemd calls ${unit} failed: ${value('Result')}.` : null,
      };
    default:
      return { is: 'unknown', detail: `What systemd says of ${unit} cannot be read.` };
  }
};

/** The order's job is done, and the unit's program has not run since. */
const neverRan = (unit: string, why: string): Sighting => ({
  is: 'ended',
  launch: null,
  exit: { code: null, signal: null },
  ranMs: 0,
  firstLine: null,
  wasStopped: false,
  detail: `systemd has not started ${unit} (${why}). "systemctl status ${unit}" and its journal say why.`,
});

const runningUnit = (pid: number, startedMs: number, launch: string | null, sub: string): Sighting => {
  if (sub === 'exited')
    return {
      is: 'unknown',
      detail: 'The unit counts as active although its program has ended: it has RemainAfterExit=yes.',
    };
  if (!(pid > 0))
    return { is: 'running', launch, pid: null, upMs: null, detail: 'systemd knows no main process.' };
  if (lookAtProcess(pid) === null) return { is: 'changing', to: 'stopped', hasEnded: true };
  return {
    is: 'running',
    launch,
    pid,
    upMs: startedMs > 0 ? Math.max(0, sinceBootMs() - startedMs) : null,
    detail: null,
  };
};

/** CLD_EXITED, CLD_KILLED and CLD_DUMPED of waitid(2). */
const signalNames: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  15: 'SIGTERM',
};
const exitOf = (code: string, status: number): { code: number | null; signal: string | null } => {
  if (code === '1') return { code: status, signal: null };
  if (code === '2' || code === '3') return { code: null, signal: signalNames[status] ?? `signal ${status}` };
  return { code: null, signal: null };
};
