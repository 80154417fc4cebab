import type { Page } from 'playwright-core';
import type { Panel } from '#harness/panel.ts';
import { settle } from '#harness/panel-pages.ts';

const bytesPerKiB = 1024;

interface Loaded {
  readonly initiatorType: string;
  readonly encodedBodySize: number;
  readonly decodedBodySize: number;
}

const loaded = `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .filter(({ name }) => !name.includes('/api/'))
  .map(({ initiatorType, encodedBodySize, decodedBodySize }) => ({ initiatorType, encodedBodySize, decodedBodySize }))`;

const sizesOf = async (page: Page) => {
  const files = (await page.evaluate(loaded)) as readonly Loaded[];
  const sum = (size: 'encodedBodySize' | 'decodedBodySize') =>
    files.reduce((total, file) => total + file[size], 0) / bytesPerKiB;
  return { files: files.length, 'sent KiB': sum('encodedBodySize'), 'unpacked KiB': sum('decodedBodySize') };
};

const loadedFonts = `performance.getEntriesByType('resource')
  .filter(({ name }) => /\\.woff2?(?:$|\\?)/.test(name)).map(({ encodedBodySize }) => encodedBodySize)`;
const bytesPerKb = 1000;

const fontsOf = async (page: Page) => {
  const sizes = (await page.evaluate(loadedFonts)) as readonly number[];
  return { files: sizes.length, kB: sizes.reduce((sum, size) => sum + size, 0) / bytesPerKb };
};

/** The fonts that a browser with an empty cache fetches until the page is complete. */
export const measureFonts = async (panel: Panel) => {
  const anonymous = await panel.page({ as: null });
  await anonymous.evaluate('document.fonts.ready.then(() => null)');
  const signIn = await fontsOf(anonymous);
  await anonymous.close();
  const page = await panel.page();
  await settle(page);
  await page.evaluate('document.fonts.ready.then(() => null)');
  const overview = await fontsOf(page);
  await page.close();
  return { 'sign-in page': signIn, 'overview, signed in': overview };
};

/** Everything that a browser with an empty cache receives until the page is complete, except answers of the API. */
export const measureFirstLoads = async (panel: Panel) => {
  const anonymous = await panel.page({ as: null });
  const signIn = await sizesOf(anonymous);
  await anonymous.close();
  const page = await panel.page();
  await settle(page);
  const overview = await sizesOf(page);
  await page.close();
  return { 'sign-in page': signIn, 'overview, signed in': overview };
};
