import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { eventually } from '#harness/eventually.ts';
import type { Panel } from '#harness/panel.ts';
import { goTo } from '#harness/panel-pages.ts';
import { framesWhile } from './frames.ts';
import { manyRows } from './tables.ts';

const watchTasks = `
  window.benchTasks = [];
  new PerformanceObserver((list) => benchTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask' });`;
const deadlineMs = 60_000;

/** The names from `seedClusters` in the order of the panel's language, without the demo's own. */
const names = (): readonly string[] =>
  Array.from(
    { length: manyRows },
    (_, index) =>
      `Arena ${createHash('md5')
        .update(`${index + 1}`)
        .digest('hex')}`,
  ).sort(new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare);

const firstShown = (page: Page) =>
  page.evaluate('document.querySelector(\'[data-index="0"] [role=gridcell]:nth-child(2)\')?.textContent');

/** Sorting the whole list of clusters by name, from the click until the order is visible: ascending, then descending. */
export const measureSorting = async (panel: Panel, say: (line: string) => void) => {
  const page = await panel.page();
  await goTo(page, '/clusters');
  await page.evaluate(watchTasks);
  const header = page.getByRole('columnheader', { name: 'Name' }).getByRole('button');
  const inOrder = names();
  const measured = [];
  for (const [way, first] of [
    ['upwards', inOrder.at(0)],
    ['downwards', 'Demo'],
  ] as const) {
    say(`sorting ${manyRows} rows by text, ${way}`);
    await page.evaluate('benchTasks.length = 0');
    const began = performance.now();
    const frames = await framesWhile(page, async () => {
      await header.click();
      await eventually(async () => {
        const shown = await firstShown(page);
        if (shown !== first) throw new Error(`the first row is ${shown}, not ${first}`);
      }, deadlineMs);
    });
    const tasks = (await page.evaluate('benchTasks')) as readonly number[];
    measured.push({
      name: `sort ${manyRows.toLocaleString('en')} rows by text, ${way}`,
      frames,
      tasks: {
        'longest task ms': Math.max(0, ...tasks),
        'tasks over 50 ms': tasks.length,
        'until sorted ms': performance.now() - began,
      },
    });
  }
  await page.close();
  return measured;
};
