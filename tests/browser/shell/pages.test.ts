import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtInRoles, type Permission } from '#contracts/identity/permissions.ts';
import { areLooksChecked, rulesOfTheNight } from '#harness/every-look.ts';
import { goTo, panelAddresses, settle } from '#harness/panel-pages.ts';
import { openPanelServers, type PanelServers } from '#harness/panel-servers.ts';
import { flawsOfRefusedList, frameFlaws, sweep, watchBehind } from '#harness/panel-sweep.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';
import { designWords } from '../../../renderer/kit/design/design.words.ts';

let servers: PanelServers<TestPanel>;
let panel: TestPanel;
/** The addresses need a server that is online. */
let swept: Pick<TestPanel['info'], 'servers'>;
beforeAll(async () => {
  servers = await openPanelServers(() => openTestPanel());
  ({ panel } = servers);
  servers.game.world.join('Heron');
  const server = await servers.newServer('Survivor');
  await servers.untilOnline(server);
  swept = { servers: [server] };
});
afterAll(async () => {
  await servers?.[Symbol.asyncDispose]();
});

const viewerMay: readonly Permission[] = builtInRoles.viewer;

// Guarantee: axe finds nothing on any page, none is wider than the window, each has one main heading and its own title, and
// nothing fails in the background.
test('every page, light', async () => {
  const asSeen = [{ colorScheme: 'light', language: 'en' }] as const;
  const withServers = { ...panel, info: { ...panel.info, ...swept } };
  expect(await sweep(withServers, { look: 'light', asSeen, without: rulesOfTheNight })).toEqual([]);
}, 300_000);

// Guarantee: error messages are as accessible as everything else.
test('a list that cannot be read, light', async () => {
  expect(await flawsOfRefusedList(panel, 'light', rulesOfTheNight)).toEqual([]);
});

// Guarantee: an invalid language of the browser causes no failure, and keyboard users first reach the link past the side bar,
// which leads into the page.
test('a language that is none, and the skip link', async () => {
  const behind = watchBehind(panel);
  const page = await panel.page({ path: '/clusters' });
  await page.addInitScript(
    "Object.defineProperty(navigator, 'language', { value: 'en-US@posix', configurable: true })",
  );
  await page.reload();
  await settle(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => page.evaluate("document.querySelector('#content').contains(document.activeElement)"))
    .toBe(true);
  // The address is still that of the page.
  expect(page.url()).toContain('#/clusters');
  // Charts word their figures and times in the language.
  await goTo(page, '/');
  await page.locator('#content canvas').first().waitFor();
  await page.close();
  expect(behind()).toEqual([]);
});

// Guarantee: every page that a viewer reaches either works without a single refusal, or says which permission it needs. By day, each
// third of them.
test('every page, as a viewer sees it', async () => {
  const behind = watchBehind(panel);
  const page = await panel.page({ as: await panel.newAdmin({ role: 'viewer' }) });
  const found: string[] = [];
  const looked = panelAddresses(swept).filter((_, index) => areLooksChecked || index % 3 === 0);
  for (const { path, permission } of looked) {
    const link = page.locator(`nav a[href="#${path}"]`);
    const isOffered = (await link.count()) > 0;
    await goTo(page, path);
    const refusal = page.getByText(designWords.en.notAllowed);
    if (permission && !viewerMay.includes(permission)) {
      await refusal.waitFor();
      const content = await page.locator('#content').textContent();
      if (!content?.includes(permission)) found.push(`${path}: does not say what is missing`);
      if (isOffered) found.push(`${path}: is offered all the same`);
    } else if (await refusal.isVisible()) found.push(`${path}: is refused`);
    for (const flaw of await frameFlaws(page)) found.push(`${path}: ${flaw}`);
  }
  await page.close();
  expect([...found, ...behind()]).toEqual([]);
}, 300_000);
