import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { overflows } from '#harness/browser.ts';
import { expectAccessible, lookOfTier } from '#harness/every-look.ts';
import { installedMod, type ModsPanel, openModsPanel } from '#harness/mods-panel.ts';
import { button, shot } from '#harness/saves-panel.ts';
import type { TestPanel } from '#harness/test-panel.ts';
import { changedTo } from '../../../server/mods/testing/mods-agent.ts';
import { emptyList } from '../../../server/mods/testing/sample-mods.ts';

let panel: TestPanel;
let withMods: ModsPanel['withMods'];
beforeAll(async () => {
  ({ panel, withMods } = await openModsPanel());
});
afterAll(async () => {
  const faults = [...panel.faults()];
  await panel[Symbol.asyncDispose]();
  expect(faults).toEqual([]);
});

const listed = {
  ...emptyList,
  installed: [installedMod('Lithium'), installedMod('Chunky', { changedFiles: ['mods/chunky.jar'] })],
};
const told = (page: Page) => page.locator('#mods-status');
const removal = async (page: Page, mod: string) => {
  await button(page, `Actions for ${mod}`).click();
  await page.getByRole('menuitem', { name: 'Remove …' }).click();
  await page.getByRole('dialog').getByText('Removed').waitFor();
};

// Guarantee: a change is shown completely before it is requested, requested once, and followed step by step, also in another tab; its
// end is shown as the agent has proven it, and the list then shows what is on the server.
test('a mod is removed', async () => {
  const { agent, path } = await withMods('Fjord', { list: listed });
  using _ = agent;
  const page = await panel.page({ path });
  await told(page).getByText('Files of 1 mod were changed outside Castellan').waitFor();
  await page.getByText('Fabric 0.16.9').waitFor();
  await expectAccessible(page);
  expect(await overflows(page)).toBe(false);
  await shot(page, 'mods-tab');

  await removal(page, 'Chunky');
  await expectAccessible(page);
  await shot(page, 'mods-plan');
  await page.getByRole('button', { name: /^Remove 1 mod/ }).dblclick();
  const task = await agent.nextChange();
  expect(task.change).toMatchObject({ remove: ['upload:chunky'], put: [], backup: true });
  agent.power.progress(task.id, { step: 'download', done: 2, total: 5 });
  await page.getByText('Downloading 3 of 5 …').first().waitFor();
  // The history may be one reading ahead of it.
  await expect.poll(() => told(page).textContent()).toBe('Changing mods: Downloading');
  await expectAccessible(page);
  await shot(page, 'mods-job');
  const second = await panel.page({ path, look: lookOfTier('dark'), locale: 'pt-BR' });
  await second.getByText('Baixando 3 de 5 …').first().waitFor();
  await shot(second, 'mods-job-dark');
  agent.finish(task);
  await page.getByText('Done: the game runs with the new mods').first().waitFor();
  await second.getByText('Concluído: o jogo roda com os mods novos').first().waitFor();
  await page
    .getByRole('list', { name: 'Installed' })
    .getByText('Chunky', { exact: true })
    .waitFor({ state: 'detached' });
  expect(agent.changes).toHaveLength(1);
  await Promise.all([page.close(), second.close()]);
});

// Guarantee: a change that the agent rolled back is never shown as done; the page says that the old mods run, where it failed, and
// what the game said.
test('rolled back', async () => {
  const { agent, path } = await withMods('Reef', { list: listed });
  using _ = agent;
  const page = await panel.page({ path });
  await removal(page, 'Lithium');
  await page.getByRole('button', { name: /^Remove 1 mod/ }).click();
  const { id } = await agent.nextChange();
  const value = changedTo(1, {
    set: 'old',
    isRolledBack: true,
    failedAt: 'start',
    lines: ['[main/ERROR]: Incompatible mods found!'],
  });
  agent.power.end(id, 'failed', 'The game ended with code 1.', value);
  await told(page).getByText('Rolled back: the server runs on the old mods').waitFor();
  await page.getByText('The game did not start with the new mods.').first().waitFor();
  await page.getByText('Last output of the game').first().click();
  await page.getByText('Incompatible mods found!').first().waitFor();
  await page.getByRole('list', { name: 'Installed' }).getByText('Lithium').waitFor();
  await expectAccessible(page);
  await shot(page, 'mods-rolled-back');
  await page.close();
});

// Guarantee: a pin says why and until when, and is released again.
test('a pin', { tags: ['night'] }, async () => {
  const { agent, path } = await withMods('Sound', { list: listed });
  using _ = agent;
  const page = await panel.page({ path });
  await button(page, 'Actions for Lithium').click();
  await page.getByRole('menuitem', { name: 'Pin this version …' }).click();
  await page.getByLabel('Reason').fill('The newer one loses chests');
  await page.getByLabel('Unpin when').fill('2.1 is out');
  await expectAccessible(page);
  await button(page, 'Pin').click();
  await page.getByText('The newer one loses chests').waitFor();
  await page.getByText('2.1 is out').waitFor();
  await button(page, 'Actions for Lithium').click();
  await page.getByRole('menuitem', { name: 'Unpin' }).click();
  await page.getByText('The newer one loses chests').waitFor({ state: 'detached' });
  await page.close();
});

// Guarantee: an upload that is cancelled is gone from the API, too. An uploaded file arrives completely although the answer to one
// of its chunks is lost, and leads to its plan.
test('an upload', { tags: ['night'] }, async () => {
  const { agent, path } = await withMods('Bay', { list: emptyList });
  using _ = agent;
  const page = await panel.page({ path });
  let isHeld = true;
  const held = Promise.withResolvers<void>();
  let isLost = true;
  await page.route(/\/mods\/uploads\/[^/]+\?from=0$/, async (route) => {
    if (isHeld) return held.resolve();
    if (!isLost) return route.continue();
    isLost = false;
    await route.fetch();
    await route.abort();
  });
  await button(page, 'More options').click();
  await page.getByRole('menuitem', { name: 'Upload file …' }).click();
  const buffer = Buffer.alloc(9_000_000, 'no mod');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'large.jar', mimeType: 'application/java-archive', buffer });
  await button(page, 'Upload').click();
  await held.promise;
  const discarded = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
  await button(page, 'Cancel upload').click();
  expect((await discarded).status()).toBe(200);
  isHeld = false;
  await button(page, 'Upload').click();
  await page.getByText('Changes on Bay').waitFor();
  await page.getByRole('heading', { name: 'Fix these first' }).waitFor();
  expect(isLost).toBe(false);
  await expectAccessible(page);
  await shot(page, 'mods-upload');
  await page.close();
});

// Guarantee: a change that the machine does not allow is shown with its remedy, and cannot be started.
test('not allowed', { tags: ['night'] }, async () => {
  const list = { ...listed, obstacle: 'MODS_NOT_ALLOWED' as const };
  const { agent, path } = await withMods('Isle', { list });
  using _ = agent;
  const page = await panel.page({ path });
  await page.getByText('castellan-agent setup').first().waitFor();
  expect(await button(page, 'Add mods').first().getAttribute('aria-disabled')).toBe('true');
  await expectAccessible(page);
  await page.close();
});
