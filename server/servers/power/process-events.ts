import type { EventPayload } from '#contracts/kernel/event-kinds.ts';
import { isSameFault } from '#contracts/kernel/program-faults.ts';
import type { CrashReport, ProcessReport, ProcessState } from '#contracts/servers/agent-tasks.ts';

/** A process as reported, with the time of its last crash, of which a report gives only the age. */
export interface KnownProcess {
  readonly report: ProcessReport;
  readonly atMs: number;
  readonly crashAtMs: number | null;
}

type ProcessEvent =
  | { readonly kind: 'server.started' | 'server.stopped'; readonly atMs: number }
  | {
      readonly kind: 'server.crashed';
      readonly atMs: number;
      readonly payload: Omit<EventPayload<'server.crashed'>, 'name'>;
    }
  | {
      readonly kind: 'server.program-fault';
      readonly atMs: number;
      readonly payload: Omit<EventPayload<'server.program-fault'>, 'name'>;
    }
  | {
      readonly kind: 'server.crash-looping';
      readonly atMs: number;
      readonly payload: Omit<EventPayload<'server.crash-looping'>, 'name'>;
    };

/** A delayed frame makes a crash look younger. */
const sameCrashMs = 60_000;

/** States in which a game that now runs was not up. */
const downStates: ReadonlySet<ProcessState> = new Set([
  'stopped',
  'starting',
  'backing-off',
  'crash-looping',
]);
const upStates: ReadonlySet<ProcessState> = new Set(['starting', 'running', 'stopping']);

/**
 * What has happened between two reports, however far apart they are. Nothing is known before a server's first report, so
 * only what is wrong in it is reported.
 */
export const processEvents = (
  before: KnownProcess | null,
  report: ProcessReport,
  atMs: number,
): { readonly known: KnownProcess; readonly events: readonly ProcessEvent[] } => {
  // The earlier state decides what has happened once the state is known again.
  if (before && report.state === 'unknown') return { known: before, events: [] };
  const crashAtMs = crashTime(before, report, atMs);
  // A known crash stays known even if the agent has forgotten it.
  const lastCrash = report.lastCrash ?? before?.report.lastCrash ?? null;
  const known = { report: withKnownProgram(before, { ...report, lastCrash }), atMs, crashAtMs };
  const events: ProcessEvent[] = [];
  const isCrashNew =
    report.lastCrash !== null &&
    crashAtMs !== null &&
    crashAtMs !== before?.crashAtMs &&
    (before !== null || report.state === 'backing-off' || report.state === 'crash-looping');
  if (isCrashNew && report.lastCrash)
    events.push({
      kind: 'server.crashed',
      atMs: crashAtMs,
      payload: { ...endOf(report.lastCrash), crashes: report.crashes },
    });
  if (report.state === 'crash-looping' && before?.report.state !== 'crash-looping')
    events.push({ kind: 'server.crash-looping', atMs, payload: { crashes: report.crashes } });
  const { program } = report;
  if (program && !isSameFault(program, before?.report.program ?? null))
    events.push({ kind: 'server.program-fault', atMs, payload: program });
  if (!before) return { known, events };
  const last = before.report;
  const isOther = report.pid !== null && last.pid !== null && report.pid !== last.pid;
  // An agent sends only its newest report: one right after a stop hides that the game was down.
  const wasDown =
    report.state === 'stopped' || isOther || (report.state === 'starting' && last.state === 'stopping');
  // A start of a program that is not there was none.
  const wasUp = upStates.has(last.state) && !(program && last.state === 'starting');
  if (wasDown && wasUp && !isCrashNew) events.push({ kind: 'server.stopped', atMs });
  if (report.state === 'running' && (isOther || downStates.has(last.state)))
    events.push({ kind: 'server.started', atMs });
  return { known, events };
};

/** A start on request, which fails again, does not make the fault of the program a new one. */
const withKnownProgram = (before: KnownProcess | null, report: ProcessReport): ProcessReport => {
  const program = report.program ?? (report.state === 'starting' ? before?.report.program : undefined);
  return program ? { ...report, program } : report;
};

/** Returns the known time if the report is about the same crash. */
const crashTime = (before: KnownProcess | null, report: ProcessReport, atMs: number): number | null => {
  const { lastCrash } = report;
  if (!lastCrash) return before?.crashAtMs ?? null;
  const crashAtMs = Math.round(atMs - lastCrash.ageMs);
  const known = before?.crashAtMs ?? null;
  if (known === null || !before?.report.lastCrash) return crashAtMs;
  // A repeated report of an unchanged game, whatever was done to the clock: another crash would raise the count, or be
  // reported after the game had come up.
  const isAgain =
    report.crashes > 0 &&
    report.crashes === before.report.crashes &&
    report.state === before.report.state &&
    report.pid === before.report.pid;
  const isSame =
    isSameEnd(before.report.lastCrash, lastCrash) &&
    report.crashes <= before.report.crashes &&
    (isAgain || Math.abs(crashAtMs - known) < sameCrashMs);
  return isSame ? known : crashAtMs;
};

const isSameEnd = (one: CrashReport, other: CrashReport): boolean =>
  one.exitCode === other.exitCode &&
  one.signal === other.signal &&
  one.lines.length === other.lines.length &&
  one.lines.every((line, index) => line === other.lines[index]);

/** Without the game's last lines: people who may read events may lack the permission to read consoles. */
const endOf = ({ exitCode, signal }: CrashReport) => ({ exitCode, signal });
