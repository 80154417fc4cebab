import { discordChatBotHttp, discordChatHttp } from '#contracts/discord/discord-chat.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { ChatRelay } from './chat-relay.ts';

export const bindChatRelayRoutes = (
  routes: ApiRoutes,
  { relays, filter, channels, posts, heard, guild }: ChatRelay,
): void => {
  routes.on(discordChatHttp.list, async () => ({
    relays: await relays.list(),
    filter: await filter.read(),
    guild: guild(),
  }));
  routes.on(discordChatHttp.create, ({ body }, by) => relays.create(body, by));
  // Before the routes with an id.
  routes.on(discordChatHttp.changeFilter, ({ body }, by) => filter.change(body, by));
  routes.on(discordChatHttp.change, ({ params, body }, by) => relays.change(params.id, body, by));
  routes.on(discordChatHttp.remove, async ({ params }, by) => (await relays.remove(params.id, by)) ?? {});

  routes.on(discordChatBotHttp.take, async ({ body }) => {
    channels.report(body.channels);
    const current = await relays.current();
    return {
      channels: [...new Set(current.map(({ channel_id }) => channel_id))].map((id) => {
        const ofChannel = current.filter(({ channel_id }) => channel_id === id);
        return {
          id,
          isPostedInto: ofChannel.some(({ to_discord }) => to_discord),
          isHeard: ofChannel.some(({ to_game }) => to_game),
        };
      }),
      posts: await posts.take(body.busy),
    };
  });
  routes.on(discordChatBotHttp.settle, async ({ params, body }) => {
    await posts.settle(params.id, body.outcome, body.messageId);
    return {};
  });
  routes.on(discordChatBotHttp.hear, async ({ body }) => ({ outcomes: await heard.take(body.messages) }));
};
