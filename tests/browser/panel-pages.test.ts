// @module-tag browser

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Language } from '#contracts/language.ts';
import { builtInRoles, type Permission } from '#contracts/permissions.ts';
import { axeViolations, type Look, looks, overflows } from '#harness/browser.ts';
import { learnBothLanguages, speak } from '#harness/every-look.ts';
import { openPanel, type Panel } from '#harness/panel.ts';
import { goTo, panelAddresses, settle } from '#harness/panel-pages.ts';
import { designWords } from '../../renderer/design/design.words.ts';

let panel: Panel;
beforeAll(async () => {
  panel = await openPanel();
});
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
});

/** Collects background errors from now on: no request that a page makes by itself may be refused. */
const watchBehind = () => {
  const seen = { faults: panel.faults().length, refusals: panel.refusals().length };
  return () => [...panel.faults().slice(seen.faults), ...panel.refusals().slice(seen.refusals)];
};

interface Seen {
  readonly colorScheme: 'light' | 'dark';
  readonly language: Language;
}
const asSeen: readonly Seen[] = [
  { colorScheme: 'light', language: 'en' },
  { colorScheme: 'dark', language: 'en' },
  // Only one color scheme: Portuguese words are longer, but the colors are the same.
  { colorScheme: 'light', language: 'pt-BR' },
];

const viewerMay: readonly Permission[] = builtInRoles.viewer;

/** The problems of the current page, a line each. */
const flaws = async (page: Page): Promise<readonly string[]> => {
  const found = (await axeViolations(page)).map((violation) => `axe: ${violation}`);
  if (await overflows(page)) found.push('wider than the window');
  const headings = await page.locator('h1').count();
  if (headings !== 1) found.push(`${headings} headings of the first order`);
  if (!/^.+ – Castellan$/.test(await page.title())) found.push(`its title is “${await page.title()}”`);
  return found;
};

/** In a desktop window, which has the language menu in the frame. */
const learnLanguages = async (page: Page, look: Look) => {
  await page.setViewportSize(looks.light.viewport);
  await learnBothLanguages(page);
  await page.setViewportSize(looks[look].viewport);
  // An element of the page under the former menu could show a tooltip.
  await page.mouse.move(0, 0);
};

// Guarantee: on a desktop and on a phone, in light and dark, in both languages, axe finds nothing on any page, none is wider than
// the window, each has one main heading and its own title, and nothing fails in the background.
test.each(['light', 'phone'] as const)(
  'every page, %s',
  async (look) => {
    const behind = watchBehind();
    const page = await panel.page({ look });
    await learnLanguages(page, look);
    const found: string[] = [];
    const titles = new Map<string, string>();
    for (const { path } of panelAddresses(panel.info)) {
      try {
        await goTo(page, path);
        for (const { colorScheme, language } of asSeen) {
          await page.emulateMedia({ colorScheme });
          await speak(page, language);
          await settle(page);
          for (const flaw of await flaws(page)) found.push(`${path}, ${colorScheme}, ${language}: ${flaw}`);
          const title = `${language} ${await page.title()}`;
          const other = titles.get(title) ?? path;
          if (other !== path) found.push(`${path}: has the title of ${other}`);
          titles.set(title, path);
        }
      } catch (error) {
        found.push(`${path}: ${(error as Error).message}`);
      }
      await speak(page, 'en');
    }
    await page.close();
    expect([...found, ...behind()]).toEqual([]);
  },
  300_000,
);

// Guarantee: error messages are as accessible as everything else.
test.each(['light', 'dark'] as const)('a list that cannot be read, %s', async (look) => {
  const page = await panel.page({ look });
  // A permanent refusal, so that the page gives up immediately.
  const json = { type: 'about:blank', title: 'Not found', status: 404, code: 'NOT_FOUND' };
  await page.route('**/api/clusters?*', (route) => route.fulfill({ status: 404, json }));
  await goTo(page, '/clusters');
  await page.getByRole('alert').waitFor();
  const found = await flaws(page);
  await page.close();
  expect(found).toEqual([]);
});

// Guarantee: an invalid language of the browser causes no failure.
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

// Guarantee: keyboard users first reach the link past the side bar, and it leads into the page.
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
