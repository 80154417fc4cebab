// @module-tag browser

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtInRoles, type Permission } from '#contracts/permissions.ts';
import { axeViolations, type Look, overflows } from '#harness/browser.ts';
import { openPanel, type PageOptions, type Panel } from '#harness/panel.ts';
import { goTo, panelAddresses, settle } from '#harness/panel-pages.ts';
import { designWords } from '../../renderer/design/design.words.ts';

let panel: Panel;
beforeAll(async () => {
  panel = await openPanel();
});
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
});

/** What goes wrong behind the scenes from now on: no page is ever refused what it asks for by itself. */
const watchBehind = () => {
  const seen = { faults: panel.faults().length, refusals: panel.refusals().length };
  return () => [...panel.faults().slice(seen.faults), ...panel.refusals().slice(seen.refusals)];
};

const asSeen: readonly (readonly [Look, NonNullable<PageOptions['locale']>])[] = [
  ['light', 'en-US'],
  ['dark', 'en-US'],
  ['phone', 'en-US'],
  ['dark phone', 'en-US'],
  // Its words are longer; colours are the same.
  ['light', 'pt-BR'],
  ['phone', 'pt-BR'],
];

const viewerMay: readonly Permission[] = builtInRoles.viewer;

/** What is wrong with the page as it stands, a line each. */
const flaws = async (page: Page): Promise<readonly string[]> => {
  const found = (await axeViolations(page)).map((violation) => `axe: ${violation}`);
  if (await overflows(page)) found.push('wider than the window');
  const headings = await page.locator('h1').count();
  if (headings !== 1) found.push(`${headings} headings of the first order`);
  if (!/^.+ – Castellan$/.test(await page.title())) found.push(`its title is “${await page.title()}”`);
  return found;
};

describe.each(asSeen)('%s, %s', (look, locale) => {
  // Guarantee: on a desk and on a phone, in light and dark, no page has a fault that axe knows, none is wider than the
  // window, each has one main heading and a title of its own, and nothing fails behind the scenes.
  test('every page', async () => {
    const behind = watchBehind();
    const page = await panel.page({ look, locale });
    const found: string[] = [];
    const titles = new Map<string, string>();
    for (const { path } of panelAddresses(panel.info)) {
      try {
        await goTo(page, path);
        for (const flaw of await flaws(page)) found.push(`${path}: ${flaw}`);
        const title = await page.title();
        if (titles.has(title)) found.push(`${path}: has the title of ${titles.get(title)}`);
        titles.set(title, path);
      } catch (error) {
        found.push(`${path}: ${(error as Error).message}`);
      }
    }
    await page.close();
    expect([...found, ...behind()]).toEqual([]);
  }, 300_000);
});

// Guarantee: what says that something failed can be read as well as all else.
test.each(['light', 'dark'] as const)('a list that cannot be read, %s', async (look) => {
  const page = await panel.page({ look });
  // A refusal that waiting does not mend, so that the page gives up at once.
  const json = { type: 'about:blank', title: 'Not found', status: 404, code: 'NOT_FOUND' };
  await page.route('**/api/clusters?*', (route) => route.fulfill({ status: 404, json }));
  await goTo(page, '/clusters');
  await page.getByRole('alert').waitFor();
  const found = await flaws(page);
  await page.close();
  expect(found).toEqual([]);
});

// Guarantee: a browser that names its language in a way of its own is no reason to fail.
test('a language that is none', async () => {
  const behind = watchBehind();
  const page = await panel.page();
  await page.addInitScript(
    "Object.defineProperty(navigator, 'language', { value: 'en-US@posix', configurable: true })",
  );
  await page.reload();
  await settle(page);
  await page.locator('#content canvas').first().waitFor();
  await page.close();
  expect(behind()).toEqual([]);
});

// Guarantee: whoever uses the keyboard is offered the way past the side bar first, and it leads into the page.
test('the skip link', async () => {
  const page = await panel.page({ path: '/clusters' });
  await settle(page);
  await page.reload();
  await settle(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => page.evaluate("document.querySelector('#content').contains(document.activeElement)"))
    .toBe(true);
  // The address is still that of the page.
  expect(page.url()).toContain('#/clusters');
  await page.close();
});

// Guarantee: every page that a viewer reaches either works without a single refusal, or says which permission it needs.
test('every page, as a viewer sees it', async () => {
  const behind = watchBehind();
  const page = await panel.page({ as: await panel.newAdmin({ role: 'viewer' }) });
  const found: string[] = [];
  for (const { path, permission } of panelAddresses(panel.info)) {
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
    for (const flaw of await flaws(page)) found.push(`${path}: ${flaw}`);
  }
  await page.close();
  expect([...found, ...behind()]).toEqual([]);
}, 300_000);
