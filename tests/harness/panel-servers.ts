import { expect } from 'vitest';
import { clustersHttp } from '#contracts/clusters.ts';
import { type GameServer, gameServersHttp } from '#contracts/game-servers.ts';
import { type SevenDaysSimulator, startSevenDays } from '../simulators/seven-days-simulator.ts';
import { openPanel, type Panel } from './panel.ts';

export const consolePassword = 'the right password';

/** The panel, and a game that the servers made in it lead to. */
export interface PanelServers extends AsyncDisposable {
  readonly panel: Panel;
  readonly game: SevenDaysSimulator;
  /** A server of its own, so that tests do not meet in one. */
  newServer(name: string): Promise<GameServer>;
  untilOnline(server: GameServer): Promise<void>;
}

/** A loaded machine takes its time. */
export const patienceMs = 30_000;

export const openPanelServers = async (): Promise<PanelServers> => {
  await using opening = new AsyncDisposableStack();
  const panel = opening.use(await openPanel());
  const game = opening.use(await startSevenDays({ password: consolePassword }));
  const resources = opening.move();
  return {
    panel,
    game,
    async newServer(name) {
      const { rows } = await panel.call(clustersHttp.list, {});
      return panel.call(gameServersHttp.create, {
        body: {
          clusterId: rows[0]?.id ?? '',
          name,
          game: 'seven-days-to-die',
          host: '127.0.0.1',
          port: game.port,
          password: consolePassword,
        },
      });
    },
    untilOnline: ({ id }) =>
      expect
        .poll(async () => (await panel.call(gameServersHttp.read, { params: { id } })).status.state, {
          timeout: patienceMs,
        })
        .toBe('online'),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
};
