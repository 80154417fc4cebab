import type { Kysely } from 'kysely';
import type { Agent } from '#contracts/servers/agents.ts';
import type { CommandResult } from '#contracts/servers/games.ts';
import type { RunOptions } from '#games/connection.ts';
import type { Tables } from '../database/tables.ts';

/** What a Game Agent last reported, and when. */
export interface AgentReport extends Pick<Agent, 'mode' | 'state' | 'detail'> {
  /** Unix time in milliseconds. */
  readonly seenAtMs: number | null;
}

export interface RouteOptions extends RunOptions {
  /** The same command has the same id: an agent carries it out once. */
  readonly id?: string | undefined;
}

/** `signal` takes the command back if it was not sent yet; otherwise it only ends the waiting. */
export interface AgentRunOptions extends RouteOptions {
  /** If it has not begun after this time, it is no longer carried out. */
  readonly expiresInMs: number;
}

export interface RunResult {
  readonly result: CommandResult;
  /** Why there is no reply, for people; null if the outcome says everything. */
  readonly detail: string | null;
}

/** A command that must not be carried out twice. */
export interface Sending {
  /** Never used before. */
  readonly id: string;
  readonly serverId: string;
  readonly command: string;
  /** For the game's reply. */
  readonly timeoutMs: number;
}

export type AgentSending = Sending & Pick<AgentRunOptions, 'expiresInMs' | 'maySend'>;

export interface PreparedSending {
  /** Call it once the transaction has committed, and never if it did not. Rejects as `run` does. */
  run(): Promise<CommandResult>;
}

/** The direct links. Null: there is none to that server. */
export interface DirectRoute {
  /** Never rejects. `timeoutMs` limits the connection and the turn, and then, separately, the reply. */
  run(serverId: string, command: string, options: RunOptions): Promise<RunResult | null>;
  read(serverId: string): { readonly state: { readonly status: string; readonly since: Date } } | null;
}

/** What the Game Agents can do for a caller that wants something from a game. */
export interface AgentRoute {
  /** Connected, and heard from recently. */
  isPresent(serverId: string): boolean;
  /** There is one, wherever it is now. */
  isKnown(serverId: string): boolean;
  /** Changes when the agent connects again. */
  connectionOf(serverId: string): object | null;
  run(serverId: string, command: string, options: AgentRunOptions): Promise<CommandResult>;
  prepareCommands(
    trx: Kysely<Tables>,
    commands: readonly AgentSending[],
  ): Promise<readonly PreparedSending[]>;
  resultOf(serverId: string, id: string): Promise<CommandResult | null>;
}
