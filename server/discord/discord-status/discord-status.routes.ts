import { discordStatusBotHttp, discordStatusHttp } from '#contracts/discord/discord-status.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { DiscordStatus } from './discord-status.ts';

export const bindDiscordStatusRoutes = (routes: ApiRoutes, status: DiscordStatus): void => {
  const { messages, kept, guild, language, communityName } = status;

  routes.on(discordStatusHttp.list, async () => ({ messages: await messages.list() }));
  routes.on(discordStatusHttp.create, ({ body }, by) => messages.create(body, by));
  routes.on(discordStatusHttp.change, ({ params, body }, by) => messages.change(params.id, body, by));
  routes.on(discordStatusHttp.remove, async ({ params }, by) => (await messages.remove(params.id, by)) ?? {});

  routes.on(discordStatusBotHttp.take, async ({ body }) => {
    const known = guild();
    const isHere = known?.guildId === body.guildId;
    if (!known || !isHere) return { language: await language(), messages: [], removed: [] };
    const taken = await kept.take(known);
    const community = await communityName();
    return {
      language: await language(),
      ...taken,
      messages: taken.messages.map((message) =>
        community === null || message.board === null
          ? message
          : { ...message, board: { ...message.board, community } },
      ),
    };
  });
  routes.on(discordStatusBotHttp.settle, async ({ params, body }) => {
    await kept.settle(params.id, body);
    return {};
  });
  routes.on(discordStatusBotHttp.settleRemoved, async ({ params }) => {
    await kept.settleRemoved(params.id);
    return {};
  });
};
