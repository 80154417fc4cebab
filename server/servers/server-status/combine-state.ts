import { longestCountdown, type ProcessReport } from '#contracts/servers/agent-tasks.ts';
import type { GameServerStatus, ShownState } from '#contracts/servers/game-servers.ts';

/** A game responds late while it loads its world, and a console may miss a beat. */
export const consolePatienceMs = 90_000;

/** A countdown, plus the time a large world takes to save. */
const longestStopMs = longestCountdown * 1000 + 1_800_000;

/** The game's process, as its agent reported it. */
export interface ToldProcess {
  readonly report: Pick<ProcessReport, 'state' | 'upMs' | 'nextStartInMs' | 'program'>;
  /** When the agent reported it. */
  readonly atMs: number;
  /** When the agent was last heard from; null: it is connected. */
  readonly lostAtMs: number | null;
}

export interface CombinedFacts {
  readonly nowMs: number;
  readonly console: GameServerStatus['state'];
  /** When the console answered last; null: not known. */
  readonly answeredAtMs: number | null;
  /** Whether there is a known game console at all. */
  readonly hasConsole: boolean;
  /** Null: no agent has reported one. */
  readonly process: ToldProcess | null;
}

/**
 * The server's displayed state, from its process and its console. A game that responds is running, even if its agent has not
 * started it; without a response, nothing is claimed about a process whose agent is away.
 */
export const combineState = (facts: CombinedFacts): ShownState => {
  const { nowMs, console, hasConsole, process } = facts;
  if (!process) return console;
  const { state, upMs, nextStartInMs, program } = process.report;
  if (state === 'unmanaged' || state === 'unknown') return console;
  if (process.lostAtMs !== null) return console === 'online' || console === 'starting' ? console : 'lost';
  const agedMs = Math.max(0, nowMs - process.atMs);
  switch (state) {
    case 'running':
      if (answersNow(facts, process)) return 'online';
      if (!hasConsole) return 'running';
      return (upMs ?? 0) + agedMs < consolePatienceMs ? 'starting' : 'console-silent';
    case 'starting':
      if (answersNow(facts, process)) return 'online';
      return program ? 'program-fault' : 'starting';
    case 'stopping':
      // The game still responds during a countdown.
      return console === 'online' && agedMs > longestStopMs ? 'online' : state;
    default:
      // The console's last beat may predate the end of the process.
      return console === 'online' && agedMs > Math.max(consolePatienceMs, nextStartInMs ?? 0)
        ? 'online'
        : program
          ? 'program-fault'
          : state;
  }
};

/** What answered before the process began was an earlier one, and nothing may listen yet. */
const answersNow = (
  { console, answeredAtMs }: CombinedFacts,
  { report: { state, upMs }, atMs }: ToldProcess,
): boolean => {
  if (console !== 'online') return false;
  if (answeredAtMs === null || (state === 'running' && upMs === null)) return true;
  return answeredAtMs >= atMs - (state === 'running' ? (upMs ?? 0) : 0);
};
