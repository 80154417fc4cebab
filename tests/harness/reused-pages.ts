import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { sharedBrowser } from './shared-browser.ts';
import { isOfWorker } from './worker-port.ts';

type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>;

export interface Profile {
  readonly options: Omit<BrowserContextOptions, 'storageState' | 'baseURL'>;
  /** Cookies and local storage that the page begins with. */
  readonly state?: StorageState;
}

/** The pages of one origin. Disposing closes those in use. */
export interface ReusedPages extends AsyncDisposable {
  /**
   * A page as a new browser profile would show it. Its `close` clears it for the next test, also of the worker's next file if that
   * has the same origin: another process of the browser, with no code compiled, takes about as much processor time as the test
   * itself.
   */
  open(profile: Profile): Promise<Page>;
}

/** Long enough for a loaded machine. */
const patienceMs = 20_000;
/** A document of the panel that runs nothing, in which the storage of its origin can be cleared. */
const emptyPath = '/icon.svg';
/** What tests listen to. */
const events = ['request', 'requestfailed', 'response', 'websocket', 'dialog', 'download', 'popup'] as const;
/** How a panel counts the faults of its pages, also of those that leave. */
const faultEvents = ['console', 'pageerror'] as const;
/** After these, the page differs from a new one in ways that cannot be undone. */
const lasting = ['addInitScript', 'exposeFunction', 'exposeBinding', 'routeWebSocket'] as const;
/** The same of its context. Reading the context changes nothing, and Playwright itself reads it at every navigation. */
const lastingInContext = [
  'addInitScript',
  'exposeFunction',
  'exposeBinding',
  'route',
  'routeWebSocket',
  'newPage',
  'newCDPSession',
  'grantPermissions',
  'setExtraHTTPHeaders',
  'setGeolocation',
  'setOffline',
] as const;

/** More would only take memory. */
const mostKept = 4;

interface Idle {
  /** What `restore` cannot change. */
  readonly key: string;
  readonly page: Page;
  readonly context: BrowserContext;
}
interface Pool {
  readonly browser: Promise<Browser>;
  readonly inUse: Set<BrowserContext>;
  /** Last the one that was closed last. */
  idle: Idle[];
}

let ofWorker: Pool | null = null;
/** Of the worker's own origin, over a connection that outlives the file; null without a browser that does. */
const poolOfWorker = (): Pool | null => {
  const shared = sharedBrowser();
  if (shared === null) return null;
  ofWorker ??= { browser: chromium.connect(shared.endpoint), inUse: new Set(), idle: [] };
  return ofWorker;
};

/**
 * @param browser where pages open that cannot outlive the file
 * @param watch called for each page that is opened
 */
export const reusePages = (
  browser: Browser,
  baseURL: string,
  watch: (page: Page) => void = () => undefined,
): ReusedPages => {
  const outlivesFile = isOfWorker(baseURL) ? poolOfWorker() : null;
  const pool = outlivesFile ?? { browser: Promise.resolve(browser), inUse: new Set(), idle: [] };

  const openNew = async ({ options, state }: Profile, key: string): Promise<Page> => {
    const context = await (await pool.browser).newContext({
      ...options,
      baseURL,
      ...(state && { storageState: state }),
    });
    pool.inUse.add(context);
    context.setDefaultTimeout(patienceMs);
    const page = await context.newPage();
    // Closing a context closes its pages, so the context may be closed already.
    page.once('close', () => {
      pool.inUse.delete(context);
      void context.close().catch(() => undefined);
    });
    keepAtClose(page, () => {
      pool.inUse.delete(context);
      pool.idle.push({ key, page, context });
    });
    return page;
  };

  return {
    async open(profile) {
      const { colorScheme: _scheme, reducedMotion: _motion, viewport: _size, ...fixed } = profile.options;
      const key = JSON.stringify([baseURL, fixed]);
      const at = pool.idle.findLastIndex((one) => one.key === key);
      const [reused] = at < 0 ? [] : pool.idle.splice(at, 1);
      if (reused) {
        pool.inUse.add(reused.context);
        await restore(reused, profile);
      }
      const page = reused?.page ?? (await openNew(profile, key));
      watch(page);
      return page;
    },
    async [Symbol.asyncDispose]() {
      const superfluous = pool.idle.splice(0, Math.max(0, pool.idle.length - mostKept));
      const closing = [...pool.inUse, ...superfluous.map(({ context }) => context)];
      await Promise.all(closing.map((context) => context.close()));
    },
  };
};

/** Replaces `close`, unless the test changes what cannot be restored. */
const keepAtClose = (page: Page, keep: () => void): void => {
  const context = page.context();
  const { clock } = page;
  const close = page.close.bind(page);
  let isSpoiled = false;
  const spoilAt = <Name extends string>(of: Record<Name, unknown>, names: readonly Name[]) => {
    for (const name of names) {
      const original = of[name] as (...args: unknown[]) => unknown;
      const spoiling = (...args: unknown[]) => {
        isSpoiled = true;
        return original.apply(of, args);
      };
      Object.defineProperty(of, name, { value: spoiling });
    }
  };
  spoilAt(page, lasting);
  spoilAt(context, lastingInContext);
  Object.defineProperty(page, 'clock', {
    get: () => {
      isSpoiled = true;
      return clock;
    },
  });
  const closeOrKeep: Page['close'] = async (options) => {
    if (isSpoiled || options?.runBeforeUnload === true || context.pages().length > 1) return close(options);
    for (const event of events) page.removeAllListeners(event);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goto(emptyPath);
    for (const event of faultEvents) page.removeAllListeners(event);
    keep();
  };
  Object.defineProperty(page, 'close', { value: closeOrKeep });
};

/** The page shows the empty document. */
const restore = async ({ page, context }: Idle, { options, state }: Profile): Promise<void> => {
  const { colorScheme = null, reducedMotion = null, viewport } = options;
  await page.emulateMedia({ colorScheme, reducedMotion, media: null, forcedColors: null });
  if (viewport) await page.setViewportSize(viewport);
  // A pointer over the page would show tooltips.
  await page.mouse.move(-1, -1);
  await context.clearCookies();
  if (state) await context.addCookies(state.cookies);
  const stored = state?.origins.flatMap(({ localStorage }) => localStorage) ?? [];
  await page.evaluate((entries) => {
    localStorage.clear();
    sessionStorage.clear();
    for (const { name, value } of entries) localStorage.setItem(name, value);
  }, stored);
};
