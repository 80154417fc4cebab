import type { Kysely } from 'kysely';
import type { DiscordPatch } from '#contracts/discord/discord.ts';
import { Secret } from '#runtime/secret.ts';
import { type AuditEntry, recordAudit } from '../kernel/audit/record-audit.ts';
import { retryDeadlocks } from '../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../kernel/database/tables.ts';
import { type Refusal, refuse } from '../kernel/http/refusal.ts';
import type { OpenedSecret, Secrets } from '../kernel/secrets/secrets.ts';
import { discordTokenColumn } from './discord-token.ts';

const id = 'discord';

/** What is saved about the bot's place in Discord, apart from `.env`. */
export interface SavedDiscord {
  readonly version: number;
  /** Null: none is saved. */
  readonly token: OpenedSecret | null;
  /** Empty: none. */
  readonly clientId: string;
  readonly guildId: string;
}

type DiscordChange = Omit<DiscordPatch, 'version'>;
type ChangedBy = Pick<AuditEntry, 'actor' | 'address'>;

export interface DiscordSettings {
  read(): Promise<SavedDiscord>;
  version(): Promise<number>;
  /** @param version that the change was made from; null: any */
  save(version: number | null, change: DiscordChange, by: ChangedBy): Promise<SavedDiscord | Refusal>;
}

/** @param onGuildChange called in the transaction of the change */
export const createDiscordSettings = (
  db: Kysely<Tables>,
  secrets: Secrets,
  onGuildChange: (trx: Kysely<Tables>) => Promise<void>,
): DiscordSettings => {
  const row = (trx: Kysely<Tables>) => trx.selectFrom('discord_settings').where('id', '=', id);
  const read = async (): Promise<SavedDiscord> => {
    const { version, token, client_id, guild_id } = await row(db).selectAll().executeTakeFirstOrThrow();
    return {
      version,
      token: token === null ? null : secrets.open(discordTokenColumn, [id], token),
      clientId: client_id ?? '',
      guildId: guild_id ?? '',
    };
  };

  return {
    read,
    version: async () => (await row(db).select('version').executeTakeFirstOrThrow()).version,
    async save(version, { token, clientId, guildId }, by) {
      const outcome = await retryDeadlocks(db, async (trx) => {
        const stored = await row(trx).selectAll().forUpdate().executeTakeFirstOrThrow();
        if (version !== null && stored.version !== version)
          return refuse('CONFLICT', 'The Discord settings were changed in the meantime. Read them again.');
        const ids = {
          ...(clientId !== undefined && clientId !== stored.client_id && { client_id: clientId }),
          ...(guildId !== undefined && guildId !== stored.guild_id && { guild_id: guildId }),
        };
        // Whether a new token equals the previous one would reveal something about it.
        const isTokenChanged = token !== undefined && (token !== null || stored.token !== null);
        if (Object.keys(ids).length === 0 && !isTokenChanged) return null;
        const sealed = token ? secrets.seal(discordTokenColumn, [id], new Secret(token)) : null;
        await trx
          .updateTable('discord_settings')
          .set({ ...ids, ...(isTokenChanged && { token: sealed }), version: stored.version + 1 })
          .where('id', '=', id)
          .execute();
        if (ids.guild_id !== undefined) await onGuildChange(trx);
        const { client_id = stored.client_id, guild_id = stored.guild_id } = ids;
        await recordAudit(trx, {
          ...by,
          action: 'discord.change',
          target: 'discord:settings',
          before: { clientId: stored.client_id, guildId: stored.guild_id },
          after: {
            clientId: client_id,
            guildId: guild_id,
            ...(isTokenChanged && { token: token === null ? 'cleared' : 'changed' }),
          },
        });
        return null;
      });
      return outcome ?? read();
    },
  };
};
