import type { BotReport, BotSettings, DiscordField } from '#contracts/discord/bot.ts';
import type { DiscordSettings as DiscordView } from '#contracts/discord/discord.ts';
import { discordInviteUrl } from '#contracts/discord/discord-application.ts';
import { readGuildRoles } from '#runtime/discord/read-guild-roles.ts';
import type { Secret } from '#runtime/secret.ts';
import type { StackConfig } from '#runtime/stack-config.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { demandReadable } from '../../kernel/secrets/secrets.ts';
import { readDiscordVersion, readSavedDiscord, type SavedDiscord } from './discord-settings.ts';

export interface Discord {
  describe(saved?: SavedDiscord): Promise<DiscordView>;
  /** The saved settings, for the bot alone. */
  forBot(): Promise<BotSettings>;
  /** When it changes, the bot fetches its settings, and signs in again if Discord had refused it. */
  revision(): Promise<string>;
  retry(): void;
  /** Roles that people of the Discord server can be given, the highest first; null: Discord does not say. */
  guildRoles(): Promise<{ id: string; name: string }[] | null>;
  /** The token in use; null when there is none. @throws {Problem} SECRET_UNREADABLE */
  tokenInUse(): Promise<Secret | null>;
}

export const createDiscord = (
  context: Pick<Kernel, 'db' | 'secrets'> & {
    /** With the values in `.env`. */
    readonly config: Pick<StackConfig, 'discordBotToken' | 'clientId' | 'guildId' | 'discordApiUrl'>;
    /** Null when the bot has reported nothing for too long. */
    readonly bot: () => BotReport | null;
  },
): Discord => {
  const { db, config: env, bot } = context;
  let retries = 0;
  const revisionOf = (version: number) => `${version}.${retries}`;

  const inEnv: Readonly<Record<DiscordField, unknown>> = {
    token: env.discordBotToken,
    clientId: env.clientId,
    guildId: env.guildId,
  };
  const fieldsInEnv = (Object.keys(inEnv) as DiscordField[]).filter((name) => inEnv[name] !== undefined);

  return {
    async describe(given) {
      const saved = given ?? (await readSavedDiscord(context));
      const report = bot();
      const clientId = report?.clientId || (env.clientId ?? saved.clientId);
      return {
        version: saved.version,
        token: {
          set: saved.token !== null,
          fault: saved.token?.outcome === 'unreadable' ? saved.token.fault : null,
        },
        clientId: saved.clientId,
        guildId: saved.guildId,
        fromEnv: {
          // The bot may have been started with another `.env` than the API.
          fields: report?.fromEnv ?? fieldsInEnv,
          clientId: env.clientId ?? '',
          guildId: env.guildId ?? '',
        },
        inviteUrl: clientId === '' ? null : discordInviteUrl(clientId, env.guildId ?? saved.guildId),
        bot: report,
      };
    },
    async forBot() {
      const { version, token, clientId, guildId } = await readSavedDiscord(context);
      return {
        revision: revisionOf(version),
        token: token?.outcome === 'open' ? token.secret.reveal() : null,
        isTokenUnreadable: token?.outcome === 'unreadable',
        clientId,
        guildId,
      };
    },
    revision: async () => revisionOf(await readDiscordVersion(db)),
    retry() {
      retries += 1;
    },
    async guildRoles() {
      const { token: saved, guildId: savedGuildId } = await readSavedDiscord(context);
      const guildId = env.guildId ?? savedGuildId;
      const token = env.discordBotToken ?? (saved?.outcome === 'open' ? saved.secret : null);
      return token && guildId !== ''
        ? readGuildRoles({ token: token.reveal(), guildId }, { apiUrl: env.discordApiUrl })
        : null;
    },
    async tokenInUse() {
      if (env.discordBotToken) return env.discordBotToken;
      const { token } = await readSavedDiscord(context);
      return token && demandReadable(token);
    },
  };
};
