import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiPanel, openApiPanel, typeSignIn } from '#harness/api-panel.ts';
import { overflows } from '#harness/browser.ts';
import { expectEveryLook } from '#harness/every-look.ts';
import { newServer } from '../../../server/kernel/testing/call.ts';

let panel: ApiPanel;
let page: Page & AsyncDisposable;

beforeAll(async () => {
  panel = await openApiPanel();
  page = await panel.open('/servers');
  await typeSignIn(page, await panel.newAdmin('Ada', 'owner'));
  await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor();
});
afterAll(async () => {
  await page[Symbol.asyncDispose]();
  await panel[Symbol.asyncDispose]();
});

/** A day of five-minute steps with six unknown hours in the middle. */
const writeDay = (serverId: string) =>
  sql`
    insert into server_figures (server_id, step_seconds, at, players_sum, players_count, answer_ms_sum, answer_ms_count)
    select ${serverId}, 300, date_bin('300 seconds', now(), 'epoch') - step * interval '300 seconds',
           floor(14 + 9 * sin(step / 22.0) + 4 * sin(step / 5.0)), 1, 20 + step % 30, 1
      from generate_series(0, 287) as step where step not between 110 and 182`.execute(
    panel.api.context.database.db,
  );

// Guarantee: the list and the server's page show the players of a day; unknown values are a gap in the line.
test('a day of a server', async () => {
  const serverId = await newServer(panel.api.port, { name: 'Valley', game: 'minecraft' });
  await writeDay(serverId);
  const line = page.getByRole('row', { name: /Valley/ }).locator('svg[viewBox="0 0 96 20"] path[d^=M]');
  // Requests within a second share one reading, which may be older than the rows.
  const drawn = async () => {
    await page.reload();
    await page.getByRole('row', { name: /Valley/ }).waitFor();
    await page.waitForLoadState('networkidle');
    return line.count();
  };
  await expect.poll(drawn, { timeout: 30_000 }).toBe(2);
  // The line is drawn over its area; it has two runs of known values.
  expect((await line.nth(1).getAttribute('d'))?.match(/M/g)).toHaveLength(2);

  await page.getByText('Valley', { exact: true }).click();
  await page.getByRole('img', { name: /^Players: now not known|^Players: now \d/ }).waitFor();
  await page.getByRole('img', { name: /^Console response:/ }).waitFor();
  await expectEveryLook(page, 'server-overview');
  await page.getByText('Hour', { exact: true }).click();
  await page.getByRole('img', { name: 'Players: no data for this period.' }).waitFor();
});

// Guarantee: a long or right-to-left name leaves the page's header and its actions in place.
test('names that are hard to show', async () => {
  for (const name of ['W'.repeat(80), 'שלום \u202e<b>abc</b> 🏰', 'x']) {
    const id = await newServer(panel.api.port, { name, game: 'ark-asa' });
    await page.goto(`/#/servers/${id}`);
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    for (const width of [1100, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await overflows(page)).toBe(false);
      await page.getByRole('link', { name: 'Set up a Game Agent' }).waitFor();
    }
    await page.setViewportSize({ width: 1100, height: 800 });
  }
});
