import { afterAll, beforeAll, expect, test } from 'vitest';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { overflows } from '#harness/browser.ts';
import { expectAccessible, looksOfTier } from '#harness/every-look.ts';
import { type ModsPanel, openModsPanel } from '#harness/mods-panel.ts';
import { button, shot } from '#harness/saves-panel.ts';
import type { TestPanel } from '#harness/test-panel.ts';
import { fabricMod } from '#simulators/mod-sources/mod-files.ts';
import { type ModSources, openModSources } from '#simulators/mod-sources/mod-sources.ts';
import { emptyList } from '../../../server/mods/testing/sample-mods.ts';

let sources: ModSources;
let panel: TestPanel;
let withMods: ModsPanel['withMods'];
beforeAll(async () => {
  sources = await openModSources();
  ({ panel, withMods } = await openModsPanel({ modSourceUrls: { modrinth: sources.modrinthUrl } }));
  sources.catalogue.put({
    source: 'modrinth',
    id: 'gvQqBUqZ',
    slug: 'lithium',
    name: 'Lithium',
    versions: [{ id: 'lith0001', content: await fabricMod({ id: 'lithium', version: '1.0.0' }) }],
  });
});
afterAll(async () => {
  const faults = [...(panel?.faults() ?? [])];
  await panel?.[Symbol.asyncDispose]();
  await sources?.[Symbol.asyncDispose]();
  expect(faults).toEqual([]);
});

// Guarantee: a set can be created, changed without overwriting another admin, and rolled out to one server first and then the
// others, each monitored by the settings unless chosen otherwise; a cancelled rollout starts no further server; a set can be deleted.
test('a set and its waves', async () => {
  const fjord = await withMods('Fjord', { list: emptyList });
  using first = fjord.agent;
  const reef = await withMods('Reef', { list: emptyList });
  using second = reef.agent;
  const page = await panel.page({ path: '/mods' });
  await page.getByText('No sets yet').waitFor();
  await page.getByRole('button', { name: 'New set' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Usual');
  await page.getByRole('button', { name: 'Add mods …' }).click();
  await button(page, 'Select Lithium').click();
  await expectAccessible(page);
  await button(page, 'Add to set').click();
  await page.getByRole('dialog').getByText('Selected').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await button(page, 'Save').click();
  await page.getByRole('heading', { name: 'Usual', level: 1 }).waitFor();

  const [set] = (await panel.call(modsHttp.sets, {})).rows;
  if (!set) throw new Error('no set was made');
  const { id, version, game, items } = set;
  expect(items).toMatchObject([{ project: 'gvQqBUqZ', version: null }]);
  await panel.call(modsHttp.changeSet, { params: { id }, body: { version, game, items, name: 'Theirs' } });
  await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
  await button(page, 'Save').click();
  await page.getByText('Another person changed this set while you were editing').waitFor();
  await expectAccessible(page);
  await shot(page, 'set-conflict');
  await page.getByRole('button', { name: 'Save my version' }).click();
  await page.getByRole('heading', { name: 'Mine', level: 1 }).waitFor();

  await page.getByRole('link', { name: 'All mods' }).click();
  await button(page, 'Apply Mine').click();
  await page.getByLabel('First server').selectOption({ label: 'Reef' });
  await page.getByLabel('Monitor the game after it starts').selectOption('60');
  await expectAccessible(page);
  await shot(page, 'wave-dialog');
  await button(page, 'Update 2 servers').dblclick();
  const proven = await second.nextChange();
  expect(proven.change.watch).toEqual({ readySeconds: 300, watchSeconds: 60 });
  await page.getByText('Updating the first server').first().waitFor();
  expect(first.changes).toEqual([]);
  await expectAccessible(page);
  await shot(page, 'mods-page');
  second.finish(proven);
  first.finish(await first.nextChange());
  const waves = page.getByRole('list', { name: 'Rolling updates' });
  await waves.getByText('Done', { exact: true }).first().waitFor();
  expect((await panel.call(modsHttp.waves, {})).rows).toHaveLength(1);

  for (const look of looksOfTier(['phone', 'dark'] as const)) {
    const other = await panel.page({ path: '/mods', look, locale: 'pt-BR' });
    await other.getByText('Mine').first().waitFor();
    await expectAccessible(other);
    expect(await overflows(other)).toBe(false);
    await shot(other, `mods-page-${look}`);
    await other.close();
  }

  await button(page, 'Delete Mine').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('No sets yet').waitFor();
  await page.close();
});
