import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import packed from '@sparticuz/chromium';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { temporaryFolder } from './temporary-folder.ts';

const cache = resolve(import.meta.dirname, '../../.cache');
const unpackedFolder = join(cache, 'chromium');

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Unpacks Chromium once a checkout, whole or not at all, however many test files want it at the same time. */
const chromiumPath = async (): Promise<string> => {
  const path = join(unpackedFolder, 'chromium');
  if (await exists(path)) return path;
  await mkdir(cache, { recursive: true });
  const half = await mkdtemp(join(cache, 'chromium-half-'));
  const { TMPDIR } = process.env;
  try {
    // The package unpacks into the system's folder for temporary files, wherever that is at this moment.
    process.env.TMPDIR = half;
    const unpacking = packed.executablePath();
    await unpacking;
    await rename(half, unpackedFolder).catch(async (error: unknown) => {
      if (!(await exists(path))) throw error;
    });
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    await rm(half, { recursive: true, force: true });
  }
  return path;
};

export interface TestBrowser extends AsyncDisposable {
  readonly browser: Browser;
}

/**
 * A real Chromium without a window.
 * @param args more switches for its command line
 */
export const openBrowser = async (args: readonly string[] = []): Promise<TestBrowser> => {
  const executablePath = await chromiumPath();
  await using opening = new AsyncDisposableStack();
  const { path: TMPDIR } = opening.use(await temporaryFolder('browser'));
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', ...args],
    env: { ...(process.env as Record<string, string>), TMPDIR },
  });
  opening.defer(() => browser.close());
  const resources = opening.move();
  return { browser, [Symbol.asyncDispose]: () => resources.disposeAsync() };
};

/** How pages are looked at: light and dark, on a desk and on a phone. */
export const looks = {
  light: { colorScheme: 'light', viewport: { width: 1100, height: 800 } },
  dark: { colorScheme: 'dark', viewport: { width: 1100, height: 800 } },
  phone: { colorScheme: 'light', viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
  'dark phone': {
    colorScheme: 'dark',
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
  },
} as const satisfies Readonly<Record<string, BrowserContextOptions>>;
export type Look = keyof typeof looks;

/** A page that goes on changing by itself, as with a clock that ticks, is taken as it is after so many looks. */
const axeLooks = 5;

/**
 * axe looks in several goes and remembers colours between them: a button that comes alive meanwhile would be judged by
 * a text of now before a ground of then. So what moves comes to its end first, and where axe finds something on a page
 * that changed meanwhile, it looks again. Only lines leave the page: to hand over all that passes takes longer than the
 * rules themselves.
 */
const axeAtRest = `(async () => {
  const changes = new MutationObserver(() => undefined);
  changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  for (let look = 1; ; look += 1) {
    const ending = document.getAnimations().filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime));
    await Promise.allSettled(ending.map((one) => one.finished));
    changes.takeRecords();
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    if (violations.length === 0 || look === ${axeLooks} || changes.takeRecords().length === 0)
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html));
  }
})()`;

/**
 * What axe finds against WCAG 2.2 AA and its own best practices on the page as it stands, a line each. The page's
 * context needs JavaScript, which the page itself may well do without.
 */
export const axeViolations = async (page: Page): Promise<readonly string[]> => {
  // A click that leads to another page ends when that begins: the rest of it, and its style, may be yet to come.
  await page.waitForLoadState();
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  return page.evaluate(axeAtRest);
};

/** Whether the page is wider than the window, so that one has to scroll sideways. */
export const overflows = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
