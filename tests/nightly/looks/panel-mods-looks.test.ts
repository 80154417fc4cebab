import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rolesHttp } from '#contracts/identity/roles.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { settingsHttp } from '#contracts/operations/settings.ts';
import { expectEveryLook, prepareLooks } from '#harness/every-look.ts';
import { installedMod, type ModsPanel, openModsPanel } from '#harness/mods-panel.ts';
import type { Credentials } from '#harness/panel.ts';
import { goTo } from '#harness/panel-pages.ts';
import { button } from '#harness/saves-panel.ts';
import { lithium, rich, stock } from '#harness/stocked-mods.ts';
import type { TestPanel } from '#harness/test-panel.ts';
import { type ModSources, openModSources } from '#simulators/mod-sources/mod-sources.ts';
import { changedTo } from '../../../server/mods/testing/mods-agent.ts';
import { emptyList } from '../../../server/mods/testing/sample-mods.ts';

let sources: ModSources;
let panel: TestPanel;
let withMods: ModsPanel['withMods'];
beforeAll(async () => {
  sources = await openModSources();
  const { modrinthUrl: modrinth, curseforgeUrl: curseforge, steamUrl: steam } = sources;
  ({ panel, withMods } = await openModsPanel({ modSourceUrls: { modrinth, curseforge, steam } }));
  await stock(sources.catalogue);
});
afterAll(async () => {
  const faults = [...(panel?.faults() ?? [])];
  await panel?.[Symbol.asyncDispose]();
  await sources?.[Symbol.asyncDispose]();
  expect(faults).toEqual([]);
});

const dialog = (page: Page) => page.getByRole('dialog');
const closed = async (page: Page) => {
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
};
const open = async (path: string, as?: Credentials) => {
  const page = await panel.page({ path, ...(as && { as }) });
  await prepareLooks(page);
  return page;
};
const looksWell = async (page: Page, name: string) => await expectEveryLook(page, name);

const running = { state: 'running', wanted: 'running', pid: 4711, upMs: 60_000 } as const;

// Guarantee: a server's mods tab, with each menu, drawer and dialog over it, is accessible in both languages and themes and at the
// width of a phone.
test('a server and what opens over it', async () => {
  const { agent, server, path } = await withMods('Fjord', { list: rich, process: running });
  using _ = agent;
  await panel.call(modsHttp.pin, {
    params: { serverId: server.id, key: 'upload:spark' },
    body: { reason: 'The newer one loses chests', until: '2.1 is out' },
  });
  const page = await open(path);
  await page.getByText('The newer one loses chests').waitFor();
  await looksWell(page, 'tab-before-check');
  await button(page, 'Check for updates').click();
  await page.getByRole('button', { name: /^Update Lithium/ }).waitFor();
  await page
    .getByText(/changed outside Castellan$/)
    .last()
    .click();
  await looksWell(page, 'tab');
  await button(page, 'Actions for Lithium').click();
  await page.getByRole('menuitem', { name: 'Remove …' }).waitFor();
  await looksWell(page, 'menu-of-a-mod');
  await page.getByRole('menuitem', { name: 'Choose another version …' }).click();
  await page.getByRole('radio').first().waitFor();
  await looksWell(page, 'versions');
  await closed(page);
  await button(page, 'Actions for Spark').click();
  await page.getByRole('menuitem', { name: 'Edit pin …' }).click();
  await looksWell(page, 'pin');
  await closed(page);
  await button(page, 'More options').click();
  await page.getByRole('menuitem', { name: 'Upload file …' }).waitFor();
  await looksWell(page, 'menu-of-ways');
  await page.getByRole('menuitem', { name: 'Upload file …' }).click();
  await page.locator('input[type=file]').setInputFiles({
    name: 'a-mod-with-a-rather-long-file-name-1.21.1-fabric.jar',
    mimeType: 'application/java-archive',
    buffer: Buffer.alloc(0),
  });
  await dialog(page).getByRole('alert').waitFor();
  await looksWell(page, 'upload');
  await closed(page);
  await button(page, 'More options').click();
  await page.getByRole('menuitem', { name: 'Install from URL …' }).click();
  await page.getByLabel('File URL').fill('no address');
  await page.keyboard.press('Enter');
  await page.getByText(/^Enter a URL that starts/).waitFor();
  await looksWell(page, 'address');
  await closed(page);
  await page.getByRole('button', { name: /^Update all/ }).click();
  await dialog(page).getByText('needed by Lithium').waitFor();
  await dialog(page).getByText('Changelog').click();
  await looksWell(page, 'plan');
  await closed(page);
  await button(page, 'Actions for Chunky').click();
  await page.getByRole('menuitem', { name: 'Remove …' }).click();
  await dialog(page).getByText('Removed').waitFor();
  await looksWell(page, 'plan-of-a-removal');
  await closed(page);
  await button(page, 'Share list').click();
  await page.getByRole('button', { name: /^Stop sharing/ }).click();
  await looksWell(page, 'stop-sharing');
  await page.close();
});

// Guarantee: a server whose mods cannot be changed now says why, as does one without mods, and both are accessible.
test('a server with nothing to change', async () => {
  const empty = await withMods('Empty', { list: emptyList });
  const forbidden = await withMods('Forbidden', {
    list: { ...rich, obstacle: 'MODS_FOLDER_READ_ONLY', obstacleDetail: '/srv/games/forbidden/mods' },
  });
  const away = await withMods('Away', { list: rich });
  const notAllowed = await withMods('Not allowed', { list: { ...rich, obstacle: 'MODS_NOT_ALLOWED' } });
  using _empty = empty.agent;
  using _forbidden = forbidden.agent;
  using _notAllowed = notAllowed.agent;
  const page = await open(empty.path);
  await page.getByRole('heading', { name: 'No mods yet' }).waitFor();
  await looksWell(page, 'tab-empty');
  await goTo(page, forbidden.path);
  await page.getByText('/srv/games/forbidden/mods').waitFor();
  await looksWell(page, 'tab-read-only');
  await goTo(page, notAllowed.path);
  await page.getByText('castellan-agent setup').waitFor();
  await looksWell(page, 'tab-not-allowed');
  away.agent[Symbol.dispose]();
  await goTo(page, away.path);
  await page.getByText('Game Agent not connected', { exact: true }).first().waitFor();
  await looksWell(page, 'tab-agent-away');
  await page.close();
  const { id } = await panel.call(rolesHttp.create, {
    body: { name: 'Reader', permissions: ['servers.read', 'mods.read'] },
  });
  const theirs = await open(empty.path, await panel.newAdmin({ role: id }));
  await theirs.getByRole('heading', { name: 'No mods yet' }).waitFor();
  await looksWell(theirs, 'tab-may-not');
  await theirs.close();
});

// Guarantee: the search is accessible and shows results, mods that fit no server and information that a source does not provide.
test('the search', async () => {
  const { agent, path } = await withMods('Seek', {
    list: { ...rich, installed: [lithium] },
    process: running,
  });
  using _ = agent;
  const page = await open(path);
  const box = page.getByRole('searchbox', { name: 'Search for mods' });
  await button(page, 'Add mods').first().click();
  await button(page, 'Select Lithium').waitFor();
  await looksWell(page, 'search');
  await box.fill('nothing at all');
  await page.getByText('No compatible mods found').waitFor();
  await looksWell(page, 'search-nothing');
  await box.fill('');
  const chosen = ['Concurrent Chunk Management Engine for very large worlds', 'Fabric API'];
  for (const mod of chosen) {
    await button(page, `Select ${mod}`).click();
    await button(page, 'Select mod').waitFor();
    if (mod === 'Fabric API') await looksWell(page, 'project');
    await button(page, 'Select mod').click();
  }
  await button(page, 'Review changes (2)').waitFor();
  await looksWell(page, 'search-chosen');
  await button(page, 'Review changes (2)').click();
  await page.getByText('do not work together').waitFor();
  await looksWell(page, 'plan-conflict');
  await closed(page);
  await button(page, 'Add mods').first().click();
  // The selection is still there.
  for (const mod of chosen) await button(page, `Remove ${mod} from the selection`).click();
  await page.getByText('CurseForge', { exact: true }).click();
  await page.getByRole('link', { name: 'Go to settings' }).first().waitFor();
  await looksWell(page, 'search-no-key');
  const { sections } = await panel.call(settingsHttp.list, {});
  const version = sections.find(({ name }) => name === 'external-services')?.version ?? 0;
  await panel.call(settingsHttp.change, {
    params: { section: 'external-services' },
    body: { version, values: { curseforgeApiKey: sources.curseforgeKey } },
  });
  await box.fill('sodium');
  await button(page, 'Select Sodium').click();
  await page.getByText('Players install it on their own computers.').first().waitFor();
  await looksWell(page, 'project-for-players');
  await button(page, 'Back to search').click();
  await page.getByText('CurseForge', { exact: true }).click();
  await box.fill('jei');
  await button(page, 'Select JEI').click();
  await button(page, 'Select mod').click();
  await button(page, 'Review changes (1)').click();
  await page.getByRole('heading', { name: 'Fix these first' }).waitFor();
  await looksWell(page, 'plan-by-hand');
  await closed(page);
  await button(page, 'Add mods').first().click();
  sources.misbehave('modrinth', { status: 503 });
  await box.fill('away now');
  await dialog(page).getByRole('alert').getByText('This source').waitFor({ timeout: 40_000 });
  await looksWell(page, 'search-away');
  sources.behave('modrinth');
  await page.close();
});

// Guarantee: each step and each possible end of a job is shown accessibly.
test('a job and its ends', async () => {
  const { agent, path } = await withMods('Work', { list: rich, process: running });
  using _ = agent;
  const page = await open(path);
  const begin = async () => {
    await button(page, 'Actions for Chunky').click();
    await page.getByRole('menuitem', { name: 'Remove …' }).click();
    await page.getByRole('button', { name: /^Remove 1 mod/ }).click();
    return await agent.nextChange();
  };
  const task = await begin();
  await looksWell(page, 'job-begun');
  const mb = 1_000_000;
  for (const [step, done, total, said] of [
    ['download', 12 * mb, 48 * mb, 'Downloading: 12 MB of 48 MB'],
    ['rehearse', 0, null, /on a copy of the server/],
    ['watch', 30, 120, /Monitoring the game for/],
    ['roll-back', 0, null, /Restoring the old mods/],
  ] as const) {
    agent.power.progress(task.id, { step, done, total });
    await page.getByText(said).first().waitFor();
    await looksWell(page, `job-${step}`);
  }
  const lines = Array.from(
    { length: 20 },
    (_, index) =>
      `[12:00:${index + 10}] [main/ERROR]: Incompatible mods found! Mod ${index} requires version 2.0 or later of fabric-api, which is missing!`,
  );
  agent.power.end(
    task.id,
    'failed',
    'The game ended with code 1.',
    changedTo(1, { set: 'old', isRolledBack: true, failedAt: 'start', lines }),
  );
  await page
    .locator('#mods-status')
    .getByText(/^Rolled back/)
    .waitFor();
  await page.getByText('Changes').first().click();
  await looksWell(page, 'rolled-back');
  const second = await begin();
  await button(page, 'Cancel').click();
  await page.getByText(/^Cancelling/).waitFor();
  await looksWell(page, 'job-cancelling');
  agent.finish(second, { notes: ['The settings file config/chunky.json was there already and was kept.'] });
  await page
    .getByText(/^Done: the game runs/)
    .first()
    .waitFor();
  await looksWell(page, 'done');
  await page.close();
});

// Guarantee: the page of all mods, a set and everything that opens over them, and a rollout in every state, are accessible.
test('the page of all mods', async () => {
  const [first, second, third] = await Promise.all([
    withMods('Coast', { list: { ...emptyList, installed: [lithium] }, process: running }),
    withMods('Dunes', { list: { ...emptyList, installed: [lithium] }, process: running }),
    withMods('Estuary', { list: emptyList }),
  ]);
  if (!first || !second || !third) throw new Error('no servers');
  using _first = first.agent;
  using _second = second.agent;
  using _third = third.agent;
  const page = await open('/mods');
  await page.getByText('No sets yet').waitFor();
  await looksWell(page, 'page-empty');
  await goTo(page, '/mods/sets/new');
  await looksWell(page, 'set-new');
  const set = await panel.call(modsHttp.createSet, {
    body: {
      name: 'What all Fabric servers of our community share',
      game: 'minecraft',
      items: [
        { source: 'modrinth', project: 'gvQqBUqZ', name: 'Lithium', version: null, versionName: null },
        {
          source: 'modrinth',
          project: 'P7dR8mSH',
          name: 'Fabric API',
          version: 'fapi0001',
          versionName: '1.0.0',
        },
      ],
    },
  });
  // Loads what was created elsewhere a moment ago.
  await page.reload();
  await goTo(page, `/mods/sets/${set.id}`);
  await looksWell(page, 'set');
  await page.getByRole('button', { name: /^Add mods/ }).click();
  await button(page, 'Select Lithium').waitFor();
  await looksWell(page, 'set-search');
  await closed(page);
  await goTo(page, '/mods');
  await button(page, `Delete ${set.name}`).click();
  await dialog(page).waitFor();
  await looksWell(page, 'set-deletion');
  await closed(page);
  await button(page, `Apply ${set.name}`).click();
  await dialog(page).getByRole('checkbox').first().waitFor();
  await looksWell(page, 'wave-of-a-set');
  await closed(page);
  const servers = [first, second, third].map(({ server }) => server.id);
  const begin = () =>
    panel.call(modsHttp.beginWave, {
      body: { servers, wish: { do: 'set', set: set.id, removeOthers: false } },
    });
  await begin();
  const failing = await first.agent.nextChange();
  await page.getByText('Updating the first server').first().waitFor();
  await looksWell(page, 'wave-running');
  first.agent.power.end(
    failing.id,
    'failed',
    'The game ended with code 1.',
    changedTo(1, { set: 'old', isRolledBack: true, failedAt: 'start', lines: ['Incompatible mods found!'] }),
  );
  const waves = page.getByRole('list', { name: 'Rolling updates' });
  await waves.getByText(/^Stopped/).waitFor();
  await waves.getByText('Reason').first().click();
  await looksWell(page, 'wave-stopped');
  const wave = await begin();
  const going = await first.agent.nextChange();
  await panel.call(modsHttp.cancelWave, { params: { id: wave.id } });
  await waves.getByText(/^Cancelled/).waitFor();
  first.agent.finish(going);
  await looksWell(page, 'wave-cancelled');
  await page.close();
});

// Guarantee: the list for players, also one that no longer exists, the queue of mods and the field for the key are accessible.
test('for players, the queue and the settings', async () => {
  const { agent, server, path } = await withMods('Public', {
    list: { ...rich, installed: [lithium, installedMod('Own')] },
  });
  using _ = agent;
  const { playerList } = await panel.call(modsHttp.sharePlayerList, {
    params: { serverId: server.id },
    body: { isShared: true },
  });
  const page = await open(path);
  await page.getByRole('link', { name: 'Open page' }).waitFor();
  await looksWell(page, 'tab-shared');
  await goTo(page, '/queues/mods');
  await looksWell(page, 'queue');
  await goTo(page, '/settings/external-services');
  await page.getByLabel('CurseForge API key').first().waitFor();
  await looksWell(page, 'settings');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type('mods public');
  await page.getByRole('option', { name: 'Add mods to Public' }).waitFor();
  await looksWell(page, 'palette');
  await page.goto(panel.info.apiUrl + (playerList?.url ?? ''));
  await page.getByRole('heading', { name: 'Mods of Public' }).waitFor();
  await looksWell(page, 'players');
  await page.close();
  // The panel's own watch would count this page as a fault.
  const gone = await panel.browser.newPage();
  await gone.goto(`${panel.info.apiUrl}/mods/no-such-list`);
  await gone.getByRole('heading', { level: 1 }).waitFor();
  await looksWell(gone, 'players-gone');
  await gone.close();
});
