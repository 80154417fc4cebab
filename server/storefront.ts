import type { Kysely } from 'kysely';
import type { Log } from '#runtime/log.ts';
import type { ApiRoutes } from './access/authorize.ts';
import { createChatCommands } from './chat-commands/chat-commands.ts';
import { createLinkCommand } from './chat-commands/link-command.ts';
import type { Tables } from './database/tables.ts';
import type { GameServices } from './game-services.ts';
import { readMemberNames } from './members/member-names.ts';
import { bindSeasonsRoutes } from './seasons/seasons.routes.ts';
import { createSeasons } from './seasons/seasons.ts';
import type { Store } from './store.ts';

export interface StorefrontOptions {
  readonly db: Kysely<Tables>;
  readonly games: Pick<GameServices, 'directory' | 'news' | 'say' | 'whisper'>;
  readonly store: Pick<Store, 'catalogue' | 'deliveries' | 'members' | 'orders'>;
  readonly licenseHolds: () => boolean;
  readonly log: Log;
}

export interface Storefront extends AsyncDisposable {
  bind(routes: ApiRoutes): void;
  /** Once the schema stands, before deliveries go out. */
  prepare(): Promise<void>;
}

/** Where players buy, the chat of their game, and the seasons of what they have bought. */
export const createStorefront = (options: StorefrontOptions): Storefront => {
  const { db, games, store, licenseHolds, log } = options;
  const owned = new AsyncDisposableStack();

  const chatCommands = owned.use(
    createChatCommands({
      commands: [createLinkCommand({ members: store.members, whisper: games.whisper, log })],
      mayAct: licenseHolds,
      log,
    }),
  );
  games.news.on('spoken', chatCommands.take);

  const { catalogue, deliveries, orders } = store;
  const seasons = owned.use(
    createSeasons({
      db,
      orders,
      sold: catalogue.sold,
      memberNames: (ids) => readMemberNames(db, ids),
      deliveries,
      say: games.say,
      servers: games.directory,
      licenseHolds,
      log,
    }),
  );

  return {
    bind(routes) {
      bindSeasonsRoutes(routes, seasons);
    },
    prepare: seasons.prepare,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
