import { discordRightsHttp, ownDiscordHttp } from '#contracts/discord/discord-rights.ts';
import {
  type DiscordUser,
  discordUserHeader,
  discordUsersHttp,
  encodeDiscordUser,
} from '#contracts/discord/discord-users.ts';
import { discordUserPermissions } from '#contracts/identity/permissions.ts';
import { call } from './call.ts';
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

/** Links a person in Discord to an owner's account, by a role with everything that a role in Discord can have. */
export const linkToOwner = async (port: number, ownerToken: string, user: { id: string; roleId: string }) => {
  const asked = asDiscord({ id: user.id, roleIds: [user.roleId] });
  const { json } = await call(port, ownDiscordHttp.code, { as: ownerToken });
  const linked = await call(port, discordUsersHttp.link, { ...asked, body: { code: String(json.code) } });
  const mapped = await call(port, discordRightsHttp.set, {
    as: ownerToken,
    params: { id: user.roleId },
    body: { name: 'all', permissions: [...discordUserPermissions] },
  });
  return { asked, linked, mapped };
};
