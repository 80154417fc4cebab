import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openPanel, type Panel } from '#harness/panel.ts';
import { freePort } from '#harness/ports.ts';
import { programsFolder } from '../../build/bundle.ts';
import { fontBudgetBytes, panelBudgetBytes, panelSizes } from '../../build/panel-size.ts';
import type { Aim, Bench, Report } from './harness/report.ts';
import { measureConsole } from './panel/console.ts';
import { measureFirstLoads, measureFonts } from './panel/first-load.ts';
import { framesWhile, heapMiB } from './panel/frames.ts';
import { judgePages } from './panel/lighthouse.ts';
import { measureSorting } from './panel/sorting.ts';
import { manyRows, measureTables, seedTables } from './panel/tables.ts';

const empty = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="A page with nothing in it">
<title>Empty</title>
<link rel="icon" href="./icon.svg" type="image/svg+xml">
</head>
<body><main><h1>Empty</h1></main></body>
</html>
`;

const judged = [
  { name: 'empty page', path: '/empty.html', isSignedIn: false },
  { name: 'sign-in page', path: '/', isSignedIn: false },
  { name: 'overview, signed in', path: '/', isSignedIn: true },
] as const;

/** Two frames of a screen that shows 60 a second. */
const longestFrameMs = 34;
/** A page that answers later than this after a click feels slow: https://web.dev/articles/rail */
const longestTaskMs = 100;
/** Any lower score has a cause that can be fixed. */
const fullMark = 100;
/** The score from which a page feels fast. */
const speedMark = 95;
const bytesPerKb = 1000;
const framesTable = 'Time between frames';
const heapTable = 'Heap of scripts, after collection';

/** One part of the bench; tables with the same name are merged. */
type Part = Pick<Report, 'tables'> & { readonly aims?: readonly Aim[] };
type Measure = (panel: Panel, say: (line: string) => void, debugPort: number) => Promise<Part>;

const parts: Readonly<Record<string, Measure>> = {
  load: async (panel) => {
    const sizes = await panelSizes(join(programsFolder, 'panel'));
    const fonts = await measureFonts(panel);
    return {
      tables: {
        'What index.html names, by gzip': {
          scripts: { kB: sizes.scriptBytes / bytesPerKb },
          styles: { kB: sizes.styleBytes / bytesPerKb },
          both: { kB: sizes.total / bytesPerKb },
        },
        'Fonts that the first page loads, apart': fonts,
        'First load, as sent': await measureFirstLoads(panel),
      },
      aims: [
        {
          what: 'first load by gzip, kB',
          value: sizes.total / bytesPerKb,
          aim: `< ${panelBudgetBytes / bytesPerKb}`,
          met: sizes.total < panelBudgetBytes,
        },
        ...Object.entries(fonts).map(([name, { kB }]) => ({
          what: `fonts of the ${name}, kB`,
          value: kB,
          aim: `<= ${fontBudgetBytes / bytesPerKb}`,
          met: kB <= fontBudgetBytes / bytesPerKb,
        })),
      ],
    };
  },
  lighthouse: async (panel, say, debugPort) => {
    const scores = await judgePages(panel, debugPort, judged, say);
    const full = judged.flatMap(({ name }) =>
      ['accessibility', 'best practices'].map((mark) => {
        const value = scores[name]?.[mark] ?? Number.NaN;
        return { what: `${name}, ${mark}`, value, aim: '100', met: value === fullMark };
      }),
    );
    const [{ name: emptyName }, , { name: overviewName }] = judged;
    const speed = scores[overviewName]?.performance ?? Number.NaN;
    const emptySpeed = scores[emptyName]?.performance ?? Number.NaN;
    return {
      tables: { 'Lighthouse, as a phone on a slow line, the median of five': scores },
      aims: [
        ...full,
        {
          what: `${overviewName}, performance, beside ${emptySpeed} of the ${emptyName}`,
          value: speed,
          aim: `>= ${speedMark}`,
          met: speed >= speedMark,
        },
      ],
    };
  },
  console: async (panel, say) => {
    const console = await measureConsole(panel, say);
    const longest = console.busy['p99 ms'];
    return {
      tables: {
        [framesTable]: console.frames,
        [heapTable]: console.heap,
        'Lines of the console': console.lines,
      },
      aims: [
        {
          what: 'console under load, p99 between frames, ms',
          value: longest,
          aim: `< ${longestFrameMs}`,
          met: longest < longestFrameMs,
        },
      ],
    };
  },
  lists: async (panel, say) => {
    const tables = await measureTables(panel, say);
    return {
      tables: {
        [framesTable]: Object.fromEntries(tables.map(({ name, frames }) => [`scrolling ${name}`, frames])),
        [heapTable]: Object.fromEntries(tables.map(({ name, memory }) => [name, memory])),
        'Lists of 100,000 rows': Object.fromEntries(tables.map(({ name, reach }) => [name, reach])),
      },
    };
  },
  sorting: async (panel, say) => {
    const sorting = await measureSorting(panel, say);
    const longestSortMs = Math.max(...sorting.map(({ tasks }) => tasks['longest task ms']));
    return {
      tables: {
        [framesTable]: Object.fromEntries(sorting.map(({ name, frames }) => [name, frames])),
        'Sorting them': Object.fromEntries(sorting.map(({ name, tasks }) => [name, tasks])),
      },
      aims: [
        {
          what: 'sort 100,000 rows by text: longest task, ms',
          value: longestSortMs,
          aim: `< ${longestTaskMs}`,
          met: longestSortMs < longestTaskMs,
        },
      ],
    };
  },
};
/** They need the many rows. */
const listParts = ['lists', 'sorting'];

export const panelBench: Bench = {
  summary: 'the panel in a browser: first load, Lighthouse, frames and memory under load',
  async run(say, args = []) {
    const { values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { only: { type: 'string', multiple: true }, json: { type: 'boolean' } },
    });
    const wanted = values.only ?? Object.keys(parts);
    const unknown = wanted.find((name) => !Object.hasOwn(parts, name));
    if (unknown !== undefined)
      throw new Error(`There is no part "${unknown}"; there are ${Object.keys(parts).join(', ')}.`);
    const port = await freePort();
    await using panel = await openPanel({
      files: { 'empty.html': empty },
      browserArgs: [`--remote-debugging-port=${port}`],
    });

    say('an empty page');
    const emptyPage = await panel.page({ as: null });
    await emptyPage.goto('/empty.html');
    const emptyFrames = await framesWhile(emptyPage, () => delay(10_000));
    const emptyHeap = await heapMiB(emptyPage);
    await emptyPage.close();

    const tables: Record<string, Part['tables'][string]> = {
      [framesTable]: { 'empty page': emptyFrames },
      [heapTable]: { 'empty page': { 'before MiB': emptyHeap } },
    };
    const aims: Aim[] = [];
    let isSeeded = false;
    for (const [name, measure] of Object.entries(parts)) {
      if (!wanted.includes(name)) continue;
      if (listParts.includes(name) && !isSeeded) {
        say(`seeding ${manyRows} rows`);
        await seedTables(panel.info.databaseUrl);
        isSeeded = true;
      }
      const part = await measure(panel, say, port);
      for (const [caption, rows] of Object.entries(part.tables))
        tables[caption] = { ...tables[caption], ...rows };
      aims.push(...(part.aims ?? []));
    }
    for (const fault of panel.faults()) say(`fault: ${fault}`);
    return {
      title:
        'The panel in Chromium without a window, beside an empty page of the same API in the same browser',
      tables,
      aims,
    };
  },
};
