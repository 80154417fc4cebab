import type { Kysely } from 'kysely';
import type { Log } from '#runtime/log.ts';
import type { ApiRoutes } from './access/authorize.ts';
import { readProductNames } from './catalogue/product-names.ts';
import { createChatCommands } from './chat-commands/chat-commands.ts';
import { createLinkCommand } from './chat-commands/link-command.ts';
import type { Tables } from './database/tables.ts';
import type { GameServices } from './game-services.ts';
import { readMemberNames } from './members/member-names.ts';
import type { Secrets } from './secrets/secrets.ts';
import { bindShopsRoutes } from './shops/shops.routes.ts';
import { createShops, type Shops } from './shops/shops.ts';
import type { Store } from './store.ts';

export interface StorefrontOptions {
  readonly db: Kysely<Tables>;
  readonly games: Pick<GameServices, 'news' | 'whisper'>;
  readonly store: Pick<Store, 'members' | 'orders'>;
  readonly secrets: Secrets;
  readonly licenseHolds: () => boolean;
  readonly log: Log;
}

/** Where players buy: the chat of their game, and shops outside. */
export interface Storefront extends AsyncDisposable {
  readonly shops: Pick<Shops, 'sweep'>;
  bind(routes: ApiRoutes): void;
  /** Once the schema stands and the store is prepared. */
  begin(): void;
}

export const createStorefront = (options: StorefrontOptions): Storefront => {
  const { db, games, store, secrets, licenseHolds, log } = options;
  const owned = new AsyncDisposableStack();

  const chatCommands = owned.use(
    createChatCommands({
      commands: [createLinkCommand({ members: store.members, whisper: games.whisper, log })],
      mayAct: licenseHolds,
      log,
    }),
  );
  games.news.on('spoken', chatCommands.take);

  const shops = owned.use(
    createShops({
      db,
      secrets,
      orders: store.orders,
      memberNames: (ids) => readMemberNames(db, ids),
      holdMembers: store.members.hold,
      productNames: (ids) => readProductNames(db, ids),
      licenseHolds,
      log,
    }),
  );
  games.news.on('playerJoined', shops.onPlayerJoined);

  return {
    shops,
    bind(routes) {
      bindShopsRoutes(routes, shops);
    },
    begin() {
      shops.begin();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
