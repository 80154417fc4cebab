import { type DiscordUser, discordUserHeader, encodeDiscordUser } from '#contracts/discord-users.ts';
import { testBotSecret } from './test-api.ts';

/** As the bot asks for a person in Discord. */
export const asDiscord = ({
  id,
  name = 'Ada',
  roleIds = [],
}: Partial<DiscordUser> & { readonly id: string }) => ({
  as: testBotSecret,
  headers: { [discordUserHeader]: encodeDiscordUser({ id, name, roleIds }) },
});
