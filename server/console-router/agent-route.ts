import type { Agent } from '#contracts/agents.ts';
import type { CommandResult } from '#contracts/games.ts';

/** What a Game Agent last reported, and when. */
export interface AgentReport extends Pick<Agent, 'mode' | 'state' | 'detail'> {
  /** Unix time in milliseconds. */
  readonly seenAtMs: number | null;
}

export interface AgentRunOptions {
  /** The same command has the same id: it is carried out once. */
  readonly id?: string;
  /** For the game's reply. */
  readonly timeoutMs: number;
  /** If it has not begun after this time, it is no longer carried out. */
  readonly expiresInMs: number;
  readonly signal?: AbortSignal;
}

/** What the Game Agents can do for a caller that wants something from a game. */
export interface AgentRoute {
  /** Connected, and heard from recently. */
  isPresent(serverId: string): boolean;
  /** There is one, wherever it is now. */
  isKnown(serverId: string): boolean;
  run(serverId: string, command: string, options: AgentRunOptions): Promise<CommandResult>;
}
