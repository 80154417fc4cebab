import type { BotReport, BotSettings, DiscordField } from '#contracts/discord/bot.ts';
import type { DiscordSettings as DiscordView } from '#contracts/discord/discord.ts';
import { discordInviteUrl } from '#contracts/discord/discord-application.ts';
import { readGuildRoles } from '#runtime/discord/read-guild-roles.ts';
import type { Secret } from '#runtime/secret.ts';
import type { StackConfig } from '#runtime/stack-config.ts';
import { demandReadable } from '../kernel/secrets/secrets.ts';
import type { DiscordSettings, SavedDiscord } from './discord-settings.ts';

type DiscordEnv = Pick<StackConfig, 'discordBotToken' | 'clientId' | 'guildId'>;

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

export const createDiscord = ({
  settings,
  env,
  apiUrl,
  bot,
}: {
  readonly settings: DiscordSettings;
  /** The values in `.env`. */
  readonly env: DiscordEnv;
  /** Undefined: the real Discord. */
  readonly apiUrl: string | undefined;
  /** Null when the bot has reported nothing for too long. */
  readonly bot: () => BotReport | null;
}): Discord => {
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
      const saved = given ?? (await settings.read());
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
      const { version, token, clientId, guildId } = await settings.read();
      return {
        revision: revisionOf(version),
        token: token?.outcome === 'open' ? token.secret.reveal() : null,
        isTokenUnreadable: token?.outcome === 'unreadable',
        clientId,
        guildId,
      };
    },
    revision: async () => revisionOf(await settings.version()),
    retry() {
      retries += 1;
    },
    async guildRoles() {
      const { token: saved, guildId: savedGuildId } = await settings.read();
      const guildId = env.guildId ?? savedGuildId;
      const token = env.discordBotToken ?? (saved?.outcome === 'open' ? saved.secret : null);
      return token && guildId !== '' ? readGuildRoles({ token: token.reveal(), guildId }, { apiUrl }) : null;
    },
    async tokenInUse() {
      if (env.discordBotToken) return env.discordBotToken;
      const { token } = await settings.read();
      return token && demandReadable(token);
    },
  };
};
