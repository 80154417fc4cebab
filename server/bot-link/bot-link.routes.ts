import { botHttp } from '#contracts/bot.ts';
import type { Routes } from '#runtime/http/routes.ts';
import type { BotLink } from './bot-link.ts';

export const bindBotLinkRoutes = (routes: Routes, botLink: BotLink): void => {
  routes.on(botHttp.report, ({ body }) => {
    botLink.report(body);
    return {};
  });
};
