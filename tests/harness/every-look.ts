import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Language } from '#contracts/kernel/language.ts';
import { axeViolations, type Look, overflows } from './browser.ts';
import { eventually } from './eventually.ts';

const desk = { width: 1100, height: 800 };
const phone = { width: 390, height: 844 };

/** Switches the panel's language, as a choice in another tab does. */
export const speak = (page: Page, language: Language): Promise<void> =>
  page.evaluate(`{
    localStorage.setItem('castellan.language', '{"state":{"language":"${language}"},"version":1}');
    dispatchEvent(new StorageEvent('storage', { key: 'castellan.language' }));
  }`);

/**
 * Makes the panel load the texts of both languages, which it does when one is chosen.
 * @param within an overlay that has the menu, too
 */
export const learnBothLanguages = async (page: Page, within: Page | Locator = page): Promise<void> => {
  for (const [menu, language] of [
    ['Language', 'Português (Brasil)'],
    ['Idioma', 'English'],
  ] as const) {
    await within.getByRole('button', { name: menu, exact: true }).click();
    await page.getByRole('menuitemradio', { name: language }).click();
    await page.getByRole('menuitemradio', { name: language }).waitFor({ state: 'hidden' });
  }
  await within.getByRole('button', { name: 'Language', exact: true }).waitFor();
};

/** Takes a picture if pictures are wanted: of the window if a dialog covers the page, otherwise of the whole page. */
export const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.CASTELLAN_TEST_PICTURES;
  if (!folder) return;
  const isCovered = (await page.locator('[aria-modal=true]').count()) > 0;
  // A sticky header would appear at the scroll position.
  if (!isCovered) await page.evaluate('scrollTo(0, 0)');
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: !isCovered });
};

/** Set by the part `looks` of the nightly tier. By day one sweep walks over every page, and tests of features check what they do. */
export const areLooksChecked = process.env.CASTELLAN_TEST_LOOKS === 'every';

/**
 * Rules of axe that are left out by day: the contrast of colours takes the longest, and by day `tokens.test.ts` checks the tokens of
 * panel and portal.
 */
export const rulesOfTheNight: readonly string[] = areLooksChecked ? [] : ['color-contrast'];

/** Prepares a page for `expectEveryLook`. */
export const prepareLooks = async (page: Page): Promise<void> => {
  if (areLooksChecked) await learnBothLanguages(page);
};

/** In the nightly tier: axe finds nothing on the current page, with everything that is open over it. */
export const expectAccessible = async (page: Page): Promise<void> => {
  if (areLooksChecked) expect(await axeViolations(page)).toEqual([]);
};

/** The current page fits the window and, in the nightly tier, axe finds nothing on it. */
export const expectTidy = async (page: Page, name: string): Promise<void> => {
  await expectAccessible(page);
  expect(await overflows(page)).toBe(false);
  await picture(page, name);
};

/** The looks that a test of a feature walks through: by day only the first. */
export const looksOfTier = <Value>(every: readonly Value[]): readonly Value[] =>
  areLooksChecked ? every : every.slice(0, 1);

/** The look of a page whose test is about something else: by day light, since pages of one look share a process of the browser. */
export const lookOfTier = (night: 'dark' | 'dark phone'): Look => {
  if (areLooksChecked) return night;
  return night === 'dark' ? 'light' : 'phone';
};

/** In the nightly tier: the current page is without a fault in every look. The page is left unchanged. */
export const expectEveryLook = async (page: Page, name: string): Promise<void> => {
  if (areLooksChecked) expect.soft(await everyLook(page, name)).toEqual([]);
};

/**
 * Checks the panel's current page, with everything that is open over it: light in English, dark in Portuguese, and both at the
 * width of a phone. The page is left unchanged.
 * @returns axe's findings, and where the page scrolls sideways, a line each
 */
const everyLook = async (page: Page, name: string): Promise<readonly string[]> => {
  const faults: string[] = [];
  const look = async (as: string) => {
    await picture(page, `${name}-${as}`);
    for (const violation of await axeViolations(page)) faults.push(`${name}, ${as}: ${violation}`);
  };
  const narrow = async (as: string) => {
    await page.setViewportSize(phone);
    // Floating elements are repositioned a moment after the window has changed.
    await eventually(async () => {
      if (await overflows(page)) throw new Error(`${name}, ${as}: wider than the window`);
    }).catch((error: Error) => faults.push(error.message));
    await picture(page, `${name}-${as}`);
    await page.setViewportSize(desk);
  };
  await page.emulateMedia({ colorScheme: 'light' });
  await look('light');
  await narrow('phone');
  await speak(page, 'pt-BR');
  await page.emulateMedia({ colorScheme: 'dark' });
  await look('dark');
  await narrow('dark-phone');
  await speak(page, 'en');
  await page.emulateMedia({ colorScheme: 'light' });
  return faults;
};
