import { modsHttp } from '#contracts/mods/mods-http.ts';
import type { InstalledMod } from '#contracts/servers/agent-mods.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { type GameServer, gameServersHttp } from '#contracts/servers/game-servers.ts';
import {
  joinModsAgent,
  type ModsAgent,
  type ModsAgentOptions,
} from '../../server/mods/testing/mods-agent.ts';
import { eventually } from './eventually.ts';
import { openTestPanel, type TestPanel, type TestPanelOptions } from './test-panel.ts';

export interface ModsPanel {
  readonly panel: TestPanel;
  /** A server whose agent has reported its mods. */
  withMods(
    name: string,
    options?: ModsAgentOptions,
  ): Promise<{ readonly server: GameServer; readonly agent: ModsAgent; readonly path: string }>;
}

export const openModsPanel = async (panelOptions: TestPanelOptions = {}): Promise<ModsPanel> => {
  await using opening = new AsyncDisposableStack();
  const panel = opening.use(await openTestPanel(panelOptions));
  const { id: clusterId } = await panel.call(clustersHttp.create, { body: { name: 'Demo' } });
  const { port } = new URL(panel.info.apiUrl);
  // The caller disposes it from here on.
  opening.move();
  return {
    panel,
    async withMods(name, { game = 'minecraft', ...options } = {}) {
      const server = await panel.call(gameServersHttp.create, {
        body: { clusterId, name, game },
      });
      const agent = await joinModsAgent(Number(port), server.id, { game, ...options });
      await eventually(async () => {
        const mods = await panel.call(modsHttp.read, { params: { serverId: server.id } });
        if (!mods.isAgentPresent || mods.list === null) throw new Error('the agent has not told yet');
      });
      return { server, agent, path: `/servers/${server.id}/mods` };
    },
  };
};

/** A mod as an agent reports it. */
export const installedMod = (name: string, more: Partial<InstalledMod> = {}): InstalledMod => ({
  key: `upload:${name.toLowerCase()}`,
  source: 'upload',
  project: null,
  version: null,
  name,
  versionName: '1.0.0',
  form: 'file',
  folder: 'mods',
  file: {
    name: `${name.toLowerCase()}.jar`,
    bytes: 10,
    hashes: {},
    from: { kind: 'api', id: name.toLowerCase() },
  },
  byName: 'Anna',
  since: '2026-11-20T12:00:00.000Z',
  files: [{ path: `mods/${name.toLowerCase()}.jar`, bytes: 10 }],
  fileCount: 1,
  changedFiles: [],
  metadata: null,
  ...more,
});
