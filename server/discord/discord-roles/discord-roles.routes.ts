import { discordRolesBotHttp, discordRolesHttp } from '#contracts/discord/discord-roles.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { DiscordRoles } from './discord-roles.ts';

export const bindDiscordRolesRoutes = (
  routes: ApiRoutes,
  { roles, rules, changes, language, reconsider, wake, take, db }: DiscordRoles,
): void => {
  routes.on(discordRolesHttp.list, async () => ({
    rules: await rules.list(),
    roles: (await roles.read(db)).roles?.slice() ?? null,
  }));
  routes.on(discordRolesHttp.roles, async () => ({ roles: (await roles.read(db)).roles?.slice() ?? null }));
  routes.on(discordRolesHttp.create, ({ body }, by) => rules.create(body, by));
  routes.on(discordRolesHttp.preview, ({ params }, by) => rules.preview(params.id, by));
  routes.on(discordRolesHttp.enable, ({ params, body }, by) => rules.enable(params.id, body, by));
  routes.on(discordRolesHttp.disable, ({ params }, by) => rules.disable(params.id, by));
  routes.on(discordRolesHttp.remove, async ({ params }, by) => (await rules.remove(params.id, by)) ?? {});

  routes.on(discordRolesBotHttp.reportRoles, async ({ body }) => {
    roles.report(body);
    await changes.retry();
    reconsider();
    return {};
  });
  routes.on(discordRolesBotHttp.hear, ({ body }) => {
    roles.hear(body.guildId);
    return {};
  });
  routes.on(discordRolesBotHttp.take, async ({ body }) => {
    const isGuildKnown = roles.hear(body.guildId);
    return {
      isGuildKnown,
      language: await language(),
      changes: isGuildKnown ? await take() : [],
    };
  });
  routes.on(discordRolesBotHttp.settle, async ({ params, body }, by) => {
    roles.hear(body.guildId);
    const now = await roles.read(db);
    await changes.settle(params.id, body.outcome, now.nameOf, by);
    wake();
    return {};
  });
};
