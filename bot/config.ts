import * as z from 'zod';
import { discordId } from '#contracts/discord/discord-application.ts';
import { readEnv } from '#runtime/env.ts';
import { logLevels } from '#runtime/log.ts';
import type { OutsideSettings } from '#runtime/outside/outside.ts';
import { proxyField } from '#runtime/outside/outside-fields.ts';
import { secretField } from '#runtime/secret.ts';

const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

/** Everything that the supervisor passes to the bot's process, which never sees the stack's `.env`. */
const botEnv = z.object({
  DISCORD_BOT_TOKEN: secretField().optional(),
  CLIENT_ID: discordId.optional(),
  GUILD_ID: discordId.optional(),
  API_URL: webUrl,
  INTERNAL_API_SECRET: secretField(),
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
  /** Another service that speaks Discord's protocol. */
  DISCORD_API_URL: webUrl.optional(),
  DISCORD_GATEWAY_URL: z.url({ protocol: /^wss?$/, error: 'must be a ws or wss address' }).optional(),
  DISCORD_CDN_URL: webUrl.optional(),
  /** TRUSTED_CA_FILE, HTTPS_PROXY and NO_PROXY of `.env`; variables of the latter two names are the machine's. */
  TRUSTED_CA_FILE: z.string().optional(),
  OUTSIDE_PROXY: proxyField.optional(),
  OUTSIDE_NO_PROXY: z.string().optional(),
});

export type BotConfig = ReturnType<typeof readBotConfig>;

/** @throws {ConfigError} names every fault */
export const readBotConfig = (variables: Readonly<Record<string, string | undefined>>) => {
  const env = readEnv(botEnv, variables, "The bot's environment");
  return {
    token: env.DISCORD_BOT_TOKEN,
    clientId: env.CLIENT_ID,
    guildId: env.GUILD_ID,
    apiUrl: env.API_URL,
    internalApiSecret: env.INTERNAL_API_SECRET,
    logLevel: env.LOG_LEVEL,
    outside: {
      trustedCaFile: env.TRUSTED_CA_FILE,
      proxy: env.OUTSIDE_PROXY,
      noProxy: env.OUTSIDE_NO_PROXY ?? '',
    } satisfies OutsideSettings,
    discordUrls: { api: env.DISCORD_API_URL, gateway: env.DISCORD_GATEWAY_URL, cdn: env.DISCORD_CDN_URL },
  };
};
