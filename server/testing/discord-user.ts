import { type DiscordUser, discordUserHeader, encodeDiscordUser } from '#contracts/discord-users.ts';
import { testBotSecret } from './test-api.ts';

/** Sends a request like the bot does for a person in Discord. */
export const asDiscord = ({
  id,
  name = 'Ada',
  roleIds = [],
}: Partial<DiscordUser> & { readonly id: string }) => ({
  as: testBotSecret,
  headers: { [discordUserHeader]: encodeDiscordUser({ id, name, roleIds }) },
});
