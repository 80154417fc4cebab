import type { Log } from '#runtime/log.ts';
import { createChatCommands } from './chat-commands/chat-commands.ts';
import { createLinkCommand } from './chat-commands/link-command.ts';
import type { GameServices } from './game-services.ts';
import type { Store } from './store.ts';

export interface StorefrontOptions {
  readonly games: Pick<GameServices, 'news' | 'whisper'>;
  readonly store: Pick<Store, 'members'>;
  readonly licenseHolds: () => boolean;
  readonly log: Log;
}

/** Where players buy: the chat of their game. */
export const createStorefront = ({ games, store, licenseHolds, log }: StorefrontOptions): AsyncDisposable => {
  const owned = new AsyncDisposableStack();

  const chatCommands = owned.use(
    createChatCommands({
      commands: [createLinkCommand({ members: store.members, whisper: games.whisper, log })],
      mayAct: licenseHolds,
      log,
    }),
  );
  games.news.on('spoken', chatCommands.take);

  return { [Symbol.asyncDispose]: () => owned.disposeAsync() };
};
