import type { StackConfig } from '#runtime/stack-config.ts';

/** Everything that the bot is told; it must not know the stack's other secrets. */
export const botEnv = (config: StackConfig): Record<string, string> => {
  const values = {
    DISCORD_BOT_TOKEN: config.discordBotToken?.reveal(),
    CLIENT_ID: config.clientId,
    GUILD_ID: config.guildId,
    DISCORD_API_URL: config.discordApiUrl,
    DISCORD_GATEWAY_URL: config.discordGatewayUrl,
    DISCORD_CDN_URL: config.discordCdnUrl,
    API_URL: config.apiUrl,
    INTERNAL_API_SECRET: config.internalApiSecret.reveal(),
    LOG_LEVEL: config.logLevel,
    TRUSTED_CA_FILE: config.outside.trustedCaFile,
    OUTSIDE_PROXY: config.outside.proxy?.reveal(),
    OUTSIDE_NO_PROXY: config.outside.noProxy || undefined,
  };
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
};
