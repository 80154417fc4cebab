import { longestCountdown, type ProcessReport } from '#contracts/agent-tasks.ts';
import type { GameServerStatus, ShownState } from '#contracts/game-servers.ts';

/** A game that loads its world answers late, and a console may miss a beat. */
export const consolePatienceMs = 90_000;

/** A countdown, and what a large world then takes to save. */
const longestStopMs = longestCountdown * 1000 + 1_800_000;

/** The game's process, as its agent told it. */
export interface ToldProcess {
  readonly report: Pick<ProcessReport, 'state' | 'upMs' | 'nextStartInMs'>;
  /** When the agent told it. */
  readonly atMs: number;
  /** When the agent was last heard of; null: it is there. */
  readonly lostAtMs: number | null;
}

export interface CombinedFacts {
  readonly nowMs: number;
  readonly console: GameServerStatus['state'];
  /** The game's console is known at all. */
  readonly hasConsole: boolean;
  /** Null: no agent has told of one. */
  readonly process: ToldProcess | null;
}

/**
 * What is said of a server, from its process and its console. A game that answers runs, even where its agent has not started it; without that,
 * nothing is claimed of a process whose agent is away.
 */
export const combineState = ({ nowMs, console, hasConsole, process }: CombinedFacts): ShownState => {
  if (!process) return console;
  const { state, upMs, nextStartInMs } = process.report;
  if (state === 'unmanaged' || state === 'unknown') return console;
  if (process.lostAtMs !== null) return console === 'online' || console === 'starting' ? console : 'lost';
  const agedMs = Math.max(0, nowMs - process.atMs);
  switch (state) {
    case 'running':
      if (console === 'online') return 'online';
      if (!hasConsole) return 'running';
      return (upMs ?? 0) + agedMs < consolePatienceMs ? 'starting' : 'console-silent';
    case 'starting':
      return console === 'online' ? 'online' : 'starting';
    case 'stopping':
      // A countdown runs while the game answers.
      return console === 'online' && agedMs > longestStopMs ? 'online' : state;
    default:
      // The console's last beat may be older than the end of the process.
      return console === 'online' && agedMs > Math.max(consolePatienceMs, nextStartInMs ?? 0)
        ? 'online'
        : state;
  }
};
