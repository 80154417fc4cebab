import type { Kysely } from 'kysely';
import { storableText } from '#contracts/kernel/storable-text.ts';
import { nameKey } from '../../kernel/access/name-key.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { recordEvent } from '../../kernel/events/record-event.ts';
import type { ChatMessage } from './observed-events.ts';
import { findSession } from './player-session.ts';
import { identityOf, type SeenPlayer } from './seen-player.ts';
import type { ServerRoster } from './server-roster.ts';

/** In characters. */
const longestText = 2000;

/** A chat line, as in the event log. */
export interface SpokenLine {
  /** A repeated report of the same line has the same key; two lines never share one. */
  readonly key: string;
  /** The server's Game Agent, if it follows the game's log, reports it under another key when it is back. */
  readonly comesAgain: boolean;
  readonly serverId: string;
  /** Null: it is unclear which of the present or former players it is. */
  readonly playerId: string | null;
  /** The game gave the player's id, not just a name that another may use. */
  readonly isProven: boolean;
  readonly name: string;
  readonly text: string;
  readonly at: Date;
}

/** Writes chat lines, all or nothing. */
export const recordChat = async (
  db: Kysely<Tables>,
  roster: Pick<ServerRoster, 'serverId' | 'game' | 'open'>,
  messages: readonly ChatMessage[],
): Promise<readonly SpokenLine[]> => {
  const { serverId, game, open } = roster;
  return db.transaction().execute(async (trx) => {
    const spoken: SpokenLine[] = [];
    for (const { key, comesAgain = false, player, text, at } of messages) {
      const session = findSession(open, player);
      const stored = session?.stored;
      const identity = identityOf(game, player);
      const known = stored
        ? { id: stored.playerId, name: stored.name }
        : await trx
            .selectFrom('players')
            .select(['id', 'name'])
            .where('identity', '=', identity)
            .executeTakeFirst();
      const name = isNamed(player) ? player.name : (session?.name ?? known?.name ?? player.name);
      const payload = { playerId: known?.id ?? null, name, text: storableText(text, longestText) };
      await recordEvent(trx, 'chat.message', payload, { serverId, at });
      const isIdentified =
        known !== undefined &&
        player.platformId !== null &&
        (stored === undefined || stored?.platformId === player.platformId);
      const playerId = stored || isIdentified ? payload.playerId : null;
      const isProven = isIdentified && !isOtherName(name, session?.name ?? known.name);
      spoken.push({ key, comesAgain, ...payload, serverId, playerId, isProven, at });
    }
    return spoken;
  });
};

/** 7 Days to Die 1.0 writes only the id of its platform. */
const isNamed = ({ name, platformId }: SeenPlayer): boolean =>
  name.replace('_', ':').toLowerCase() !== platformId?.toLowerCase();

/**
 * A line without the speaker's name that quotes another, as in `'Bob': !buy`, reads as if Bob were the name. Names with
 * decorations contain the player's.
 */
const isOtherName = (shown: string, known: string): boolean => !nameKey(shown).includes(nameKey(known));
