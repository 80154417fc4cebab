import { withoutReply } from '#contracts/servers/games.ts';
import type { RunOptions } from '#games/connection.ts';
import type { ListedPlayer, Reading } from '#games/game.ts';
import { gameOf } from '#games/games.ts';
import { readListing } from '#games/read-listing.ts';
import type { RunResult } from '../../kernel/commands/routes.ts';
import {
  type LinkableServer,
  type LinkReading,
  openPooledConsole,
  type PooledConsole,
  type PooledConsoleOptions,
} from './pooled-console.ts';

interface ConsolePoolOptions extends PooledConsoleOptions {
  readonly servers: {
    get(id: string): LinkableServer | null;
    all(): readonly LinkableServer[];
    subscribe(listener: () => void): () => void;
  };
  /** Its Game Agent is there: then only the agent uses the console. */
  readonly isAgentPresent: (serverId: string) => boolean;
  /** By the license at this moment. */
  readonly mayConnect: () => boolean;
}

/** The direct connections to the consoles of games. */
export type ConsolePool = ReturnType<typeof createConsolePool>;

/** For a list of players; ARK: Survival Ascended may take its time. */
const listingTimeoutMs = 15_000;

/** `unanswered`: why there is no list, for people. */
type PlayersListing = Reading<readonly ListedPlayer[]> | { readonly unanswered: RunResult | null };

export const createConsolePool = (options: ConsolePoolOptions) => {
  const { servers, isAgentPresent, mayConnect } = options;
  const links = new Map<string, PooledConsole>();
  /** Links of servers that have changed or have an agent now: they end after their last command. */
  const retiring = new Map<PooledConsole, Promise<void>>();
  let closed = false;

  const retire = (serverId: string, link: PooledConsole) => {
    links.delete(serverId);
    const ended = link.retire().finally(() => retiring.delete(link));
    retiring.set(link, ended);
  };

  const isWanted = ({ id, host }: LinkableServer): boolean =>
    !closed && host !== null && mayConnect() && !isAgentPresent(id);

  const reconsiderOne = (id: string) => {
    const server = servers.get(id);
    const wanted = server && isWanted(server) ? server : null;
    const link = links.get(id);
    if (link && !(wanted && link.fits(wanted))) retire(id, link);
    if (wanted && !links.has(id)) links.set(id, openPooledConsole(wanted, options));
  };
  const reconsiderAll = () => {
    for (const id of [...links.keys()]) reconsiderOne(id);
    for (const { id } of servers.all()) reconsiderOne(id);
  };
  // Immediately: nothing goes to an address that is no longer the server's.
  const unsubscribe = servers.subscribe(reconsiderAll);
  let soon: NodeJS.Immediate | undefined;
  const due = new Set<string>();
  let isAllDue = false;

  const run = async (serverId: string, command: string, runOptions: RunOptions): Promise<RunResult | null> =>
    (await links.get(serverId)?.run(command, runOptions)) ?? null;

  return {
    /** Whether there is a direct link at this moment. */
    has: (serverId: string): boolean => links.has(serverId),
    /** Never rejects. Null when there is no direct link. */
    run,
    /** Null when there is no direct link. */
    read: (serverId: string): LinkReading | null => links.get(serverId)?.read() ?? null,
    async listPlayers(
      serverId: string,
      runOptions: RunOptions = { timeoutMs: listingTimeoutMs },
    ): Promise<PlayersListing> {
      const link = links.get(serverId);
      if (!link) return { unanswered: null };
      // It retries by itself; a caller that wants the players of all servers has others to ask in the meantime.
      const { status, failure } = link.read().state;
      if (failure && status !== 'ready')
        return { unanswered: { result: withoutReply(failure.outcome), detail: failure.detail } };
      const { listPlayers } = gameOf(link.game);
      let run = await link.run(listPlayers.command, runOptions);
      if (run.result.reply === null) return { unanswered: run };
      const reading = await readListing(listPlayers, run.result.reply, async (command) => {
        run = await link.run(command, runOptions);
        return run.result.reply;
      });
      return reading ?? { unanswered: run };
    },
    /** Checks soon which links are wanted: for one server when its agent came or went, for all when the license changed. */
    reconsider(serverId?: string): void {
      if (serverId === undefined) isAllDue = true;
      else due.add(serverId);
      // Thousands of agents may connect at the same moment, and each only concerns its own server.
      soon ??= setImmediate(() => {
        soon = undefined;
        if (isAllDue) reconsiderAll();
        else for (const id of due) reconsiderOne(id);
        isAllDue = false;
        due.clear();
      });
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      clearImmediate(soon);
      unsubscribe();
      const ending = [...retiring.values()];
      await Promise.all([...links.values(), ...retiring.keys()].map((link) => link.close()));
      links.clear();
      await Promise.all(ending);
    },
  };
};
