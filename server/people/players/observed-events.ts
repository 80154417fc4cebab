import type { GameEvent } from '#contracts/servers/agent-protocol.ts';
import { type SeenPlayer, seenPlayer } from './seen-player.ts';
import type { ServerRoster } from './server-roster.ts';

/** What a log, or an agent that reads it, reports about a player: the agent's own event, with its time and its key. */
export interface ObservedEvent extends Pick<GameEvent, 'kind' | 'player' | 'text'> {
  readonly at: Date;
  /** A repeated report of the same event has the same key; two events never share one. */
  readonly key: string;
  /** The absent Game Agent, if it follows the game's log, reports it under another key when it is back. */
  readonly comesAgain?: boolean;
}

export interface ChatMessage extends ObservedEvent {
  readonly player: SeenPlayer;
  readonly text: string;
}

/** Applies joins and leaves to the roster. @returns whether it has changed, and the chat messages */
export const takeEvents = (
  roster: Pick<ServerRoster, 'takeJoin' | 'takeLeave'>,
  events: readonly ObservedEvent[],
  now: Date,
): { readonly isChanged: boolean; readonly chat: readonly ChatMessage[] } => {
  let isChanged = false;
  const chat: ChatMessage[] = [];
  for (const event of events) {
    const { kind, text } = event;
    const player = seenPlayer(event.player);
    if (!player) continue;
    const at = new Date(Math.min(event.at.getTime(), now.getTime()));
    if (kind === 'join') isChanged = roster.takeJoin(player, at) || isChanged;
    else if (kind === 'leave') isChanged = roster.takeLeave(player, at) || isChanged;
    else if (text !== null) chat.push({ ...event, player, text, at });
  }
  return { isChanged, chat };
};
