import type { Kysely } from 'kysely';
import type { CommandResult } from '#contracts/games.ts';
import type { Tables } from '../database/tables.ts';

export type DeliveryWay = 'agent' | 'direct';

export interface PreparedSending {
  /** Called once the transaction has committed. */
  run(): Promise<CommandResult>;
}

export interface Sending {
  readonly id: string;
  readonly serverId: string;
  readonly command: string;
  /** For the game's reply. */
  readonly timeoutMs: number;
}

/** The links to a game, for a command that must not be carried out twice. */
export interface DeliveryWays {
  /** Null: none is open. `connection` changes when the link is opened again. */
  open(serverId: string): { readonly way: DeliveryWay; readonly connection: object | string } | null;
  /** Writes in the transaction what has to be stored before the commands leave. @returns in the same order */
  prepare(
    trx: Kysely<Tables>,
    sendings: readonly (Sending & { readonly way: DeliveryWay })[],
  ): Promise<readonly PreparedSending[]>;
  /** How it ended; null: no one can tell. Sends nothing that was not given before. */
  resultOf(serverId: string, way: DeliveryWay, commandId: string): Promise<CommandResult | null>;
  /** A question, which may be asked twice. Null: there is no link. */
  ask(serverId: string, command: string): Promise<CommandResult | null>;
}

export interface DeliveryWaysOptions {
  readonly agents: {
    isPresent(serverId: string): boolean;
    connectionOf(serverId: string): object | null;
    prepareCommands(
      trx: Kysely<Tables>,
      commands: readonly (Sending & { readonly expiresInMs: number })[],
    ): Promise<readonly PreparedSending[]>;
    resultOf(serverId: string, id: string): Promise<CommandResult | null>;
    run(
      serverId: string,
      command: string,
      options: { readonly timeoutMs: number; readonly expiresInMs: number },
    ): Promise<CommandResult>;
  };
  readonly links: {
    read(serverId: string): { readonly state: { readonly status: string; readonly since: Date } } | null;
    run(
      serverId: string,
      command: string,
      options: { readonly timeoutMs: number },
    ): Promise<{ readonly result: CommandResult } | null>;
  };
}

const questionTimeoutMs = 10_000;

const shut: CommandResult = {
  outcome: 'unreachable',
  reply: null,
  truncated: false,
  sent: false,
  durationMs: 0,
};

export const createDeliveryWays = ({ agents, links }: DeliveryWaysOptions): DeliveryWays => ({
  open(serverId) {
    if (agents.isPresent(serverId)) {
      const connection = agents.connectionOf(serverId);
      return connection ? { way: 'agent', connection } : null;
    }
    const state = links.read(serverId)?.state;
    return state?.status === 'ready' ? { way: 'direct', connection: state.since.toISOString() } : null;
  },
  async prepare(trx, sendings) {
    const ofAgents = sendings.filter(({ way }) => way === 'agent');
    const prepared = await agents.prepareCommands(
      trx,
      ofAgents.map(({ way: _, ...sending }) => ({ ...sending, expiresInMs: sending.timeoutMs })),
    );
    const byId = new Map(ofAgents.map(({ id }, index) => [id, prepared[index]]));
    return sendings.map(
      ({ id, serverId, command, timeoutMs }) =>
        byId.get(id) ?? {
          run: async () => (await links.run(serverId, command, { timeoutMs }))?.result ?? shut,
        },
    );
  },
  resultOf: async (serverId, way, commandId) =>
    way === 'agent' ? agents.resultOf(serverId, commandId) : null,
  async ask(serverId, command) {
    const timeoutMs = questionTimeoutMs;
    if (agents.isPresent(serverId))
      return agents.run(serverId, command, { timeoutMs, expiresInMs: timeoutMs });
    return (await links.run(serverId, command, { timeoutMs }))?.result ?? null;
  },
});
