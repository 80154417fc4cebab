import { type SeenPlayer, seenPlayer } from './seen-player.ts';
import type { ServerRoster } from './server-roster.ts';

/** What a log, or an agent that reads it, tells of a player. */
export interface ObservedEvent {
  readonly kind: 'join' | 'leave' | 'chat';
  readonly player: { readonly name: string; readonly platformId: string | null };
  /** Of chat; null otherwise. */
  readonly text: string | null;
  readonly at: Date;
  /** The same event told twice has the same key; two events never share one. */
  readonly key: string;
  /** The server's Game Agent, which is away, tells it with another key when it is back, if it follows the game's log. */
  readonly comesAgain?: boolean;
}

export interface ChatMessage {
  readonly key: string;
  readonly comesAgain: boolean;
  readonly player: SeenPlayer;
  readonly text: string;
  readonly at: Date;
}

/** Comings and goings go into the roster. @returns whether it has changed, and what was said */
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
