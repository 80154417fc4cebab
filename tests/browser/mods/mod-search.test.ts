import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { settingsHttp } from '#contracts/operations/settings.ts';
import { overflows } from '#harness/browser.ts';
import { expectAccessible } from '#harness/every-look.ts';
import { type ModsPanel, openModsPanel } from '#harness/mods-panel.ts';
import { button, shot } from '#harness/saves-panel.ts';
import type { TestPanel } from '#harness/test-panel.ts';
import { fabricMod } from '#simulators/mod-sources/mod-files.ts';
import { type ModSources, openModSources } from '#simulators/mod-sources/mod-sources.ts';
import { changedTo } from '../../../server/mods/testing/mods-agent.ts';
import { emptyList, foundFile } from '../../../server/mods/testing/sample-mods.ts';

const sha512 = (content: Buffer) => createHash('sha512').update(content).digest('hex');

let sources: ModSources;
let panel: TestPanel;
let withMods: ModsPanel['withMods'];
let lithium: Buffer;
let byHand: Buffer;
beforeAll(async () => {
  sources = await openModSources();
  const { modrinthUrl: modrinth, curseforgeUrl: curseforge, steamUrl: steam } = sources;
  ({ panel, withMods } = await openModsPanel({ modSourceUrls: { modrinth, curseforge, steam } }));
  lithium = await fabricMod({ id: 'lithium', version: '1.0.0' });
  byHand = await fabricMod({ id: 'jei', version: '1.0.0' });
  const { catalogue } = sources;
  catalogue.put({
    source: 'modrinth',
    id: 'P7dR8mSH',
    slug: 'fabric-api',
    name: 'Fabric API',
    versions: [{ id: 'fapi0001', content: await fabricMod({ id: 'fabric-api', version: '1' }) }],
  });
  catalogue.put({
    source: 'modrinth',
    id: 'gvQqBUqZ',
    slug: 'lithium',
    name: 'Lithium',
    versions: [
      { id: 'lith0001', content: lithium },
      {
        id: 'lith0002',
        changelog: 'Fewer crashes.',
        content: await fabricMod({ id: 'lithium', version: '1.0.1' }),
        dependencies: [{ kind: 'required', project: 'P7dR8mSH' }],
      },
    ],
  });
  catalogue.put({
    source: 'curseforge',
    id: '238222',
    name: 'JEI',
    allowModDistribution: false,
    versions: [{ id: '4001', gameVersions: ['1.21.1', 'Fabric', 'Server'], content: byHand }],
  });
});
afterAll(async () => {
  const faults = [...(panel?.faults() ?? [])];
  await panel?.[Symbol.asyncDispose]();
  await sources?.[Symbol.asyncDispose]();
  expect(faults).toEqual([]);
});

const drawer = (page: Page) => page.getByRole('dialog');
const installed = (page: Page) => page.getByRole('list', { name: 'Installed' });
const openSearch = (page: Page) => button(page, 'Add mods').first().click();
const choose = async (page: Page, mod: string, version?: RegExp) => {
  await button(page, `Select ${mod}`).click();
  await page.getByRole('heading', { name: mod, exact: true }).waitFor();
  if (version) await page.getByRole('radio', { name: version }).check();
  await button(page, 'Select mod').click();
};

// Guarantee: a mod is found at its source, installed at a chosen version, and updated together with its new requirements, and the
// change is undone; each change is shown completely before it is requested.
test('a mod from its search to its undoing', async () => {
  const { agent, path } = await withMods('Fjord', { list: emptyList, isDiligent: true });
  using _ = agent;
  const page = await panel.page({ path });
  await openSearch(page);
  await page.getByRole('searchbox', { name: 'Search for mods' }).fill('lithium');
  await page.getByText('1 compatible mod').waitFor();
  await expectAccessible(page);
  await shot(page, 'search');
  await button(page, 'Select Lithium').click();
  await page.getByText('Fewer crashes.').waitFor({ state: 'attached' });
  await expectAccessible(page);
  await shot(page, 'project');
  await button(page, 'Back to search').click();
  await choose(page, 'Lithium', /^1\.0\.0/);
  await button(page, 'Review changes (1)').click();
  await page.getByRole('button', { name: /^Install 1 mod/ }).click();
  await installed(page).getByText('Lithium').waitFor();

  await button(page, 'Check for updates').click();
  await page.locator('#mods-status').getByText('1 update available').waitFor();
  await page.getByRole('button', { name: 'Update Lithium: Update to 1.0.1' }).waitFor();
  await page.getByRole('button', { name: /^Update all \(1\)/ }).click();
  await drawer(page).getByText('needed by Lithium').waitFor();
  await expectAccessible(page);
  await shot(page, 'plan-update');
  await page.getByRole('button', { name: /^Update 1 mod/ }).click();
  await installed(page).getByText('Fabric API').waitFor();
  expect(agent.changes).toHaveLength(2);

  await page
    .getByRole('button', { name: /^Undo the change/ })
    .first()
    .click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /and restart$|^Change|^Update|^Remove/ })
    .first()
    .click();
  await installed(page).getByText('Fabric API').waitFor({ state: 'detached' });
  expect(agent.list).toMatchObject({ installed: [{ name: 'Lithium', version: 'lith0001' }] });
  expect(await overflows(page)).toBe(false);
  await page.close();
});

// Guarantee: removing a mod offers to remove its requirements; they stay unless a person chooses so, and then appear in the plan.
test('what is needed no more', async () => {
  const { agent, server, path } = await withMods('Sound', { list: emptyList, isDiligent: true });
  using _ = agent;
  const params = { serverId: server.id };
  const wish = { do: 'install', source: 'modrinth', project: 'gvQqBUqZ', version: null } as const;
  const { id: plan } = await panel.call(modsHttp.plan, { params, body: { wishes: [wish] } });
  await panel.call(modsHttp.begin, { params, body: { plan, backup: false, rehearse: false } });
  const page = await panel.page({ path });
  await button(page, 'Actions for Lithium').click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await drawer(page).getByRole('heading', { name: 'No longer needed' }).waitFor();
  await expectAccessible(page);
  expect(await overflows(page)).toBe(false);
  await shot(page, 'plan-unneeded');
  await button(page, 'Remove too: Fabric API').click();
  await page.getByRole('button', { name: /^Remove 2 mods/ }).click();
  await installed(page).getByText('Fabric API').waitFor({ state: 'detached' });
  expect(agent.changes.at(-1)?.change.remove.toSorted()).toEqual(['modrinth:P7dR8mSH', 'modrinth:gvQqBUqZ']);
  await page.close();
});

// Guarantee: a manually added file that a source knows can be adopted; a change in progress can be cancelled; and anyone with the
// link can read the shared list for players until sharing ends.
test('adopted, cancelled and shared', { tags: ['night'] }, async () => {
  const list = {
    ...emptyList,
    found: [foundFile('mods/lithium.jar', sha512(lithium)), foundFile('mods/own.jar')],
    foundCount: 2,
  };
  const { agent, path } = await withMods('Reef', { list });
  using _ = agent;
  const page = await panel.page({ path });
  await button(page, 'Check for updates').click();
  await button(page, 'Adopt mods/lithium.jar').click();
  await page.getByRole('button', { name: /^Adopt 1 mod/ }).click();
  const first = await agent.nextChange();
  await button(page, 'Cancel').click();
  await page.getByText('Cancelling. The Game Agent stops as soon as it is safe.').waitFor();
  agent.power.end(first.id, 'cancelled', null, changedTo(1, { set: 'old', health: null }));
  await page.getByText('Cancelled: the server still has the old mods').first().waitFor();

  await button(page, 'Adopt mods/lithium.jar').click();
  await page.getByRole('button', { name: /^Adopt 1 mod/ }).click();
  agent.finish(await agent.nextChange());
  await installed(page).getByText('Lithium').waitFor();

  await button(page, 'Share list').click();
  const link = await page.getByRole('link', { name: 'Open page' }).getAttribute('href');
  const shared = await panel.page({ as: null, path: '/' });
  await shared.goto(link ?? '');
  await shared.getByText('Lithium').first().waitFor();
  await expectAccessible(shared);
  await shot(shared, 'players');
  await page.getByRole('button', { name: 'Stop sharing …' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop sharing', exact: true }).click();
  await button(page, 'Share list').waitFor();
  expect((await fetch(link ?? '')).status).toBe(404);
  await Promise.all([page.close(), shared.close()]);
});

// Guarantee: a game without a searchable source offers to enter a file's address, and an invalid address makes no plan.
test('no address', { tags: ['night'] }, async () => {
  const list = { ...emptyList, loader: null, loaderVersion: null, gameVersion: '2.5' };
  const { agent, path } = await withMods('Navezgane', { list, game: 'seven-days-to-die' });
  using _ = agent;
  const page = await panel.page({ path });
  await button(page, 'More options').click();
  await page.getByRole('menuitem', { name: 'Install from URL …' }).click();
  await page.getByLabel('File URL').fill('no address');
  await button(page, 'Review changes').click();
  await page.getByText('Enter a URL that starts with https:// and leads to a file.').waitFor();
  await expectAccessible(page);
  await page.close();
});

// Guarantee: a source without a key says so and links to the field; a file whose author forbids downloads by programs is supplied by
// a person, and no other file is accepted in its place.
test('a key, and a file by hand', { tags: ['night'] }, async () => {
  const { agent, path } = await withMods('Isle', { list: emptyList });
  using _ = agent;
  const page = await panel.page({ path });
  await openSearch(page);
  await page.getByText('CurseForge', { exact: true }).click();
  const toKey = page.getByRole('link', { name: 'Go to settings' }).first();
  await toKey.waitFor();
  await expectAccessible(page);
  await shot(page, 'no-key');
  await toKey.click();
  await page.getByLabel('CurseForge API key').first().waitFor();
  const { sections } = await panel.call(settingsHttp.list, {});
  const section = sections.find(({ name }) => name === 'external-services');
  await panel.call(settingsHttp.change, {
    params: { section: 'external-services' },
    body: { version: section?.version ?? 0, values: { curseforgeApiKey: sources.curseforgeKey } },
  });
  await page.close();

  const again = await panel.page({ path });
  await openSearch(again);
  await again.getByText('CurseForge', { exact: true }).click();
  await choose(again, 'JEI');
  await button(again, 'Review changes (1)').click();
  await again.getByRole('heading', { name: 'Fix these first' }).waitFor();
  await expectAccessible(again);
  await shot(again, 'plan-by-hand');
  const file = again.locator('input[type=file]');
  const mimeType = 'application/java-archive';
  await file.setInputFiles({ name: 'jei.jar', mimeType, buffer: lithium });
  await again.getByText('This is a different file').waitFor();
  await file.setInputFiles({ name: 'jei.jar', mimeType, buffer: byHand });
  await again.getByRole('button', { name: /^Install 1 mod/ }).click();
  agent.finish(await agent.nextChange());
  await installed(again).getByText('JEI', { exact: true }).waitFor();
  await again.close();
});

// Guarantee: a source that is rate-limiting or does not answer is never shown as one without results.
test('sources in trouble', { tags: ['night'] }, async () => {
  for (const [quirk, words] of [
    [{ status: 503 }, 'This source is not responding'],
    // Last: the pause outlives the test.
    [{ limited: { retryAfter: '600' } }, 'This source has reached its request limit'],
  ] as const) {
    const { agent, path } = await withMods(`Bay ${Object.keys(quirk)[0]}`, { list: emptyList });
    using _ = agent;
    sources.misbehave('modrinth', quirk);
    const page = await panel.page({ path });
    await openSearch(page);
    await page.getByRole('searchbox', { name: 'Search for mods' }).fill(`what ${JSON.stringify(quirk)}`);
    await drawer(page).getByRole('alert').getByText(words).waitFor({ timeout: 40_000 });
    expect(await page.getByText('No compatible mods found').count()).toBe(0);
    await expectAccessible(page);
    await shot(page, `trouble-${Object.keys(quirk)[0]}`);
    await page.close();
  }
  sources.behave('modrinth');
});
