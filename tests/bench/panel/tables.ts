import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Panel } from '#harness/panel.ts';
import { goTo } from '#harness/panel-pages.ts';
import { framesWhile, heapMiB } from './frames.ts';

export const manyRows = 100_000;
const scrollSeconds = 30;
const wheelEveryMs = 16;

const seedPlayers = `insert into players (identity, platform_id, game, name, name_key, first_seen_at, last_seen_at)
  select 'steam:' || (76561198000000000 + n), 'steam:' || (76561198000000000 + n), 'seven-days-to-die',
         'Player ' || n, 'player ' || n, now() - interval '90 days', now() - n * interval '1 minute'
  from generate_series(1, $1::int) n`;
const seedClusters = `insert into clusters (id, name, name_key, description)
  select 'bench' || n, 'Arena ' || md5(n::text), 'cluster ' || n, 'One of many.' from generate_series(1, $1::int) n`;

/** Inserts names in another order than the one in which they are read. */
export const seedTables = async (databaseUrl: string): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl.replace(/\?.*/, '') });
  await client.connect();
  try {
    for (const statement of [seedPlayers, seedClusters]) await client.query(statement, [manyRows]);
  } finally {
    await client.end();
  }
};

/** A list that loads page by page while scrolling, and one that loads whole, each scrolled with the wheel. */
export const measureTables = async (panel: Panel, say: (line: string) => void) => {
  const measured = [];
  for (const { name, path, stepPx } of [
    { name: 'players, read as one scrolls', path: '/players', stepPx: 400 },
    { name: 'clusters, read at once', path: '/clusters', stepPx: 4000 },
  ]) {
    say(`scrolling ${name}`);
    const page = await panel.page();
    await goTo(page, path);
    const heapBefore = await heapMiB(page);
    await page.locator('[role=row]').nth(2).hover();
    const frames = await framesWhile(page, async () => {
      const until = performance.now() + scrollSeconds * 1000;
      while (performance.now() < until) {
        await page.mouse.wheel(0, stepPx);
        await delay(wheelEveryMs);
      }
    });
    const reached = Number(
      await page.evaluate(
        "Math.max(0, ...[...document.querySelectorAll('[aria-rowindex]')].map((row) => Number(row.ariaRowIndex)))",
      ),
    );
    const elements = Number(await page.evaluate("document.querySelectorAll('*').length"));
    measured.push({
      name,
      frames,
      memory: { 'before MiB': heapBefore, 'after MiB': await heapMiB(page) },
      reach: { 'rows reached': reached, 'elements in the page': elements },
    });
    await page.close();
  }
  return measured;
};
