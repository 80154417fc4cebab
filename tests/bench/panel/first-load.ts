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

/** What a browser that has nothing yet is sent until the page stands, answers of the API aside. */
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
