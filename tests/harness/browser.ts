import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import packed, { inflate } from '@sparticuz/chromium';
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Download,
  type Locator,
  type Page,
} from 'playwright-core';
import { type SharedBrowser, sharedBrowser } from './shared-browser.ts';
import { temporaryFolder } from './temporary-folder.ts';

const cache = resolve(import.meta.dirname, '../../.cache');
const unpackedFolder = join(cache, 'browser');
/** Libraries that Chromium needs and a bare Debian lacks; unpacked on request, since the package takes them for those of another system. */
const libraries = 'al2023';

/** Without any font Chromium crashes at some texts; the package's own settings name folders of another system. */
const fontSettings = 'fonts.conf';
const fontSettingsText = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(unpackedFolder, 'fonts')}</dir>
  <cachedir>${join(unpackedFolder, 'font-cache')}</cachedir>
</fontconfig>
`;
const require = createRequire(import.meta.url);
const packedFolder = resolve(require.resolve('@sparticuz/chromium'), '../../bin');

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Unpacks Chromium once per checkout, completely or not at all, even if many test files need it at the same time. */
const unpackChromium = async (): Promise<string> => {
  const path = join(unpackedFolder, 'chromium');
  if (await exists(path)) return path;
  await mkdir(cache, { recursive: true });
  const half = await mkdtemp(join(cache, 'chromium-half-'));
  const { TMPDIR } = process.env;
  try {
    // The package unpacks into the folder that TMPDIR names at this moment.
    process.env.TMPDIR = half;
    const unpacking = packed.executablePath();
    await Promise.all([unpacking, inflate(join(packedFolder, `${libraries}.tar.br`))]);
    await writeFile(join(half, fontSettings), fontSettingsText);
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

let unpacked: Promise<string> | null = null;
/** One unpacking at a time in this process, since it changes TMPDIR while it works. */
const chromiumPath = (): Promise<string> => {
  unpacked ??= unpackChromium();
  return unpacked;
};

export interface TestBrowser extends AsyncDisposable {
  readonly browser: Browser;
}

const launchOptions = (folder: string, args: readonly string[]) => ({
  args: ['--no-sandbox', '--disable-gpu', ...args],
  env: {
    ...(process.env as Record<string, string>),
    TMPDIR: folder,
    LD_LIBRARY_PATH: join(unpackedFolder, libraries, 'lib'),
    ...(existsSync('/etc/fonts') ? {} : { FONTCONFIG_FILE: join(unpackedFolder, fontSettings) }),
  },
});

/** A real headless Chromium that several processes connect to. */
export const launchBrowserServer = async (): Promise<AsyncDisposable & SharedBrowser> => {
  const executablePath = await chromiumPath();
  await using opening = new AsyncDisposableStack();
  const { path } = opening.use(await temporaryFolder('browser'));
  const server = await chromium.launchServer({ executablePath, ...launchOptions(path, []) });
  opening.defer(() => server.close());
  const pid = server.process().pid ?? 0;
  const resources = opening.move();
  return { endpoint: server.wsEndpoint(), pid, [Symbol.asyncDispose]: () => resources.disposeAsync() };
};

/**
 * A real headless Chromium: the one that this worker shares with other test files, or its own.
 * @param args additional switches for the command line of its own
 */
export const openBrowser = async (args: readonly string[] = []): Promise<TestBrowser> => {
  await using opening = new AsyncDisposableStack();
  const shared = args.length > 0 ? null : sharedBrowser();
  let browser: Browser;
  if (shared) browser = await chromium.connect(shared.endpoint);
  else {
    const executablePath = await chromiumPath();
    const { path } = opening.use(await temporaryFolder('browser'));
    browser = await chromium.launch({ executablePath, ...launchOptions(path, args) });
  }
  opening.defer(() => browser.close());
  const resources = opening.move();
  return { browser, [Symbol.asyncDispose]: () => resources.disposeAsync() };
};

let axe: string | null = null;
/** Half as long as what the package exports, and each document that is checked compiles it. */
const axeSource = (): string => {
  axe ??= readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
  return axe;
};

/** How pages are checked: light and dark, on a desktop and on a phone. */
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

/** If a page keeps changing by itself, for example with a ticking clock, its state counts after this many checks. */
const axeLooks = 5;
/** No animation lasts nearly as long; one of a window that draws no frames ends never. */
const animationMs = 5000;

/**
 * axe checks in several passes and remembers colors between them: for a button that becomes enabled in between, it would compare
 * the new text color with the old background. So animations finish first, and if axe finds something on a page that changed
 * during the check, it checks again. Only lines are returned from the page: transferring all passed checks takes longer than the
 * rules themselves.
 */
const axeAtRest = (without: readonly string[], within: string) => `(async () => {
  const changes = new MutationObserver(() => undefined);
  changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  for (let look = 1; ; look += 1) {
    const ending = document.getAnimations().filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime));
    const patience = new Promise((resolve) => setTimeout(resolve, ${animationMs}));
    await Promise.race([Promise.allSettled(ending.map((one) => one.finished)), patience]);
    changes.takeRecords();
    const { violations } = await axe.run(${within}, {
      resultTypes: ['violations'],
      rules: ${JSON.stringify(Object.fromEntries(without.map((rule) => [rule, { enabled: false }])))},
    });
    if (violations.length === 0 || look === ${axeLooks} || changes.takeRecords().length === 0)
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html));
  }
})()`;

/**
 * axe's findings against WCAG 2.2 AA and its own best practices on the current page, a line each. The browser context needs
 * JavaScript, even if the page itself does not.
 * @param without rules that do not apply to the current page
 * @param within an expression for the checked element, as axe accepts it
 */
export const axeViolations = async (
  page: Page,
  without: readonly string[] = [],
  within = 'document',
): Promise<readonly string[]> => {
  // A click that navigates ends when the new page begins to load: its rest, including styles, may not have arrived yet.
  await page.waitForLoadState();
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axeSource());
  return page.evaluate(axeAtRest(without, within));
};

/** Whether the page is wider than the window and scrolls sideways. */
export const overflows = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

/** Presses a button with the keyboard, once its dialog has taken the focus: the dialog would take it from the button again. */
export const pressInDialog = async (dialog: Locator, button: string): Promise<void> => {
  await dialog.locator(':focus').waitFor();
  await dialog.getByRole('button', { name: button, exact: true }).press('Enter');
};

/** A downloaded file's text. Its path is unknown here when the browser belongs to another process. */
export const downloadedText = async (download: Download): Promise<string> =>
  (await buffer(await download.createReadStream())).toString('utf8');
