import { botHttp } from '#contracts/bot.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import type { BotLink } from './bot-link.ts';

export const bindBotLinkRoutes = (routes: ApiRoutes, botLink: BotLink): void => {
  routes.on(botHttp.report, ({ body }) => {
    botLink.report(body);
    return {};
  });
};
