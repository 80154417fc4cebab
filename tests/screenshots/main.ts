import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import type { Page } from 'playwright-core';
import { deliveriesHttp } from '#contracts/deliveries.ts';
import { ordersHttp } from '#contracts/orders.ts';
import type { Look } from '#harness/browser.ts';
import { openPanel, type PageOptions, type Panel } from '#harness/panel.ts';
import { goTo, panelAddresses } from '#harness/panel-pages.ts';
import { endAllAtSignal, endWithNpm } from '../../build/script-process.ts';
import { documented } from './documented.ts';
import { enliven } from './enliven.ts';
import { enlivenStore } from './enliven-store.ts';

/** Pictures of every page of the panel, in front of a demo in which something happens. */

const root = resolve(import.meta.dirname, '../..');
interface Options {
  readonly out: string;
  readonly docs?: true;
  readonly looks: string;
  readonly locale: 'en-US' | 'pt-BR';
}
const options = new Command('npm run screenshots --')
  .description('Takes a picture of every page of the panel.')
  .option('--out <folder>', 'where they go', join(root, '.cache/screenshots'))
  .option('--looks <names>', 'light, dark, phone, dark phone; several with commas', 'light,dark,phone')
  .option('--locale <name>', 'en-US or pt-BR', 'en-US')
  .option('--docs', 'also take those of the documentation anew, in docs/screenshots')
  .parse()
  .opts<Options>();

const say = (line: string) => process.stderr.write(`${line}\n`);
const fileName = (look: string, path: string) =>
  `${`${look}${path === '/' ? '/overview' : path}`.replace(/[^\w]+/g, '-')}.png`;

const takeAll = async (panel: Panel, look: Look, locale: NonNullable<PageOptions['locale']>) => {
  const gate = await panel.page({ look, locale, as: null });
  await gate.screenshot({ path: join(options.out, fileName(look, '/sign-in')), fullPage: true });
  await gate.close();
  const page = await panel.page({ look, locale });
  for (const { path } of [...panelAddresses(panel.info), ...(await storeAddresses(panel))])
    await take(page, look, path);
  await page.close();
};

/** One of each thing that the store has pages for. */
const storeAddresses = async ({ call, info }: Panel) => {
  const { rows: orders } = await call(ordersHttp.list, { query: { limit: 1 } });
  const { rows: deliveries } = await call(deliveriesHttp.list, { query: { limit: 1 } });
  return [
    `/store/${info.store?.productId}`,
    '/store/new',
    `/orders/${orders[0]?.id}`,
    `/deliveries/${deliveries[0]?.id}`,
    '/desk/rules',
    `/members/${info.store?.memberId}`,
    '/queues/delivery',
  ].map((path) => ({ path }));
};

const take = async (page: Page, look: Look, path: string): Promise<void> => {
  // A page that fails is worth a picture, too.
  await goTo(page, path).catch((error: Error) => say(error.message.slice(0, 300)));
  // By its name and not by ids, so that the next pictures take the places of these.
  const name = path.replace(/(?<=^\/(?:servers|store|orders|deliveries|members)\/)(?!new$)[\w-]+/, 'one');
  await page.screenshot({ path: join(options.out, fileName(look, name)), fullPage: true });
};

endWithNpm();
using _ending = endAllAtSignal();
await mkdir(options.out, { recursive: true });
await using panel = await openPanel();
say('letting some life into the demo …');
await enliven(panel);
await enlivenStore(panel);
for (const look of options.looks.split(',') as Look[]) {
  say(look);
  await takeAll(panel, look, options.locale);
}
if (options.docs) await documented(panel, join(root, 'docs/screenshots'));
for (const fault of [...panel.faults(), ...panel.refusals()]) say(fault);
say(`The pictures are in ${options.out}.`);
