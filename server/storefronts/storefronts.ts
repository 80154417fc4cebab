import type { ApiRoutes } from '../kernel/access/authorize.ts';
import { createChatCommands } from './chat-commands/chat-commands.ts';
import { deleteExpiredQuestions } from './chat-commands/confirmations.ts';
import { bindChatTrustRoutes } from './chat-trust/chat-trust.routes.ts';
import { createChatTrusts } from './chat-trust/chat-trust.ts';
import { bindShopsRoutes } from './shops/shops.routes.ts';
import { createShops } from './shops/shops.ts';
import type { StorefrontContext } from './storefront-context.ts';

/** Where players buy: the chat of their games, and outside shops. */
export type Storefronts = ReturnType<typeof createStorefronts>;

export const createStorefronts = (context: StorefrontContext) => {
  const owned = new AsyncDisposableStack();
  const trusts = createChatTrusts(context);
  const chat = owned.use(createChatCommands(context, trusts));
  context.onSpoken(chat.take);
  const shops = owned.use(createShops(context));
  context.onPlayersPresent(shops.onPlayersPresent);

  return {
    shops,
    bind(routes: ApiRoutes): void {
      bindShopsRoutes(routes, context, shops);
      bindChatTrustRoutes(routes, trusts, context.members.ofDiscord);
    },
    /** Resolves when every line of chat that was heard is answered. */
    chatIdle: chat.idle,
    maintenance: [
      shops.maintenance,
      { name: 'questions in chat', run: () => deleteExpiredQuestions(context) },
    ],
    /** Called once everything is prepared. */
    begin: shops.begin,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
