import { appendFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeViolations } from '#harness/browser.ts';
import { learnBothLanguages } from '#harness/every-look.ts';
import { openEverything, refuseChanges } from '#harness/open-everything.ts';
import { openPanel, type Panel } from '#harness/panel.ts';
import { goTo } from '#harness/panel-pages.ts';
import {
  type NavigationGroup,
  navigation,
  navigationGroups,
  type PageName,
} from '../../../renderer/shell/navigation.ts';
import { enlivenAll } from '../../screenshots/enliven-all.ts';
import { type Pictured, picturedPages } from '../../screenshots/panel-pictures.ts';

let panel: Panel;
let pages: readonly Pictured[];
beforeAll(async () => {
  panel = await openPanel({ discord: true });
  await enlivenAll(panel);
  pages = await picturedPages(panel);
}, 300_000);
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
});

const pageOf = (path: string): PageName | undefined =>
  (Object.keys(navigation) as PageName[]).find((name) =>
    name === 'overview' ? path === '/' : `${path}/`.startsWith(`${navigation[name].path}/`),
  );
const groupOf = (path: string): NavigationGroup | null => {
  const name = pageOf(path);
  return name === undefined ? null : navigation[name].group;
};

/** The pages in parts that take a few minutes each: the groups of the side bar, with the servers separate from the other games pages. */
const isServers = (path: string): boolean => path.startsWith('/servers');
const areas: Readonly<Record<string, (path: string) => boolean>> = {
  servers: isServers,
  ...Object.fromEntries(
    [...navigationGroups, null].map((group) => [
      group ?? 'other',
      (path: string) => groupOf(path) === group && !isServers(path),
    ]),
  ),
};

// Guarantee: axe finds nothing in any menu, list or dialog that a button of a page opens, light and dark, in both languages;
// Escape closes it, and the focus returns to its previous place.
test.each(Object.entries(areas))(
  'what can be opened, %s',
  async (area, isIn) => {
    const page = await panel.page();
    await learnBothLanguages(page);
    await refuseChanges(page);
    const faults: string[] = [];
    const names: string[] = [];
    const known = new Set<string>();
    for (const { path } of pages.filter(({ path: one }) => isIn(one))) {
      await goTo(page, path);
      for (const violation of await axeViolations(page)) faults.push(`${path}: ${violation}`);
      const opened = await openEverything(page, path, { known });
      faults.push(...opened.faults);
      names.push(...opened.names);
    }
    if (area === 'main') {
      const shell = await openEverything(page, '/', { scope: ':has(> nav)' });
      faults.push(...shell.faults);
      names.push(...shell.names);
    }
    await page.close();
    if (process.env.CASTELLAN_TEST_PICTURES)
      await appendFile(
        `${process.env.CASTELLAN_TEST_PICTURES}/opened.txt`,
        `== ${area}\n${names.join('\n')}\n-- faults\n${faults.join('\n')}\n`,
      );
    expect(faults).toEqual([]);
    // A selector that no longer opens anything would find nothing.
    expect(names).not.toEqual([]);
  },
  360_000,
);
