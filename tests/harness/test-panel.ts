import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { type ApiPanelOptions, openApiPanel } from './api-panel.ts';
import { type Panel, type PanelInfo, panelIn } from './panel.ts';

/** Games are polled often, so that a test's actions in a game soon appear in the panel. */
const pollingIntervalMs = 600;

export interface TestPanelInfo extends PanelInfo {
  readonly servers: readonly { readonly id: string; readonly name: string }[];
}
export type TestPanel = Panel<TestPanelInfo>;

export interface TestPanelOptions extends Pick<ApiPanelOptions, 'addPrograms' | 'modSourceUrls'> {
  /** Names of unreachable game servers, in a cluster called Demo; without any, there is no cluster either. */
  readonly servers?: readonly string[];
}

/**
 * The panel in front of an API in the test's own process, with an owner. It opens in a fraction of the time of
 * `openPanel`, which is for tests of the programs as processes.
 */
export const openTestPanel = async ({
  servers = [],
  ...options
}: TestPanelOptions = {}): Promise<TestPanel> => {
  await using opening = new AsyncDisposableStack();
  const opened = opening.use(await openApiPanel({ hasWorkers: true, pollingIntervalMs, ...options }));
  const admin = await opened.newAdmin('owner', 'owner');
  const info = { apiUrl: `http://127.0.0.1:${opened.api.port}`, admin, home: opened.homePath };
  const entered: { id: string; name: string }[] = [];
  const panel = panelIn(opened.browser, { ...info, servers: entered }, opened);
  if (servers.length > 0) {
    const cluster = { name: 'Demo', description: 'Simulated game servers.' };
    const { id: clusterId } = await panel.call(clustersHttp.create, { body: cluster });
    for (const name of servers)
      entered.push(
        await panel.call(gameServersHttp.create, { body: { clusterId, name, game: 'minecraft' } }),
      );
  }
  // The panel disposes it from here on.
  opening.move();
  return panel;
};
