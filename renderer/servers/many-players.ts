import type { Ban } from '#contracts/people/bans.ts';
import type { ModerationReport } from '#contracts/people/players.ts';
import type { CommandOutcome, GameId } from '#contracts/servers/games.ts';
import type { EachResult } from '../kit/work/run-each.ts';
import { failureVerdict } from '../kit/work/work-run.ts';

/** A selected player, and the server for the action. */
export interface ManyTarget {
  readonly player: { readonly id: string; readonly name: string };
  readonly server: { readonly id: string; readonly name: string };
}

/** A selected player to ban, and their game. */
export interface BanTarget {
  readonly id: string;
  readonly name: string;
  readonly game: GameId;
}

/** A ban that the API has stored, and the time of the request. */
export interface KeptBan {
  readonly ban: Ban;
  readonly askedMs: number;
}

export type ManyResult = EachResult<{ readonly report: ModerationReport } | KeptBan>;

/** Whether it has certainly happened: for a ban, that it is stored. */
export const isDone = (result: ManyResult | 'running' | undefined): boolean =>
  result !== undefined &&
  result !== 'running' &&
  ('ban' in result || ('report' in result && result.report.verdict === 'done'));

/** After these, the game may have received it. */
const unsureOutcomes: readonly CommandOutcome[] = ['answered', 'timeout', 'connection lost', 'unknown'];

/** Whether it may have happened, so that repeating it could do it twice. */
const isUnsure = (result: ManyResult): boolean => {
  if ('error' in result) return failureVerdict(result.error).kind === 'failed, halt';
  if (!('report' in result)) return false;
  const { verdict, outcome } = result.report;
  return verdict === null ? unsureOutcomes.includes(outcome) : verdict === 'unproven' || verdict === 'later';
};

/** The names of those for whom it has not happened, and of those for whom it is unknown. */
export const leftOf = (
  ended: readonly { readonly name: string; readonly result: ManyResult }[],
): { readonly notDone: readonly string[]; readonly unsure: readonly string[] } => {
  const left = ended.filter(({ result }) => !isDone(result));
  return {
    notDone: left.filter(({ result }) => !isUnsure(result)).map(({ name }) => name),
    unsure: left.filter(({ result }) => isUnsure(result)).map(({ name }) => name),
  };
};

/**
 * Which players are banned where. A server of another game would not know the player.
 * @param servers null: all servers of each player's game
 */
export const planBans = (
  targets: readonly BanTarget[],
  servers: readonly { readonly id: string; readonly game: GameId }[] | null,
): {
  readonly bans: readonly { readonly target: BanTarget; readonly servers: 'all' | readonly string[] }[];
  readonly leftOut: readonly BanTarget[];
} => {
  if (servers === null) return { bans: targets.map((target) => ({ target, servers: 'all' })), leftOut: [] };
  const planned = targets.map((target) => ({
    target,
    servers: servers.filter(({ game }) => game === target.game).map(({ id }) => id),
  }));
  return {
    bans: planned.filter(({ servers: ids }) => ids.length > 0),
    leftOut: planned.filter(({ servers: ids }) => ids.length === 0).map(({ target }) => target),
  };
};
