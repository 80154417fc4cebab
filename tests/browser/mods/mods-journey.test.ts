import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { typeSignIn } from '#harness/api-panel.ts';
import { installedMod, type ModsPanel, openModsPanel } from '#harness/mods-panel.ts';
import { goTo } from '#harness/panel-pages.ts';
import { button } from '#harness/saves-panel.ts';
import type { TestPanel } from '#harness/test-panel.ts';
import { fabricMod } from '#simulators/mod-sources/mod-files.ts';
import { type ModSources, openModSources } from '#simulators/mod-sources/mod-sources.ts';
import { changedTo } from '../../../server/mods/testing/mods-agent.ts';
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
    versions: [
      { id: 'lith0001', content: await fabricMod({ id: 'lithium', version: '1.0.0' }) },
      { id: 'lith0002', content: await fabricMod({ id: 'lithium', version: '1.0.1' }) },
    ],
  });
});
afterAll(async () => {
  const faults = [...(panel?.faults() ?? [])];
  await panel?.[Symbol.asyncDispose]();
  await sources?.[Symbol.asyncDispose]();
  expect(faults).toEqual([]);
});

const running = { state: 'running', wanted: 'running', pid: 4711, upMs: 60_000 } as const;
const lithium = installedMod('Lithium', {
  key: 'modrinth:gvQqBUqZ',
  source: 'modrinth',
  project: 'gvQqBUqZ',
  version: 'lith0001',
});
const told = (page: Page) => page.locator('#mods-status');
/** The first visible match; others may be hidden, as in a column for wide windows. */
const visible = (page: Page, text: string) => page.getByText(text).locator('visible=true').first();
const installed = (page: Page) => page.getByRole('list', { name: 'Installed' });
const isFocused = async (target: Locator) =>
  (await target.and(target.page().locator(':focus')).count()) === 1;
const hasFocus = (target: Locator) =>
  expect.poll(() => isFocused(target), { message: `${target} has the focus` });

/** More than any of these pages has. */
const mostTabs = 80;
/** Presses Tab until the target has the focus. */
const tabTo = async (page: Page, target: Locator) => {
  await target.waitFor();
  for (let press = 0; press < mostTabs; press += 1) {
    if (await isFocused(target)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${target} is not reached by the keyboard`);
};
const press = async (page: Page, target: Locator) => {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
};

/** Chooses an item of a menu; an open menu always has one focused. */
const pressInMenu = async (page: Page, opener: Locator, name: string) => {
  await press(page, opener);
  const lines = page.getByRole('menuitem');
  const wanted = page.getByRole('menuitem', { name });
  await hasFocus(lines.and(page.locator(':focus'))).toBe(true);
  for (let line = await lines.count(); line > 0 && !(await isFocused(wanted)); line -= 1)
    await page.keyboard.press('ArrowDown');
  await hasFocus(wanted).toBe(true);
  await page.keyboard.press('Enter');
};

// Guarantee: by keyboard alone a mod is found, chosen, planned, confirmed with a step-up, and followed to the end; each dialog takes
// the focus and gives it back, and Escape loses nothing that was chosen or typed.
test('by the keyboard alone', async () => {
  const { agent, path } = await withMods('Fjord', { list: emptyList, process: running });
  using _ = agent;
  const owner = await panel.newAdmin({ role: 'owner', name: 'Ada' });
  const page = await panel.page({ as: null, path });
  await typeSignIn(page, owner);
  const add = button(page, 'Add mods').first();
  await press(page, add);
  const box = page.getByRole('searchbox', { name: 'Search for mods' });
  await hasFocus(box).toBe(true);
  await page.keyboard.type('lithium');
  await press(page, button(page, 'Select Lithium'));
  await hasFocus(page.getByRole('heading', { name: 'Lithium', exact: true })).toBe(true);
  await tabTo(page, page.getByRole('radio').first());
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await press(page, button(page, 'Select mod'));
  await hasFocus(box).toBe(true);

  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await hasFocus(add).toBe(true);
  await page.keyboard.press('Enter');
  await press(page, button(page, 'Review changes (1)'));
  const act = page.getByRole('button', { name: /^Install 1 mod and restart$/ });
  await press(page, act);
  const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await hasFocus(question.getByRole('textbox', { name: 'Password' })).toBe(true);
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'hidden' });
  expect(agent.changes).toEqual([]);
  await press(page, act);
  await hasFocus(question.getByRole('textbox', { name: 'Password' })).toBe(true);
  await page.keyboard.type(owner.password);
  await page.keyboard.press('Enter');
  const task = await agent.nextChange();
  expect(task.change.put).toMatchObject([{ project: 'gvQqBUqZ', version: 'lith0001' }]);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await hasFocus(add).toBe(true);
  agent.power.progress(task.id, { step: 'watch', done: 0, total: 120 });
  await told(page).getByText('Monitoring the game').waitFor();
  agent.finish(task);
  await installed(page).getByText('Lithium').waitFor();
  await page.getByText('Done: the game runs with the new mods').first().waitFor();

  await pressInMenu(page, button(page, 'Actions for Lithium'), 'Pin this version …');
  const reason = page.getByLabel('Reason');
  await hasFocus(reason).toBe(true);
  await page.keyboard.type('The newer one loses chests');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await hasFocus(button(page, 'Actions for Lithium')).toBe(true);
  await pressInMenu(page, button(page, 'Actions for Lithium'), 'Pin this version …');
  await hasFocus(reason).toBe(true);
  expect(await reason.inputValue()).toBe('The newer one loses chests');
  await press(page, button(page, 'Pin'));
  await installed(page).getByText('The newer one loses chests').waitFor();
  await hasFocus(button(page, 'Actions for Lithium')).toBe(true);
  await page.close();
});

// Guarantee: a mod at an address is inspected, planned and installed, and the request needs a step-up.
test('from an address', async () => {
  const { agent, path } = await withMods('Isle', { list: emptyList });
  using _ = agent;
  agent.inspects = {
    is: 'mods',
    mods: [
      {
        id: 'own-mod',
        name: 'Own mod',
        version: '2.0.0',
        authors: [],
        loaders: ['fabric'],
        side: 'both',
        requires: [],
        breaks: [],
      },
    ],
  };
  const page = await panel.page({ path });
  await button(page, 'More options').click();
  await page.getByRole('menuitem', { name: 'Install from URL …' }).click();
  const address = page.getByLabel('File URL');
  await address.fill('https://mods.example/files/own-mod.jar');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await hasFocus(button(page, 'More options')).toBe(true);
  await button(page, 'More options').click();
  await page.getByRole('menuitem', { name: 'Install from URL …' }).click();
  expect(await address.inputValue()).toBe('https://mods.example/files/own-mod.jar');
  await button(page, 'Review changes').click();
  await page.getByRole('dialog').getByText('Own mod').waitFor();
  await page.getByRole('button', { name: /^Install 1 mod/ }).click();
  const task = await agent.nextChange();
  expect(task.change.put).toMatchObject([
    { source: 'address', file: { from: { kind: 'address', url: 'https://mods.example/files/own-mod.jar' } } },
  ]);
  agent.finish(task, { health: 'down' });
  await installed(page).getByText('Own mod').waitFor();
  await page.getByText('Done, but not tested: the game was not running').first().waitFor();
  await page.close();
});

// Guarantee: two tabs show the same about a job from start to end, no matter which of them requested it.
test('two tabs', { tags: ['night'] }, async () => {
  const list = { ...emptyList, installed: [lithium, installedMod('Chunky')] };
  const { agent, path } = await withMods('Reef', { list, process: running });
  using _ = agent;
  const pages = [await panel.page({ path }), await panel.page({ path })] as const;
  const [asking, watching] = pages;
  await button(asking, 'Actions for Chunky').click();
  await asking.getByRole('menuitem', { name: 'Remove …' }).click();
  await asking.getByRole('button', { name: /^Remove 1 mod/ }).click();
  const task = await agent.nextChange();
  for (const page of pages)
    await told(page)
      .getByText(/^Changing mods/)
      .waitFor();
  agent.power.progress(task.id, { step: 'rehearse', done: 0, total: null });
  for (const page of pages)
    await told(page).getByText('Testing the new mods on a copy of the server').waitFor();
  await button(watching, 'Cancel').click();
  for (const page of pages)
    await page.getByText('Cancelling. The Game Agent stops as soon as it is safe.').waitFor();
  agent.power.end(
    task.id,
    'failed',
    'The game ended with code 1.',
    changedTo(1, { set: 'old', isRolledBack: true, failedAt: 'start' }),
  );
  for (const page of pages) {
    await told(page).getByText('Rolled back: the server runs on the old mods').waitFor();
    await installed(page).getByText('Chunky').waitFor();
  }
  const ends = await Promise.all(pages.map((page) => told(page).textContent()));
  expect(ends[0]).toBe(ends[1]);
  await Promise.all(pages.map((page) => page.close()));
});

// Guarantee: the palette opens a server's mods and the search for more, by keyboard alone, and changes nothing by itself; for a
// server whose mods the person may only see, it offers no change.
test('the palette', { tags: ['night'] }, async () => {
  const { agent, path } = await withMods('Lagoon', { list: { ...emptyList, installed: [lithium] } });
  using _ = agent;
  const page = await panel.page({ path: '/' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type('mods of lagoon');
  await page.getByRole('option', { name: 'Mods of Lagoon' }).waitFor();
  await page.keyboard.press('Enter');
  await installed(page).getByText('Lithium').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type('add mods to lagoon');
  await page.getByRole('option', { name: 'Add mods to Lagoon' }).waitFor();
  await page.keyboard.press('Enter');
  await hasFocus(page.getByRole('searchbox', { name: 'Search for mods' })).toBe(true);
  expect(page.url()).not.toContain('mods=');
  expect(agent.changes).toEqual([]);
  await page.close();

  const theirs = await panel.page({ path, as: await panel.newAdmin({ role: 'moderator' }) });
  await theirs.keyboard.press('Control+k');
  await theirs.getByRole('combobox').waitFor();
  await theirs.keyboard.type('add mods to lagoon');
  await theirs.getByText('No results').waitFor();
  await theirs.close();
});

// Guarantee: a rollout that is cancelled in the panel finishes the current server, changes no other one, and says so.
test('a wave is cancelled', { tags: ['night'] }, async () => {
  const list = { ...emptyList, installed: [lithium] };
  const first = await withMods('Coast', { list, process: running });
  const second = await withMods('Dunes', { list, process: running });
  using one = first.agent;
  using other = second.agent;
  const page = await panel.page({ path: '/mods' });
  const servers = [first.server.id, second.server.id];
  await panel.call(modsHttp.beginWave, { body: { servers, wish: { do: 'update-all' } } });
  const task = await one.nextChange();
  const waves = page.getByRole('list', { name: 'Rolling updates' });
  await waves.getByText('Updating the first server').waitFor();
  await button(page, 'Cancel remaining servers').click();
  await waves.getByText('Cancelled: no more servers are updated').waitFor();
  one.finish(task);
  await waves.getByText('Done: the game runs with the new mods').waitFor();
  await waves.getByText('Not changed').waitFor();
  expect(await button(page, 'Cancel remaining servers').count()).toBe(0);
  const [wave] = (await panel.call(modsHttp.waves, {})).rows;
  expect(wave).toMatchObject({ state: 'cancelled', servers: [{ job: { state: 'done' } }, { job: null }] });
  expect(other.changes).toEqual([]);
  await page.close();
});

/** Records layout shifts from here on: https://web.dev/articles/cls */
const watchShifts = (page: Page) =>
  page.evaluate(`{
    window.shifts = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if (!entry.hadRecentInput)
          window.shifts.push([entry.value, ...entry.sources.map(({ node }) => node?.className ?? node?.nodeName)]);
    }).observe({ type: 'layout-shift' });
  }`);
const mostShift = 0.01;
const shifted = async (page: Page) => {
  const shifts: readonly (readonly [number, ...string[]])[] = await page.evaluate('window.shifts');
  const sum = shifts.reduce((all, [value]) => all + value, 0);
  return sum < mostShift ? [] : shifts;
};

// Guarantee: while another tab's job starts, runs and ends, successfully or not, nothing on the tab and on the page of all mods moves
// away under a pointer.
test('nothing shifts', { tags: ['night'] }, async () => {
  const list = { ...emptyList, installed: [lithium, installedMod('Chunky'), installedMod('Spark')] };
  const { agent, server, path } = await withMods('Steady', { list, process: running });
  using _ = agent;
  const params = { serverId: server.id };
  const pages = [await panel.page({ path }), await panel.page({ path: '/mods' })] as const;
  const [tab, all] = pages;
  await installed(tab).getByText('Lithium').waitFor();
  await goTo(all, '/mods');
  const { id: plan } = await panel.call(modsHttp.plan, {
    params,
    body: { wishes: [{ do: 'update', key: 'modrinth:gvQqBUqZ', version: null }] },
  });
  for (const page of pages) await watchShifts(page);
  const begin = (of: string) => panel.call(modsHttp.begin, { params, body: { plan: of } });
  await begin(plan);
  const task = await agent.nextChange();
  await told(tab).getByText('Sent to the Game Agent').waitFor();
  for (const [step, done, total, said] of [
    ['download', 12_000_000, 48_000_000, 'Downloading'],
    ['stop', 0, null, 'Stopping the game'],
    ['swap', 1, 5, 'Replacing the old files'],
    ['watch', 10, 120, 'Monitoring the game'],
  ] as const) {
    agent.power.progress(task.id, { step, done, total });
    await told(tab).getByText(said).waitFor();
  }
  await all
    .getByText(/^Monitoring the game/)
    .locator('visible=true')
    .waitFor();
  agent.power.end(
    task.id,
    'failed',
    'The game ended with code 1.',
    changedTo(1, { set: 'old', isRolledBack: true, failedAt: 'start', lines: ['Incompatible mods found!'] }),
  );
  for (const page of pages) await visible(page, 'Rolled back: the server runs on the old mods').waitFor();
  const again = await panel.call(modsHttp.plan, {
    params,
    body: { wishes: [{ do: 'update', key: 'modrinth:gvQqBUqZ', version: null }] },
  });
  await begin(again.id);
  agent.finish(await agent.nextChange());
  await installed(tab).getByText('1.0.1').waitFor();
  for (const page of pages) await visible(page, 'Done: the game runs with the new mods').waitFor();
  for (const page of pages) expect(await shifted(page)).toEqual([]);
  await Promise.all(pages.map((page) => page.close()));
});
