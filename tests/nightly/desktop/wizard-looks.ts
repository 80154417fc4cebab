import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { axeViolations } from '#harness/browser.ts';
import { learnBothLanguages, speak } from '#harness/every-look.ts';

const pictures =
  process.env.CASTELLAN_TEST_PICTURES ?? resolve(import.meta.dirname, '../../../.cache/screenshots/desktop');

/** The desktop's usual window, and the part of it that fits a screen of 1366×768 at 150 %. */
const usual = { width: 1200, height: 700 };
const small = { width: 1024, height: 640 };

/** How much of a step is hidden, in CSS pixels: outside the window, and inside the part of it that may scroll. */
const outOfSight = (page: Page): Promise<{ page: number; sideways: number; inside: number }> =>
  page.evaluate(`(() => {
    const { scrollHeight, scrollWidth } = document.documentElement;
    const step = [...document.querySelectorAll('main > div:last-child')].at(-1);
    return {
      // What an overlay covers is kept from scrolling.
      page: getComputedStyle(document.documentElement).overflowY === 'hidden' ? 0 : Math.max(0, scrollHeight - innerHeight),
      sideways: Math.max(0, scrollWidth - innerWidth, step.scrollWidth - step.clientWidth),
      inside: step.scrollHeight - step.clientHeight,
    };
  })()`);

/**
 * Checks the wizard's current step in both languages, both color schemes and both windows.
 * @param mayScroll the step holds more than fits, and scrolls inside the window
 * @returns axe's findings and hidden content, a line each
 */
export const wizardLooks = async (
  page: Page,
  name: string,
  { mayScroll = false }: { readonly mayScroll?: boolean } = {},
): Promise<readonly string[]> => {
  await mkdir(pictures, { recursive: true });
  const faults: string[] = [];
  const overlay = page.locator('dialog[open]');
  await learnBothLanguages(page, (await overlay.count()) > 0 ? overlay.last() : page);
  for (const [language, colorScheme] of [
    ['en', 'light'],
    ['pt-BR', 'dark'],
  ] as const) {
    await speak(page, language);
    await page.emulateMedia({ colorScheme });
    for (const size of [usual, small]) {
      await page.setViewportSize(size);
      const as = `${name}, ${language}, ${size.width}×${size.height}`;
      const hidden = await outOfSight(page);
      if (hidden.page > 0) faults.push(`${as}: the window scrolls by ${hidden.page} px`);
      if (hidden.sideways > 0) faults.push(`${as}: ${hidden.sideways} px wider than the window`);
      if (hidden.inside > 0 && size === usual && !mayScroll)
        faults.push(`${as}: the step scrolls by ${hidden.inside} px`);
      await page.screenshot({ path: join(pictures, `${name}-${language}-${colorScheme}-${size.width}.png`) });
    }
    for (const violation of await axeViolations(page)) faults.push(`${name}, ${language}: ${violation}`);
  }
  await speak(page, 'en');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(usual);
  return faults;
};
