import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>;

export interface Profile {
  readonly options: Omit<BrowserContextOptions, 'storageState' | 'baseURL'>;
  /** Cookies and local storage that the page begins with. */
  readonly state?: StorageState;
  /** In a browser profile that no other page has. */
  readonly isOwn?: boolean;
}

/** The pages of one origin. */
export interface ReusedPages {
  /**
   * A page as a new browser profile would show it. Its `close` clears it for the next test that wants the same profile: another
   * process of the browser, with no code compiled, takes about as much processor time as the test itself.
   */
  open(profile: Profile): Promise<Page>;
}

/** Long enough for a loaded machine. */
const patienceMs = 20_000;
/** A document of the panel that runs nothing, in which the storage of its origin can be cleared. */
const emptyPath = '/icon.svg';
/** What tests listen to; a page counts its own faults with `console` and `pageerror`. */
const events = ['request', 'requestfailed', 'response', 'websocket', 'dialog', 'download', 'popup'] as const;
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

/** @param watch called once for each new page */
export const reusePages = (
  browser: Browser,
  baseURL: string,
  watch: (page: Page) => void = () => undefined,
): ReusedPages => {
  const idle = new Map<string, Idle[]>();

  const openNew = async ({ options, state, isOwn = false }: Profile, key: string): Promise<Page> => {
    const context = await browser.newContext({
      ...options,
      baseURL,
      ...(state && { storageState: state }),
    });
    context.setDefaultTimeout(patienceMs);
    const page = await context.newPage();
    // Closing a context closes its pages, so the context may be closed already.
    page.once('close', () => void context.close().catch(() => undefined));
    watch(page);
    if (!isOwn)
      keepAtClose(page, () => {
        idle.set(key, [...(idle.get(key) ?? []), { page, context }]);
      });
    return page;
  };

  return {
    async open(profile) {
      const key = JSON.stringify([profile.options, profile.state]);
      const reused = profile.isOwn ? undefined : idle.get(key)?.pop();
      if (reused === undefined) return openNew(profile, key);
      await restore(reused, profile);
      return reused.page;
    },
  };
};

interface Idle {
  readonly page: Page;
  readonly context: BrowserContext;
}

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
    if (isSpoiled || context.pages().length > 1) return close(options);
    for (const event of events) page.removeAllListeners(event);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goto(emptyPath);
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
