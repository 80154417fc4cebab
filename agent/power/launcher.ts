import { randomUUID } from 'node:crypto';
import { isSameFault, type ProgramFault } from '#contracts/kernel/program-faults.ts';
import { processEndText, shownCode } from '#contracts/kernel/windows-codes/windows-answer.ts';
import type { Log } from '#runtime/log.ts';
import { waitFor } from './bring-down.ts';
import type { CrashReports } from './crash-reports.ts';
import { type CrashVerdict, countCrash, crashVerdict } from './crash-verdict.ts';
import type { KeptPowerRecord } from './power-record.ts';
import type { PowerTiming } from './power-timing.ts';
import { sinceBootMs } from './process/process-identity.ts';
import { faultText, otherStartFault, type StartFault } from './program/fault.ts';
import type { Sighting, StartWay } from './ways/start-way.ts';

/** Launches the game, looks at it and counts its crashes. Whether it should run is decided elsewhere. */
interface Launcher {
  /** What the last look found, or why the game is not started. */
  seen: Sighting | null;
  /** When that look began, in milliseconds since the boot. */
  readonly seenAtMs: number;
  /** When a crashed game is started again, in milliseconds since the boot; null: no start is planned. */
  nextStartMs: number | null;
  look(): Promise<Sighting>;
  upMs(running: Extract<Sighting, { is: 'running' }>): number;
  /** The game ended without being asked to: a crash, unless its program was not there. @returns what happened, for people */
  recordEnd(ended: Extract<Sighting, { is: 'ended' }>): Promise<StartFault>;
  /** The program was not there, and it is not time for another look. */
  isWaitingForProgram(): boolean;
  /** Looks for the program. @returns whether the game can be started, as far as that is known */
  findProgram(): Promise<boolean>;
  /** A start that fails counts as a crash, unless the program is not there. */
  launch(): Promise<{ readonly id: string; readonly fault: StartFault | null }>;
  /** @returns null when the game came up and stayed up for a while, else what happened */
  bringUp(signal: AbortSignal, onLook: () => void): Promise<StartFault | null>;
}

export const lookAgainMs = 250;

export const createLauncher = (options: {
  readonly way: StartWay;
  readonly record: KeptPowerRecord;
  readonly reports: CrashReports;
  /** The game's last lines, without secrets, from this line of the held console on. */
  readonly lastLines: (firstLine: number) => Promise<readonly string[]>;
  readonly timing: PowerTiming;
  readonly log: Log;
}): Launcher => {
  const { way, record, reports, lastLines, timing, log } = options;
  /** For the current run, if the way does not report it. */
  let runningSinceMs: number | null = null;
  let nextProgramLookMs = 0;
  let seenAtMs = 0;

  const waitForProgram = async (program: ProgramFault): Promise<StartFault> => {
    const { program: known, launch } = record.now();
    nextProgramLookMs = sinceBootMs() + timing.programLookMs;
    launcher.nextStartMs = null;
    const text = faultText(program);
    const isNew = !isSameFault(known, program);
    if (isNew) log.warn({ program }, `the game cannot be started: ${text}`);
    if (isNew || launch !== null) await record.change({ launch: null, program });
    const seconds = Math.ceil(timing.programLookMs / 1000);
    return {
      detail: `${text} The agent checks it every ${seconds} s, and starts the game when it can.`,
      program,
    };
  };
  const recordCrash = async (ended: Crash): Promise<StartFault> => {
    const { exit, firstLine, detail } = ended;
    const ranMs = ended.ranMs ?? (runningSinceMs === null ? null : sinceBootMs() - runningSinceMs);
    const lines = firstLine === null ? [] : [...(await lastLines(firstLine).catch(() => []))];
    const crashes = countCrash(record.now().crashes, sinceBootMs(), ranMs, timing.crashes);
    const verdict = crashVerdict(crashes, Math.random(), timing.crashes);
    const hasGivenUp = verdict.kind === 'crash loop';
    // First: if it cannot be written, the crash is not handled, and must not be reported again and again.
    await record.change({ launch: null, crashes: [...crashes], hasGivenUp, program: null });
    await reports.add({
      exitCode: exit.code,
      signal: exit.signal,
      ranMs,
      lines: detail === null ? lines : [...lines, detail],
    });
    launcher.nextStartMs = hasGivenUp ? null : sinceBootMs() + verdict.inMs;
    const { code: exitCode, signal } = exit;
    log.warn({ exitCode, signal, crashes: crashes.length }, `the game ended: ${describeExit(exit)}`);
    return otherStartFault(describeCrash(ended, crashes.length, verdict));
  };
  /** What cannot be told of a program does not keep its game from being started. */
  const inspect = (): Promise<ProgramFault | null> =>
    way.inspect(record.now().program).catch((error: Error) => {
      log.debug({ err: error }, "could not look for the game's program");
      return null;
    });

  const launcher: Launcher = {
    seen: null,
    get seenAtMs() {
      return seenAtMs;
    },
    nextStartMs: null,
    async look() {
      const begunMs = sinceBootMs();
      const now = await way.look();
      launcher.seen = now;
      seenAtMs = begunMs;
      if (now.is === 'running') runningSinceMs ??= sinceBootMs();
      return now;
    },
    upMs: (running) => running.upMs ?? sinceBootMs() - (runningSinceMs ?? sinceBootMs()),
    async recordEnd(ended) {
      const program = await way.explain(ended).catch(() => null);
      return program === null ? recordCrash(ended) : waitForProgram(program);
    },
    isWaitingForProgram: () => record.now().program !== null && sinceBootMs() < nextProgramLookMs,
    async findProgram() {
      const program = await inspect();
      if (program === null) return true;
      await waitForProgram(program);
      return false;
    },
    async launch() {
      const id = randomUUID();
      launcher.nextStartMs = null;
      runningSinceMs = null;
      await record.change({ launch: id });
      const fault = await way.start(id);
      if (fault === null) return { id, fault: null };
      const { program, detail } = fault;
      return { id, fault: await (program ? waitForProgram(program) : recordCrash(neverStarted(detail))) };
    },
    async bringUp(signal, onLook) {
      const { id, fault } = await launcher.launch();
      if (fault !== null) return fault;
      const beganMs = sinceBootMs();
      let isSettledMs: number | null = null;
      for (;;) {
        const now = await launcher.look();
        onLook();
        if (now.is === 'ended' && (now.launch === null || now.launch === id)) return launcher.recordEnd(now);
        if (now.is === 'running') isSettledMs ??= sinceBootMs() + timing.settleMs;
        if (isSettledMs !== null && sinceBootMs() >= isSettledMs && now.is === 'running') return null;
        if (sinceBootMs() - beganMs > timing.serviceMs)
          return otherStartFault(now.is === 'unknown' ? now.detail : 'The game has not come up yet.');
        await waitFor(Math.min(lookAgainMs, timing.pollMs), [signal]);
        signal.throwIfAborted();
      }
    },
  };
  return launcher;
};

type Ended = Extract<Sighting, { is: 'ended' }>;

type Crash = Pick<Ended, 'exit' | 'ranMs' | 'firstLine' | 'detail'>;

const neverStarted = (detail: string): Crash => ({
  exit: { code: null, signal: null },
  ranMs: 0,
  firstLine: null,
  detail,
});

export const describeExit = ({ code, signal }: Ended['exit']): string => {
  if (signal !== null) return `signal ${signal}`;
  if (code === null) return 'exit code not known';
  return `exit code ${shownCode(code)}`;
};

/**
 * For people, including those who may not read the console: only the crash report contains the game's lines.
 * @param crashes how many count
 */
const describeCrash = ({ exit, detail }: Crash, crashes: number, verdict: CrashVerdict): string =>
  [
    `The game ended (${describeExit(exit)}).`,
    exit.code === null ? null : processEndText(exit.code, 'en'),
    detail,
    verdict.kind === 'crash loop'
      ? `It crashed ${crashes} times and is not started again.`
      : `It is started again in ${Math.ceil(verdict.inMs / 1000)} s.`,
  ]
    .filter((part) => part !== null)
    .join(' ');
