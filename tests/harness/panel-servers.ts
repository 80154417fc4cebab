import { clustersHttp } from '#contracts/servers/clusters.ts';
import { type GameServer, gameServersHttp } from '#contracts/servers/game-servers.ts';
import { type SevenDaysSimulator, startSevenDays } from '../simulators/seven-days-simulator.ts';
import { eventually } from './eventually.ts';
import type { Panel, PanelInfo } from './panel.ts';

export const consolePassword = 'the right password';

/** The panel, and a game that the servers created in it connect to. */
export interface PanelServers<Opened extends Panel<PanelInfo>> extends AsyncDisposable {
  readonly panel: Opened;
  readonly game: SevenDaysSimulator;
  /** Creates a separate server, so that tests do not share one. */
  newServer(name: string): Promise<GameServer>;
  untilOnline(server: GameServer): Promise<void>;
}

/** Long enough for a loaded machine. */
export const patienceMs = 30_000;

/** @param open opens a panel without clusters */
export const openPanelServers = async <Opened extends Panel<PanelInfo>>(
  open: () => Promise<Opened>,
): Promise<PanelServers<Opened>> => {
  await using opening = new AsyncDisposableStack();
  const panel = opening.use(await open());
  const game = opening.use(await startSevenDays({ password: consolePassword, host: '0.0.0.0' }));
  const { id: clusterId } = await panel.call(clustersHttp.create, { body: { name: 'Demo' } });
  const resources = opening.move();
  let created = 0;
  return {
    panel,
    game,
    newServer(name) {
      created += 1;
      return panel.call(gameServersHttp.create, {
        body: {
          clusterId,
          name,
          game: 'seven-days-to-die',
          // One game behind all: each server has an address of its own.
          host: `127.0.1.${created}`,
          port: game.port,
          password: consolePassword,
        },
      });
    },
    untilOnline: ({ id }) =>
      eventually(async () => {
        const { status } = await panel.call(gameServersHttp.read, { params: { id } });
        if (status.state !== 'online') throw new Error(`the server is ${status.state}`);
      }, patienceMs),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
};
