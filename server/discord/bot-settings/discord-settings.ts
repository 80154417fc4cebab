import type { Kysely } from 'kysely';
import type { DiscordPatch } from '#contracts/discord/discord.ts';
import { readDiscordHandover, removeDiscordHandover } from '#runtime/discord/discord-handover.ts';
import { Secret } from '#runtime/secret.ts';
import { thisMachine } from '../../kernel/access/authorize.ts';
import { type AuditEntry, recordAudit } from '../../kernel/audit/record-audit.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { OpenedSecret } from '../../kernel/secrets/secrets.ts';
import { discordTokenColumn } from '../discord-token.ts';

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

type SealedContext = Pick<Kernel, 'db' | 'secrets'>;

const row = (trx: Kysely<Tables>) => trx.selectFrom('discord_settings').where('id', '=', id);

export const readSavedDiscord = async ({ db, secrets }: SealedContext): Promise<SavedDiscord> => {
  const { version, token, client_id, guild_id } = await row(db).selectAll().executeTakeFirstOrThrow();
  return {
    version,
    token: token === null ? null : secrets.open(discordTokenColumn, [id], token),
    clientId: client_id ?? '',
    guildId: guild_id ?? '',
  };
};

export const readDiscordVersion = async (db: Kysely<Tables>): Promise<number> =>
  (await row(db).select('version').executeTakeFirstOrThrow()).version;

/** @param version that the change was made from; null: any */
export const saveDiscord = async (
  context: SealedContext & {
    /** Called in the transaction of the change. */
    readonly onGuildChange: (trx: Kysely<Tables>) => Promise<void>;
  },
  version: number | null,
  { token, clientId, guildId }: DiscordChange,
  by: ChangedBy,
): Promise<SavedDiscord | Refusal> => {
  const { db, secrets, onGuildChange } = context;
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
  return outcome ?? readSavedDiscord(context);
};

/** Imports what the desktop left for the database. Unreadable values are reported, and entered in the panel again. */
export const takeDiscordHandover = async (
  context: Pick<Kernel, 'home' | 'config' | 'log'> & Parameters<typeof saveDiscord>[0],
): Promise<void> => {
  const { home, config, log } = context;
  const keys = [config.configEncryptionKey, ...config.previousKeys] as const;
  const left = await readDiscordHandover(home, keys).catch((err: unknown) => {
    log.warn({ err }, 'could not read the Discord settings from the desktop; enter them in the panel');
    return null;
  });
  if (left) await saveDiscord(context, null, left, { actor: thisMachine, address: '127.0.0.1' });
  await removeDiscordHandover(home);
};
