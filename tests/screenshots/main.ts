import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { runnerImport } from 'vite';
import type { Look } from '#harness/browser.ts';
import { openPanel } from '#harness/panel.ts';
import { endAllAtSignal, endWithNpm } from '../../build/script-process.ts';
import { makeContactSheets } from './contact-sheets.ts';
import { takeDesktop } from './desktop-pictures.ts';
import { documented } from './documented.ts';
import { enlivenAll } from './enliven-all.ts';
import { takePanel } from './panel-pictures.ts';
import type * as PortalPictures from './portal-pictures.ts';
import { takeTour } from './tour.ts';

/** Takes pictures of every page of the panel and the portal, in front of a demo in use. */

const root = resolve(import.meta.dirname, '../..');
const portalPictures = join(import.meta.dirname, 'portal-pictures.ts');
interface Options {
  readonly out: string;
  readonly docs?: true;
  readonly desktop?: true;
  readonly portal: boolean;
  readonly panel: boolean;
  readonly looks: string;
  readonly locale: 'en-US' | 'pt-BR';
  readonly compare?: readonly string[];
}
const options = new Command('npm run screenshots --')
  .description('Takes a picture of every page of the panel and the portal, or puts two runs side by side.')
  .option('--out <folder>', 'where they go', join(root, '.cache/screenshots'))
  .option('--looks <names>', 'light, dark, phone, dark phone; several with commas', 'light,dark,phone')
  .option('--locale <name>', 'en-US or pt-BR', 'en-US')
  .option('--no-panel', 'without the pages of the panel')
  .option('--no-portal', 'without the pages of the portal')
  .option('--desktop', 'also the first run, the license wizard and the pages that only the desktop has')
  .option('--docs', 'also take those of the documentation anew, in docs/screenshots')
  .option('--compare <folders...>', 'two folders of pictures, before and after: makes contact sheets of them')
  .parse()
  .opts<Options>();

const say = (line: string) => process.stderr.write(`${line}\n`);

const takePictures = async () => {
  const { out, locale } = options;
  if (options.desktop) await takeDesktop(out, say);
  if (!options.panel && !options.portal && !options.docs) return;
  const looks = options.looks.split(',') as Look[];
  const needsLife = options.panel || options.docs === true;
  await using panel = await openPanel({ bare: !needsLife, discord: needsLife });
  if (needsLife) {
    say('letting some life into the demo …');
    await enlivenAll(panel);
  }
  if (options.panel) await takePanel(panel, { out, looks, locale, say });
  if (options.portal) {
    const { browser, info } = panel;
    // The portal's pages are TSX, which Node cannot load.
    const { takePortal } = (
      await runnerImport<typeof PortalPictures>(portalPictures, { configFile: false, mode: 'production' })
    ).module;
    await takePortal({ out, looks, locale, browser, databaseUrl: info.portalDatabaseUrl, say });
  }
  if (options.docs) {
    const folder = join(root, 'docs/screenshots');
    await documented(panel, folder);
    await takeTour(panel, folder);
  }
  for (const fault of [...panel.faults(), ...panel.refusals()]) say(fault);
  say(`The pictures are in ${out}.`);
};

const compare = async (folders: readonly string[]) => {
  const [before, after] = folders;
  if (before === undefined || after === undefined || folders.length > 2)
    throw new Error('--compare takes two folders: before and after.');
  const sheets = await makeContactSheets({ before, after, out: options.out });
  say(`${sheets.length} contact sheets are in ${options.out}.`);
};

endWithNpm();
using _ending = endAllAtSignal();
await (options.compare ? compare(options.compare) : takePictures());
