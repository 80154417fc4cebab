import { adminsHttp } from '#contracts/admins.ts';
import { clustersHttp } from '#contracts/clusters.ts';
import { gameServersHttp } from '#contracts/game-servers.ts';
import { apiDatabase } from '../../server/testing/api-database.ts';
import { call } from '../../server/testing/call.ts';
import { startTestApi, testDesktopCredential } from '../../server/testing/test-api.ts';
import { whenInUse } from '../../server/testing/when-in-use.ts';
import { openBrowser } from './browser.ts';
import { type Panel, type PanelInfo, panelIn } from './panel.ts';
import { copyOfPrograms } from './panel-programs.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Games are asked often who is there: what a test does in a game is then soon in the panel. */
const pollIntervalMs = 600;

export interface TestPanelInfo extends PanelInfo {
  readonly servers: readonly { readonly id: string; readonly name: string }[];
}
export type TestPanel = Panel<TestPanelInfo>;

export interface TestPanelOptions {
  /** Names of game servers that nothing reaches, in a cluster called Demo; without any, there is no cluster either. */
  readonly servers?: readonly string[];
}

const admin = { name: 'owner', password: 'the password of the owner' };

/**
 * The panel in front of an API within the test's own process, with an owner. It opens in a fraction of the time that
 * `openPanel` takes, which is for tests of the programs as processes.
 */
export const openTestPanel = async ({ servers = [] }: TestPanelOptions = {}): Promise<TestPanel> => {
  await using opening = new AsyncDisposableStack();
  const programs = opening.use(await copyOfPrograms());
  const home = opening.use(await temporaryFolder('test-panel'));
  const database = opening.use(await apiDatabase());
  const api = opening.use(
    await startTestApi({
      databaseUrl: database.url,
      home: home.path,
      programsFolder: programs.path,
      polling: { intervalMs: pollIntervalMs },
    }),
  );
  await whenInUse(api);
  const made = await call(api.port, adminsHttp.create, {
    as: testDesktopCredential,
    body: { ...admin, role: 'owner' },
  });
  if (made.status !== 200) throw new Error(made.text);
  const { browser } = opening.use(await openBrowser());
  const info = { apiUrl: `http://127.0.0.1:${api.port}`, admin, home: home.path };
  const entered: { id: string; name: string }[] = [];
  const panel = panelIn(browser, { ...info, servers: entered }, opening.move());
  if (servers.length === 0) return panel;
  const cluster = { name: 'Demo', description: 'Simulated game servers.' };
  const { id: clusterId } = await panel.call(clustersHttp.create, { body: cluster });
  for (const name of servers)
    entered.push(await panel.call(gameServersHttp.create, { body: { clusterId, name, game: 'minecraft' } }));
  return panel;
};
