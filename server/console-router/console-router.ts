import { consoleReasons } from '#contracts/console-reasons.ts';
import type { CommandOutcome, CommandResult } from '#contracts/games.ts';
import type { Log } from '#runtime/log.ts';
import type { AgentRoute } from './agent-route.ts';

export interface ConsoleRouterOptions {
  readonly agents: AgentRoute;
  readonly links: {
    run(serverId: string, command: string, options: DirectOptions): Promise<Reached | null>;
  };
  readonly log: Log;
}

interface DirectOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}
interface Reached {
  readonly result: CommandResult;
  /** Why there is no reply, for people; null if the outcome says everything. */
  readonly detail: string | null;
}

export interface RouteOptions extends DirectOptions {
  /** The same command has the same id: an agent carries it out once. */
  readonly id?: string | undefined;
}

export interface RoutedCommand extends Reached {
  /** Null: there was no link at all. */
  readonly via: 'agent' | 'direct' | null;
}

/** Chooses the link by which a command goes to its game. */
export interface ConsoleRouter {
  /** Never rejects. Through the Game Agent when it is there, otherwise directly; never both. */
  run(serverId: string, command: string, options: RouteOptions): Promise<RoutedCommand>;
}

export const createConsoleRouter = ({ agents, links, log }: ConsoleRouterOptions): ConsoleRouter => {
  const throughAgent = async (
    serverId: string,
    command: string,
    { id, timeoutMs, signal }: RouteOptions,
  ): Promise<RoutedCommand> => {
    try {
      const result = await agents.run(serverId, command, {
        timeoutMs,
        expiresInMs: timeoutMs,
        ...(id === undefined ? {} : { id }),
        ...(signal === undefined ? {} : { signal }),
      });
      return { result, via: 'agent', detail: null };
    } catch (error) {
      log.warn({ err: error, serverId }, 'the outcome of a Game Agent command is unknown');
      // It may have gone out anyway.
      return { result: unanswered('unknown', true), via: 'agent', detail: null };
    }
  };

  return {
    async run(serverId, command, options) {
      if (agents.isPresent(serverId)) return throughAgent(serverId, command, options);
      const reached = await links.run(serverId, command, options);
      if (reached) return { ...reached, via: 'direct' };
      const detail = agents.isKnown(serverId) ? agentAwayDetail : noWayDetail;
      const outcome = agents.isKnown(serverId) ? 'agent away' : 'unreachable';
      return { result: unanswered(outcome, false), via: null, detail };
    },
  };
};

export const agentAwayDetail = consoleReasons['status-agent-away'];
export const noWayDetail = consoleReasons['status-no-way'];

const unanswered = (outcome: CommandOutcome, sent: boolean): CommandResult => ({
  outcome,
  reply: null,
  truncated: false,
  sent,
  durationMs: 0,
});
