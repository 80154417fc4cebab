import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { MachineFacts, ProcessReport } from '#contracts/servers/agent-tasks.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { type GameServer, gameServersHttp } from '#contracts/servers/game-servers.ts';
import { powerHttp } from '#contracts/servers/power.ts';
import { joinPowerAgent, type PowerAgent } from '../../server/servers/power/testing/power-agent.ts';
import { openTestPanel, type TestPanel } from './test-panel.ts';

/** A panel with servers whose agents say what their processes do. */
export interface PowerPanel extends AsyncDisposable {
  readonly panel: TestPanel;
  newServer(name: string): Promise<GameServer>;
  /** A server whose agent's report the API has. */
  managed(
    name: string,
    report?: Partial<ProcessReport>,
    machine?: Partial<MachineFacts>,
  ): Promise<{ readonly server: GameServer; readonly agent: PowerAgent }>;
}

/** Waits longer, for a loaded machine. */
export const soon = <Value>(look: () => Promise<Value> | Value): ReturnType<typeof expect.poll> =>
  expect.poll(look, { timeout: 30_000 });
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const runningReport: Partial<ProcessReport> = {
  state: 'running',
  wanted: 'running',
  pid: 4711,
  upMs: 90_000,
};
/** A picture for a person to look at, where `PICTURES` names a folder. */
export const shot = (page: Page, name: string) =>
  process.env.PICTURES
    ? page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true })
    : undefined;

export const openPowerPanel = async (): Promise<PowerPanel> => {
  await using opening = new AsyncDisposableStack();
  const panel = opening.use(await openTestPanel());
  const { id: clusterId } = await panel.call(clustersHttp.create, { body: { name: 'Demo' } });
  const port = Number(new URL(panel.info.apiUrl).port);
  const newServer: PowerPanel['newServer'] = (name) =>
    panel.call(gameServersHttp.create, { body: { clusterId, name, game: 'minecraft' } });
  opening.move();
  return {
    panel,
    newServer,
    async managed(name, report = {}, machine = {}) {
      const server = await newServer(name);
      const agent = await joinPowerAgent(port, server.id, { process: report, machine });
      await soon(
        async () =>
          (await panel.call(powerHttp.read, { params: { serverId: server.id } })).process?.report.state,
      ).toBe(report.state ?? 'stopped');
      return { server, agent };
    },
    async [Symbol.asyncDispose]() {
      const faults = [...panel.faults()];
      await panel[Symbol.asyncDispose]();
      expect(faults).toEqual([]);
    },
  };
};
