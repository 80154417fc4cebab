import { consoleHttp } from '#contracts/servers/console.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { demandGranted } from '../../kernel/http/refusal.ts';
import type { Console } from './console.ts';
import type { ConsoleHistory } from './console-history.ts';
import type { KeptLines } from './kept-lines.ts';
import type { SavedCommands } from './saved-commands.ts';

export const bindConsoleRoutes = (
  routes: ApiRoutes,
  {
    console,
    history,
    keptLines,
    savedCommands,
  }: {
    readonly console: Pick<Console, 'run'>;
    readonly history: ConsoleHistory;
    readonly keptLines: KeptLines;
    readonly savedCommands: SavedCommands;
  },
): void => {
  routes.on(consoleHttp.run, async ({ body }, by) => ({
    entries: demandGranted(await console.run(body, by)),
  }));
  routes.on(consoleHttp.history, ({ query }, { actor }) => history(query, actor));
  routes.on(consoleHttp.lines, ({ params, query }, { actor }) => keptLines(params.serverId, query, actor));
  routes.on(consoleHttp.savedCommands, async () => ({ rows: await savedCommands.list() }));
  routes.on(consoleHttp.saveCommand, ({ body }, by) => savedCommands.create(body, by));
  routes.on(consoleHttp.changeSavedCommand, ({ params, body }, by) =>
    savedCommands.change(params.id, body, by),
  );
  routes.on(consoleHttp.removeSavedCommand, async ({ params }, by) => {
    demandGranted(await savedCommands.remove(params.id, by));
    return {};
  });
};
