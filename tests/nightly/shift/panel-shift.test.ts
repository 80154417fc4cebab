import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mostShift, openShiftWindow, type Shift } from '#harness/layout-shift.ts';
import { openPanel, type Panel } from '#harness/panel.ts';
import { enlivenAll } from '../../screenshots/enliven-all.ts';
import { picturedPages } from '../../screenshots/panel-pictures.ts';

let panel: Panel;
beforeAll(async () => {
  panel = await openPanel();
  await enlivenAll(panel);
}, 300_000);
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
});

// Players join, chat and leave about every second.
const liveMs = 2000;
/** The list of pages is read from a demo, so the parts are split by number. */
const parts = 2;
/** Others open while one is only watched. */
const windows = 3;

// Guarantee: nothing that the reader looks at moves by itself, neither while a page opens nor while live data arrives.
test.each(Array.from({ length: parts }, (_, index) => index))(
  'a half of the pages, opening and live, %i',
  async (part) => {
    const pages = (await picturedPages(panel)).filter((_, index) => index % parts === part);
    expect(pages).not.toEqual([]);
    const found: string[] = [];
    const tell = (what: string, { sum, sources }: Shift) => {
      if (sum >= mostShift) found.push(`${what}: ${sum.toFixed(4)}, ${sources.join('; ')}`);
    };
    const watchOn = async () => {
      await using shiftWindow = await openShiftWindow(panel);
      for (let page = pages.shift(); page !== undefined; page = pages.shift()) {
        const { opened, live } = await shiftWindow.shiftOf(page.path, () => delay(liveMs));
        tell(`${page.name}, opening`, opened);
        tell(`${page.name}, live`, live);
      }
    };
    await Promise.all(Array.from({ length: windows }, watchOn));
    expect(found).toEqual([]);
  },
  240_000,
);
