import type { Agent } from '#contracts/agents.ts';
import type { CommandResult } from '#contracts/games.ts';

/** What a Game Agent last said, and when. */
export interface AgentReport extends Pick<Agent, 'mode' | 'state' | 'detail'> {
  /** Unix time in milliseconds. */
  readonly seenAtMs: number | null;
}

export interface AgentRunOptions {
  /** The same command has the same id: it is carried out once. */
  readonly id?: string;
  /** For the game's answer. */
  readonly timeoutMs: number;
  /** Not begun by then, it is not carried out any more. */
  readonly expiresInMs: number;
  readonly signal?: AbortSignal;
}

/** What the Game Agents can do for those who want something of a game. */
export interface AgentRoute {
  /** Connected, and heard of lately. */
  isPresent(serverId: string): boolean;
  /** There is one, wherever it may be now. */
  isKnown(serverId: string): boolean;
  run(serverId: string, command: string, options: AgentRunOptions): Promise<CommandResult>;
}
