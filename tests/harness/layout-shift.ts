import type { Page } from 'playwright-core';
import type { Panel } from './panel.ts';
import { settle } from './panel-pages.ts';

/** How much a page moved by itself, measured as in https://web.dev/articles/cls, and what moved most. */
export interface Shift {
  readonly sum: number;
  readonly sources: readonly string[];
}

/** People notice a larger shift. */
export const mostShift = 0.01;

const watch = `
  globalThis.castellanShifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      const named = sources.map(({ node }) => {
        const one = node instanceof Element ? node : node?.parentElement;
        return one ? one.tagName.toLowerCase() + ' “' + (one.textContent ?? '').trim().slice(0, 30) + '”' : 'what is gone';
      });
      castellanShifts.push({ value, named });
    }
  }).observe({ type: 'layout-shift', buffered: true });`;

const taken = `(() => {
  const all = castellanShifts.splice(0);
  const sources = all.toSorted((a, b) => b.value - a.value).slice(0, 2).map(({ value, named }) => value.toFixed(4) + ' ' + named.slice(0, 3).join(', '));
  return { sum: all.reduce((sum, { value }) => sum + value, 0), sources };
})()`;

/** The shift since the document began, or since the last call. */
const takeShift = async (page: Page): Promise<Shift> =>
  // An observer is notified of a frame only after it.
  page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(${taken}))))`);

/** A window in which pages are opened and watched one after the other. */
export interface ShiftWindow extends AsyncDisposable {
  /**
   * Opens a page with its files in the browser's cache, and watches it while something happens.
   * @returns the shift until the page was complete, and from then on
   */
  shiftOf(
    path: string,
    act: () => Promise<unknown>,
  ): Promise<{ readonly opened: Shift; readonly live: Shift }>;
}

export const openShiftWindow = async (panel: Panel): Promise<ShiftWindow> => {
  const page = await panel.page({ path: '/profile' });
  await settle(page);
  await page.addInitScript(watch);
  return {
    async shiftOf(path, act) {
      // Forces a new document: an address that differs only in its hash would not load one.
      await page.goto('about:blank');
      await page.goto(`/#${path}`);
      await settle(page);
      const opened = await takeShift(page);
      await act();
      return { opened, live: await takeShift(page) };
    },
    [Symbol.asyncDispose]: () => page.close(),
  };
};
