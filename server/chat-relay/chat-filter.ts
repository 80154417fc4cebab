import type { Kysely } from 'kysely';
import type { ChatFilter, ChatFilterChange } from '#contracts/discord-chat.ts';
import { may } from '../access/actor.ts';
import type { AuditContext } from '../access/audit-context.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Tables } from '../database/tables.ts';
import { type Refusal, refuse } from '../http/refusal.ts';
import type { ChangeRights } from '../roles/rights-lock.ts';
import { createWordFilter, type FilterText } from './word-filter.ts';

export interface SavedFilter {
  read(): Promise<ChatFilter>;
  change(change: ChatFilterChange, by: AuditContext): Promise<ChatFilter | Refusal>;
  /** The current filter. */
  current(): Promise<FilterText>;
}

const none: ChatFilter = { version: 0, words: [], treatment: 'mask' };

/** The words that no relay passes on. */
export const createSavedFilter = (db: Kysely<Tables>, changeRights: ChangeRights): SavedFilter => {
  let compiled: { readonly from: string; readonly filter: FilterText } | null = null;
  const read = async (on = db): Promise<ChatFilter> => {
    const row = await on.selectFrom('discord_chat_filter').selectAll().executeTakeFirst();
    return row ? { version: row.version, words: row.words, treatment: row.treatment } : none;
  };
  return {
    read: () => read(),
    change: ({ version, words, treatment }, asking) =>
      changeRights(asking, async (trx, by): Promise<ChatFilter | Refusal> => {
        if (!may(by.actor, 'settings.write')) return refuse('FORBIDDEN');
        const before = await read(trx);
        if (before.version !== version)
          return refuse('CONFLICT', 'The words were changed meanwhile. Read them again.');
        const row = { version: version + 1, words: [...new Set(words)], treatment };
        const written = await trx
          .insertInto('discord_chat_filter')
          .values(row)
          .onConflict((conflict) =>
            conflict.column('only_row').doUpdateSet(row).where('discord_chat_filter.version', '=', version),
          )
          .returning('version')
          .executeTakeFirst();
        if (!written) return refuse('CONFLICT', 'The words were changed meanwhile. Read them again.');
        const target = 'discord-chat-filter';
        await recordAudit(trx, { ...by, action: 'discord.change-chat-filter', target, before, after: row });
        return row;
      }),
    async current() {
      const { words, treatment } = await read();
      const from = JSON.stringify([words, treatment]);
      if (compiled?.from !== from) compiled = { from, filter: createWordFilter(words, treatment) };
      return compiled.filter;
    },
  };
};
