import type { Kysely } from 'kysely';
import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import { type CommandResult, withoutReply } from '#contracts/servers/games.ts';
import type { Log } from '#runtime/log.ts';
import type { Tables } from '../database/tables.ts';
import type { Leases } from './leases.ts';
import type { AgentRoute, DirectRoute, PreparedSending, RouteOptions, RunResult, Sending } from './routes.ts';

export type Way = 'agent' | 'direct';

export interface RoutedCommand extends RunResult {
  /** Null: there was no link at all. */
  readonly via: Way | null;
}

/** Chooses the link by which a command goes to its game: the Game Agent when it is there, otherwise directly; never both. */
export type ConsoleRouter = ReturnType<typeof createConsoleRouter>;

/** What a caller needs whose commands must not be carried out twice. */
export type DeliveryRoutes = Omit<ConsoleRouter, 'run'>;

const questionTimeoutMs = 10_000;

export const createConsoleRouter = ({
  agents,
  links,
  leases,
  log,
}: {
  readonly agents: AgentRoute;
  readonly links: DirectRoute;
  readonly leases: Leases;
  readonly log: Log;
}) => {
  const throughAgent = async (
    serverId: string,
    command: string,
    options: RouteOptions,
  ): Promise<RoutedCommand> => {
    try {
      const result = await agents.run(serverId, command, { ...options, expiresInMs: options.timeoutMs });
      return { result, via: 'agent', detail: null };
    } catch (error) {
      log.warn({ err: error, serverId }, 'the outcome of a Game Agent command is unknown');
      // It may have gone out anyway.
      return { result: withoutReply('unknown', true), via: 'agent', detail: null };
    }
  };

  return {
    /** Never rejects. */
    async run(serverId: string, command: string, options: RouteOptions): Promise<RoutedCommand> {
      if (agents.isPresent(serverId)) return throughAgent(serverId, command, options);
      const reached = await links.run(serverId, command, options);
      if (reached) return { ...reached, via: 'direct' };
      const detail = agents.isKnown(serverId) ? agentAwayDetail : noWayDetail;
      const outcome = agents.isKnown(serverId) ? 'agent away' : 'unreachable';
      return { result: withoutReply(outcome), via: null, detail };
    },
    /** A question of our own, which may be asked twice. Null: there is no link. */
    async ask(serverId: string, command: string): Promise<CommandResult | null> {
      const timeoutMs = questionTimeoutMs;
      if (agents.isPresent(serverId))
        return agents.run(serverId, command, { timeoutMs, expiresInMs: timeoutMs });
      return (await links.run(serverId, command, { timeoutMs }))?.result ?? null;
    },
    /** The link that is open now. Null: none. `connection` changes when the link is opened again. */
    open(serverId: string): { readonly way: Way; readonly connection: object | string } | null {
      if (agents.isPresent(serverId)) {
        const connection = agents.connectionOf(serverId);
        return connection ? { way: 'agent', connection } : null;
      }
      const state = links.read(serverId)?.state;
      return state?.status === 'ready' ? { way: 'direct', connection: state.since.toISOString() } : null;
    },
    /**
     * For commands that must not be carried out twice: writes in the transaction what has to be stored before they leave,
     * among it their leases, which the caller releases once their ends are stored.
     * @returns in the same order
     */
    async prepare(
      trx: Kysely<Tables>,
      sendings: readonly (Sending & { readonly way: Way })[],
    ): Promise<readonly PreparedSending[]> {
      await leases.take(
        trx,
        sendings.map(({ id }) => id),
      );
      const maySendOf = (id: string) => () => leases.maySend(id);
      const ofAgents = sendings.filter(({ way }) => way === 'agent');
      const prepared = await agents.prepareCommands(
        trx,
        ofAgents.map(({ way: _, ...sending }) => ({
          ...sending,
          expiresInMs: sending.timeoutMs,
          maySend: maySendOf(sending.id),
        })),
      );
      const byId = new Map(ofAgents.map(({ id }, index) => [id, prepared[index]]));
      return sendings.map(
        ({ id, serverId, command, timeoutMs }) =>
          byId.get(id) ?? {
            run: async () =>
              (await links.run(serverId, command, { timeoutMs, maySend: maySendOf(id) }))?.result ??
              withoutReply('unreachable'),
          },
      );
    },
    /** Who works on prepared commands. */
    leases,
    /** How a prepared command ended; null: no one can tell. Sends nothing that was not given before. */
    resultOf: async (serverId: string, way: Way, commandId: string): Promise<CommandResult | null> =>
      way === 'agent' ? agents.resultOf(serverId, commandId) : null,
  };
};

export const agentAwayDetail = consoleReasons['status-agent-away'];
export const noWayDetail = consoleReasons['status-no-way'];
