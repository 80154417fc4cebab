import type { DiscordSettings } from '#contracts/discord/discord.ts';

interface InUse {
  readonly hasToken: boolean;
  /** Empty: none. */
  readonly clientId: string;
  readonly guildId: string;
}

/** The settings that the bot uses: `.env` takes precedence, field by field. */
export const inUse = ({ token, clientId, guildId, fromEnv }: DiscordSettings): InUse => ({
  hasToken: fromEnv.fields.includes('token') || (token.set && token.fault === null),
  clientId: fromEnv.fields.includes('clientId') ? fromEnv.clientId : clientId,
  guildId: fromEnv.fields.includes('guildId') ? fromEnv.guildId : guildId,
});
