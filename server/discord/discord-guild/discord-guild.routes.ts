import { discordGuildBotHttp } from '#contracts/discord/discord-guild.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { GuildMembers } from './guild-members.ts';

export const bindDiscordGuildRoutes = (routes: ApiRoutes, members: Pick<GuildMembers, 'take'>): void => {
  routes.on(discordGuildBotHttp.reportMembers, async ({ body }) => ({
    isCurrent: await members.take(body),
  }));
};
