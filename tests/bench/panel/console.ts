import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { serverMessage } from '#contracts/kernel/live.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { eventually } from '#harness/eventually.ts';
import type { Panel } from '#harness/panel.ts';
import { goTo } from '#harness/panel-pages.ts';
import { startSevenDays } from '#simulators/seven-days-simulator.ts';
import { framesWhile, heapMiB } from './frames.ts';

export const linesPerSecond = 1000;
const seconds = 60;
/** Lines come in bursts, as a game server writes them. */
const burstMs = 20;
const text = '2026-03-01T12:00:00 1234.567 INF [EAC] Log: a line of the usual length that a server writes';

/** Counts the lines that reached the page over its live connection. */
const countLines = (page: Page) => {
  const count = { shown: 0, skipped: 0 };
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      const parsed = serverMessage.safeParse(JSON.parse(String(payload)));
      if (!parsed.success || parsed.data.type !== 'lines') return;
      count.shown += parsed.data.lines.length;
      count.skipped += parsed.data.skipped;
    });
  });
  return count;
};

/** Measures the console page while its server logs without pause, compared with the same page before. */
export const measureConsole = async (panel: Panel, say: (line: string) => void) => {
  await using game = await startSevenDays({ password: 'a password' });
  const cluster = await panel.call(clustersHttp.create, { body: { name: 'Bench' } });
  const reach = { host: '127.0.0.1', port: game.port, password: game.password };
  const server = await panel.call(gameServersHttp.create, {
    body: { clusterId: cluster.id, name: 'Talkative', game: 'seven-days-to-die', ...reach },
  });
  await eventually(async () => {
    const { rows } = await panel.call(gameServersHttp.list, {});
    const state = rows.find(({ id }) => id === server.id)?.status.state;
    if (state !== 'online') throw new Error(`the server is ${state}`);
  }, 60_000);

  const page = await panel.page();
  const count = countLines(page);
  await page.reload();
  await goTo(page, `/servers/${server.id}/console`);
  const heapBefore = await heapMiB(page);
  say('a console without lines');
  const calm = await framesWhile(page, () => delay(10_000));

  say(`${linesPerSecond} lines a second for ${seconds} s`);
  let written = 0;
  const busy = await framesWhile(page, async () => {
    const began = performance.now();
    for (let passed = 0; passed < seconds * 1000; passed = performance.now() - began) {
      for (; written < (passed * linesPerSecond) / 1000; written += 1) game.log.write(`${text} ${written}`);
      await delay(burstMs);
    }
  });
  const heapAfter = await heapMiB(page);
  await page.close();
  return {
    frames: { 'console, no lines': calm, [`console, ${linesPerSecond} lines a second`]: busy },
    lines: { console: { written, arrived: count.shown, 'skipped by the API': count.skipped } },
    heap: { console: { 'before MiB': heapBefore, 'after MiB': heapAfter } },
    busy,
  };
};
