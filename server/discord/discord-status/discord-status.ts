import type { Kysely } from 'kysely';
import type { BotGuild } from '#contracts/discord/discord-events.ts';
import type { Language } from '#contracts/kernel/language.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { createKeptMessages, type KeptMessages } from './kept-messages.ts';
import { createRecentRefusals } from './recent-refusals.ts';
import { type BoardSources, createStatusBoards } from './status-board.ts';
import { createStatusMessages, type StatusMessages } from './status-messages.ts';

export interface DiscordStatus {
  readonly messages: StatusMessages;
  readonly kept: KeptMessages;
  readonly guild: () => BotGuild | null;
  /** The language that the bot speaks. */
  readonly language: () => Promise<Language>;
  /** Null: the community has none. */
  readonly communityName: () => Promise<string | null>;
}

interface DiscordStatusOptions
  extends BoardSources,
    Pick<DiscordStatus, 'guild' | 'language' | 'communityName'> {
  readonly db: Kysely<Tables>;
}

export const createDiscordStatus = (options: DiscordStatusOptions): DiscordStatus => {
  const { db, guild, language, communityName } = options;
  const refusals = createRecentRefusals();
  return {
    messages: createStatusMessages({ db, guild, refusals }),
    kept: createKeptMessages({ db, board: createStatusBoards(options), refusals }),
    guild,
    language,
    communityName,
  };
};
