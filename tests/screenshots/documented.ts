import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ordersHttp } from '#contracts/store/orders.ts';
import type { Look } from '#harness/browser.ts';
import type { Panel } from '#harness/panel.ts';
import { goTo } from '#harness/panel-pages.ts';

/** The pictures of the documentation: the visible part of a window, so that they stay small. */
export const documented = async (panel: Panel, folder: string): Promise<void> => {
  const server = panel.info.servers.find(({ game }) => game === 'minecraft');
  const { rows: orders } = await panel.call(ordersHttp.list, { query: {} });
  const wanted: readonly (readonly [file: string, look: Look, path: string])[] = [
    ['overview', 'light', '/'],
    ['console', 'dark', `/servers/${server?.id}/console`],
    ['players', 'light', '/players'],
    ['phone', 'phone', '/servers'],
    ['products', 'light', '/store'],
    ['order', 'dark', `/orders/${orders.find(({ progress }) => progress === 'done')?.id}`],
    ['desk', 'light', '/desk'],
  ];
  await mkdir(folder, { recursive: true });
  for (const [file, look, path] of wanted) {
    const page = await panel.page({ look });
    await goTo(page, path);
    await page.screenshot({ path: join(folder, `${file}.png`) });
    await page.close();
  }
};
