import { type SeenPlayer, seenPlayer } from './seen-player.ts';
import type { ServerRoster } from './server-roster.ts';

/** What a log, or an agent that reads it, reports about a player. */
export interface ObservedEvent {
  readonly kind: 'join' | 'leave' | 'chat';
  readonly player: { readonly name: string; readonly platformId: string | null };
  /** For chat; null otherwise. */
  readonly text: string | null;
  readonly at: Date;
  /** A repeated report of the same event has the same key; two events never share one. */
  readonly key: string;
  /** The absent Game Agent, if it follows the game's log, reports it under another key when it is back. */
  readonly comesAgain?: boolean;
}

export interface ChatMessage {
  readonly key: string;
  readonly comesAgain: boolean;
  readonly player: SeenPlayer;
  readonly text: string;
  readonly at: Date;
}

/** Applies joins and leaves to the roster. @returns whether it has changed, and the chat messages */
export const takeEvents = (
  roster: Pick<ServerRoster, 'takeJoin' | 'takeLeave'>,
  events: readonly ObservedEvent[],
  now: Date,
): { readonly isChanged: boolean; readonly chat: readonly ChatMessage[] } => {
  let isChanged = false;
  const chat: ChatMessage[] = [];
  for (const { kind, player: named, text, at: told, key, comesAgain = false } of events) {
    const player = seenPlayer(named);
    if (!player) continue;
    const at = new Date(Math.min(told.getTime(), now.getTime()));
    if (kind === 'join') isChanged = roster.takeJoin(player, at) || isChanged;
    else if (kind === 'leave') isChanged = roster.takeLeave(player, at) || isChanged;
    else if (text !== null) chat.push({ key, comesAgain, player, text, at });
  }
  return { isChanged, chat };
};
