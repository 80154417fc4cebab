import { healthReasons } from '#contracts/operations/health-reasons.ts';

/** What waits to be sent to servers, and for how long. */
export interface Lag {
  /** How many have waited for more than an hour. */
  readonly overdue: number;
  /** How many of these the game has refused. */
  readonly refused: number;
  /** Names of servers with overdue ones. */
  readonly servers: readonly string[];
  /** How long the longest-waiting one has waited; null: none waits. */
  readonly oldestDueMs: number | null;
}

/** A game that is restarted, or refuses a few times, is back within this time. */
export const overdueMs = 3_600_000;
/** Rounds come every five seconds, and a long one reports its progress. */
const mostSilentMs = 120_000;
const mostNamed = 5;

/** @returns what is wrong, in sentences; empty: nothing */
export const describeLag = (
  { overdue, oldestDueMs, refused, servers, silentMs }: Lag & { readonly silentMs: number | null },
  words: {
    readonly notBegun: string;
    readonly silent: (seconds: number) => string;
    readonly overdue: (count: number) => string;
  },
): readonly string[] => {
  const hours = Math.floor((oldestDueMs ?? 0) / 3_600_000);
  const named = servers.slice(0, mostNamed).join(', ') + (servers.length > mostNamed ? ', …' : '');
  return [
    ...(silentMs === null ? [words.notBegun] : []),
    ...(silentMs !== null && silentMs > mostSilentMs ? [words.silent(Math.round(silentMs / 1000))] : []),
    ...(overdue === 0
      ? []
      : [
          words.overdue(overdue),
          hours < 48
            ? healthReasons['oldest-hours'](hours)
            : healthReasons['oldest-days'](Math.floor(hours / 24)),
          ...(servers.length > 0 ? [healthReasons['on-servers'](named)] : []),
          ...(refused > 0 ? [healthReasons['refused-by-game'](refused)] : []),
        ]),
  ];
};
