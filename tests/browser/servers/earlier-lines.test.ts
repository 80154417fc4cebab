import { afterAll, beforeAll, expect, test } from 'vitest';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { consoleHttp } from '#contracts/servers/console.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { overflows } from '#harness/browser.ts';
import { eventually } from '#harness/eventually.ts';
import { expectAccessible } from '#harness/every-look.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';
import { startSevenDays } from '#simulators/seven-days-simulator.ts';
import { startAgentProcess, writeConfig } from '../../../agent/testing/agent-process.ts';
import { testAgentSecret } from '../../../server/kernel/testing/test-api.ts';

let panel: TestPanel;
beforeAll(async () => {
  panel = await openTestPanel();
});
afterAll(async () => {
  const faults = [...panel.faults()];
  await panel[Symbol.asyncDispose]();
  expect(faults).toEqual([]);
});

// Guarantee: lines that the game wrote unobserved can be scrolled to and searched in the panel; without an agent the page says so.
test('earlier lines', { tags: ['night'] }, async () => {
  await using game = await startSevenDays();
  const { id: clusterId } = await panel.call(clustersHttp.create, { body: { name: 'Demo' } });
  const body = { clusterId, name: 'Fjord', game: 'seven-days-to-die' as const };
  const { id: serverId } = await panel.call(gameServersHttp.create, { body });
  const page = await panel.page({ path: `/servers/${serverId}/console` });
  const open = () => page.getByRole('button', { name: 'Earlier lines', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await open();
  await dialog.getByText('Earlier lines not available').waitFor();
  await page.keyboard.press('Escape');

  await using folder = await temporaryFolder('agent');
  const config = await writeConfig(folder.path, {
    apiUrl: panel.info.apiUrl,
    secret: testAgentSecret,
    serverId,
    game: 'seven-days-to-die',
    console: { host: '127.0.0.1', port: game.port, password: game.password },
  });
  await using _agent = startAgentProcess('--config', config);
  const lines = (search?: string) =>
    panel.call(consoleHttp.lines, { params: { serverId }, query: { limit: 500, ...(search && { search }) } });
  await eventually(async () => {
    game.world.join('Eve');
    game.world.leave('Eve');
    expect((await lines('eve')).rows.length).toBeGreaterThan(0);
  }, 30_000);
  game.world.join('Steve');
  for (let count = 0; count < 600; count += 1) game.world.chat('Steve', `number ${count} of many`);
  await eventually(async () => expect((await lines('NUMBER 599 of')).rows).toHaveLength(1));

  await open();
  await dialog.getByText('number 599 of many').waitFor();
  await expectAccessible(page);
  expect(await overflows(page)).toBe(false);
  await dialog.getByText('number 599 of many').click();
  await eventually(async () => {
    await page.keyboard.press('Home');
    await dialog.getByText('End of list').waitFor({ timeout: 500 });
  }, 30_000);
  await dialog.getByRole('textbox').fill('NUMBER 3 OF');
  await dialog.getByText('number 3 of many').click();
  await dialog.getByText('End of list').waitFor();
  await dialog.getByRole('textbox').fill('never written');
  await dialog.getByText('Nothing matches').waitFor();
  await page.close();

  const portuguese = await panel.page({ path: `/servers/${serverId}/console`, locale: 'pt-BR' });
  await portuguese.getByRole('button', { name: 'Linhas anteriores', exact: true }).click();
  await portuguese.getByRole('dialog').getByText('number 599 of many').waitFor();
  await portuguese.setViewportSize({ width: 400, height: 800 });
  expect(await overflows(portuguese)).toBe(false);
  await portuguese.close();
});
