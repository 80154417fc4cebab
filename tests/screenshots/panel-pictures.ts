import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { adminsHttp } from '#contracts/identity/admins.ts';
import { playersHttp } from '#contracts/people/players.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { deliveriesHttp } from '#contracts/store/deliveries.ts';
import { ordersHttp } from '#contracts/store/orders.ts';
import { seasonsHttp } from '#contracts/store/seasons.ts';
import type { Look } from '#harness/browser.ts';
import type { PageOptions, Panel } from '#harness/panel.ts';
import { goTo, panelAddresses } from '#harness/panel-pages.ts';
import { fileName } from './file-name.ts';

export interface Pictured {
  /** Part of the file name; unlike ids, it is the same in each run. */
  readonly name: string;
  readonly path: string;
}

/** Every page, its parts, and one of each thing that has a page. */
export const picturedPages = async (panel: Panel): Promise<readonly Pictured[]> => {
  const { call, info } = panel;
  const idsOfServers = new Set(info.servers.map(({ id }) => id));
  const { rows: servers } = await call(gameServersHttp.list, {});
  const offline = servers.find(({ id }) => !idsOfServers.has(id));
  const sevenDays = info.servers.find(({ game }) => game === 'seven-days-to-die');
  const { rows: orders } = await call(ordersHttp.list, { query: { limit: 1 } });
  const { rows: deliveries } = await call(deliveriesHttp.list, { query: { limit: 1 } });
  const { rows: players } = await call(playersHttp.search, { query: { limit: 1 } });
  const { rows: admins } = await call(adminsHttp.list, {});
  const { rows: seasons } = await call(seasonsHttp.list, { query: {} });
  const things = {
    'servers/offline': offline && `/servers/${offline.id}`,
    'servers/other-console': sevenDays && `/servers/${sevenDays.id}/console`,
    'players/one': players[0] && `/players/${players[0].id}`,
    'store/one': info.store && `/store/${info.store.productId}`,
    'store/new': '/store/new',
    'orders/one': orders[0] && `/orders/${orders[0].id}`,
    'deliveries/one': deliveries[0] && `/deliveries/${deliveries[0].id}`,
    'desk/rules': '/desk/rules',
    'members/one': info.store && `/members/${info.store.memberId}`,
    'seasons/one': seasons[0] && `/seasons/${seasons[0].id}`,
    'queues/delivery': '/queues/delivery',
    'admins/one': admins[0] && `/admins/${admins[0].id}`,
    'not-found': '/nothing/here',
  };
  return [
    ...panelAddresses(info).map(({ path }) => ({ name: nameOf(path, idsOfServers), path })),
    ...Object.entries(things).flatMap(([name, path]) => (path === undefined ? [] : [{ name, path }])),
  ];
};

const nameOf = (path: string, ids: ReadonlySet<string>): string =>
  path === '/'
    ? 'overview'
    : path
        .slice(1)
        .split('/')
        .map((part) => (ids.has(part) ? 'one' : part))
        .join('/');

export interface PanelPicturesOptions {
  readonly out: string;
  readonly looks: readonly Look[];
  readonly locale: NonNullable<PageOptions['locale']>;
  readonly say: (line: string) => void;
}

/** Takes each page of the panel in each look, in full height. A failing page gets a picture, too. */
export const takePanel = async (
  panel: Panel,
  { out, looks, locale, say }: PanelPicturesOptions,
): Promise<void> => {
  await mkdir(out, { recursive: true });
  const pages = await picturedPages(panel);
  for (const look of looks) {
    say(`the panel, ${look}`);
    const file = (name: string) => join(out, fileName(look, name));
    const gate = await panel.page({ look, locale, as: null });
    await gate.screenshot({ path: file('sign-in'), fullPage: true });
    await gate.close();
    const page = await panel.page({ look, locale });
    for (const { name, path } of pages) await take(page, path, file(name), say);
    await page.close();
  }
};

const take = async (
  page: Page,
  path: string,
  file: string,
  say: PanelPicturesOptions['say'],
): Promise<void> => {
  await goTo(page, path).catch((error: Error) => say(error.message.slice(0, 300)));
  // A sticky header would appear at the previous page's scroll position.
  await page.evaluate('scrollTo(0, 0)');
  await page.screenshot({ path: file, fullPage: true });
};
