import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { overflows } from '#harness/browser.ts';
import { expectAccessible, looksOfTier } from '#harness/every-look.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';

let panel: TestPanel;
let clusterId: string;
beforeAll(async () => {
  panel = await openTestPanel();
  ({ id: clusterId } = await panel.call(clustersHttp.create, { body: { name: 'Many' } }));
});
afterAll(async () => {
  const faults = [...panel.faults()];
  await panel[Symbol.asyncDispose]();
  expect(faults).toEqual([]);
});

const newServer = (name: string) =>
  panel.call(gameServersHttp.create, { body: { clusterId, name, game: 'minecraft' } });

/** One character, the maximum length, right-to-left, with combining marks, and with characters of several code points. */
const names = ['A', 'W'.repeat(64), 'שלום עולם', 'Z̷̢a̷l̷g̷o', '🏴‍☠️ Crew 👨‍👩‍👧'];

const looksRight = async (page: Page) => {
  expect(await overflows(page)).toBe(false);
  await expectAccessible(page);
};

// Guarantee: without a server, both pages say what to do first, and nothing is shown as a problem.
test('no server', async () => {
  const page = await panel.page();
  const card = page.getByRole('region', { name: 'Servers' });
  await card.getByRole('link', { name: 'Add your first server' }).waitFor();
  await looksRight(page);
  await page.goto('/#/servers');
  await page.getByText('No servers yet').waitFor();
  await page.getByRole('button', { name: 'Add server' }).first().waitFor();
  await looksRight(page);
  await page.close();
});

// Guarantee: the shortest, longest and strangest allowed names break neither page, also on a phone.
test('a few servers with strange names', async () => {
  for (const name of names) await newServer(name);
  for (const look of looksOfTier(['phone', 'light'] as const)) {
    const page = await panel.page({ look });
    for (const name of names) await page.getByRole('row').getByText(name, { exact: true }).waitFor();
    // On one line, even next to a long name.
    const state = await page.getByRole('row').getByText('Unknown').first().boundingBox();
    expect(state?.height).toBeLessThan(30);
    await looksRight(page);
    await page.goto('/#/servers');
    for (const name of names) await page.getByText(name, { exact: true }).first().waitFor();
    await looksRight(page);
    await page.close();
  }
});

// Guarantee: with five hundred servers the overview shows some and the number of the others, and the list finds each.
test('five hundred servers', { tags: ['night'] }, async () => {
  const numbers = Array.from({ length: 500 - names.length }, (_, index) => index);
  for (let start = 0; start < numbers.length; start += 20)
    await Promise.all(numbers.slice(start, start + 20).map((number) => newServer(`Shard ${number}`)));
  const page = await panel.page();
  await page.getByRole('link', { name: '488 more servers' }).waitFor();
  await page.getByText('of 500').waitFor();
  await looksRight(page);
  await page.goto('/#/servers');
  await page.getByText('Servers: 500').waitFor();
  await page.getByPlaceholder('Search').fill('Shard 321');
  await page.getByText('Shard 321', { exact: true }).waitFor();
  await looksRight(page);
  await page.close();
});
