import type { Locator, Page } from 'playwright-core';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { type GameServer, gameServersHttp } from '#contracts/servers/game-servers.ts';
import { savesHttp } from '#contracts/servers/saves.ts';
import {
  joinSavesAgent,
  listOf,
  type SavesAgent,
  type SavesAgentOptions,
} from '../../server/servers/saves/testing/saves-agent.ts';
import { eventually } from './eventually.ts';
import { openTestPanel, type TestPanel } from './test-panel.ts';

export interface SavesPanel {
  readonly panel: TestPanel;
  /** A server whose agent the API has asked for its backups, if the agent can be asked. */
  withSaves(
    name: string,
    options?: SavesAgentOptions,
  ): Promise<{ readonly server: GameServer; readonly agent: SavesAgent; readonly path: string }>;
}

export const openSavesPanel = async (): Promise<SavesPanel> => {
  await using opening = new AsyncDisposableStack();
  const panel = opening.use(await openTestPanel());
  const { id: clusterId } = await panel.call(clustersHttp.create, { body: { name: 'Demo' } });
  const { port } = new URL(panel.info.apiUrl);
  // The caller disposes it from here on.
  opening.move();
  return {
    panel,
    async withSaves(name, { list = listOf(), ...options } = {}) {
      const server = await panel.call(gameServersHttp.create, {
        body: { clusterId, name, game: 'minecraft' },
      });
      const agent = await joinSavesAgent(Number(port), server.id, { list, ...options });
      await eventually(async () => {
        const saves = await panel.call(savesHttp.read, { params: { serverId: server.id } });
        const isAsked = saves.list !== null || options.machine?.tasks !== undefined;
        if (!saves.isAgentPresent || !isAsked) throw new Error('the agent has not told yet');
      });
      return { server, agent, path: `/servers/${server.id}/saves` };
    },
  };
};

/** What a screen reader announces about a server's saves. */
export const told = (page: Page): Locator => page.locator('#saves-status');

export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

/** Takes a picture if the environment names a folder for it. */
export const shot = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.CASTELLAN_TEST_PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
};
