import { afterAll, beforeAll, expect, test } from 'vitest';
import { overflows } from '#harness/browser.ts';
import { openPanel, type Panel } from '#harness/panel.ts';
import { goTo } from '#harness/panel-pages.ts';
import { whatIsCut } from '#harness/reflow.ts';
import { enlivenAll } from '../../screenshots/enliven-all.ts';
import { type Pictured, picturedPages } from '../../screenshots/panel-pictures.ts';

let panel: Panel;
let pages: readonly Pictured[];
beforeAll(async () => {
  panel = await openPanel();
  await enlivenAll(panel);
  pages = await picturedPages(panel);
}, 300_000);
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
});

// A window of 1280 × 800 at 200 % leaves half its width and height for the page.
const windows = { '320 px wide': { width: 320, height: 640 }, '200 % zoom': { width: 640, height: 400 } };

// Guarantee: at the width of the smallest phone and at double size, no page scrolls sideways, and no heading, button, link or
// field is cut off: https://www.w3.org/WAI/WCAG22/Understanding/reflow
test.each(Object.entries(windows))(
  'every page, %s',
  async (_, viewport) => {
    const page = await panel.page();
    await page.setViewportSize(viewport);
    const found: string[] = [];
    for (const { name, path } of pages) {
      await goTo(page, path);
      if (await overflows(page)) found.push(`${name}: wider than the window`);
      for (const cut of await whatIsCut(page)) found.push(`${name}: ${cut}`);
    }
    await page.close();
    expect(found).toEqual([]);
  },
  300_000,
);
