import type { Page } from 'playwright-core';
import type { Language } from '#contracts/language.ts';
import { axeViolations, overflows } from './browser.ts';
import { eventually } from './eventually.ts';

const desk = { width: 1100, height: 800 };
const phone = { width: 390, height: 844 };

/** The panel in another language, as after a choice in another tab. */
const speak = (page: Page, language: Language): Promise<void> =>
  page.evaluate(`{
    localStorage.setItem('castellan.language', '{"state":{"language":"${language}"},"version":1}');
    dispatchEvent(new StorageEvent('storage', { key: 'castellan.language' }));
  }`);

/** Has the panel fetch the texts of both languages, which it does when one is chosen. */
export const learnBothLanguages = async (page: Page): Promise<void> => {
  for (const [menu, language] of [
    ['Language', 'Português (Brasil)'],
    ['Idioma', 'English'],
  ] as const) {
    await page.getByRole('button', { name: menu, exact: true }).click();
    await page.getByRole('menuitemradio', { name: language }).click();
    await page.getByRole('menuitemradio', { name: language }).waitFor({ state: 'hidden' });
  }
  await page.getByRole('button', { name: 'Language', exact: true }).waitFor();
};

/** Takes a picture where one is wanted: of the window where a dialog covers the page, else of the whole page. */
const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.CASTELLAN_TEST_PICTURES;
  if (!folder) return;
  const isCovered = (await page.locator('[aria-modal=true]').count()) > 0;
  // A header that sticks would stand where the page is scrolled to.
  if (!isCovered) await page.evaluate('scrollTo(0, 0)');
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: !isCovered });
};

/**
 * Looks at a page of the panel as it stands, with what is open over it: light in English, dark in Portuguese, and both at the width of
 * a phone. It is left as found.
 * @returns what axe finds, and where one would have to scroll sideways, a line each
 */
export const everyLook = async (page: Page, name: string): Promise<readonly string[]> => {
  const faults: string[] = [];
  const look = async (as: string) => {
    await picture(page, `${name}-${as}`);
    for (const violation of await axeViolations(page)) faults.push(`${name}, ${as}: ${violation}`);
  };
  const narrow = async (as: string) => {
    await page.setViewportSize(phone);
    // What floats takes its place a moment after the window has changed.
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
