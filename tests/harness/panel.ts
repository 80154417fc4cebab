import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { adminsHttp, type NewAdmin } from '#contracts/admins.ts';
import type { CallInput } from '#contracts/call-input.ts';
import type { Endpoint, EndpointResponse } from '#contracts/http.ts';
import { type Look, looks, openBrowser } from './browser.ts';
import { type DemoInfo, startDemo } from './demo.ts';
import { type ApiSession, signInToApi } from './panel-api.ts';
import { type Faults, watchFaults } from './panel-faults.ts';
import { copyOfPrograms } from './panel-programs.ts';
import { signInPages } from './panel-sign-in.ts';

export interface Credentials {
  readonly name: string;
  readonly password: string;
}

export interface PageOptions {
  /** `light` unless said. */
  readonly look?: Look;
  readonly locale?: 'en-US' | 'pt-BR';
  /** The owner unless said; null: nobody has signed in. */
  readonly as?: Credentials | null;
  /** Where in the panel the page begins, such as `/servers?game=minecraft`. */
  readonly path?: string;
  /** With a session of its own. Without it, pages of one person share a session, which the test must then not end. */
  readonly ownSession?: boolean;
}

export interface PanelOptions {
  /** A demo's home to go on with; a new one unless said. */
  readonly home?: string;
  /** An owner, and nothing else: no cluster, no game server, no Game Agent. */
  readonly bare?: boolean;
  /** Texts of more files, by name, that are served beside the panel's own. */
  readonly files?: Readonly<Record<string, string>>;
  /** More switches for the browser's command line. */
  readonly browserArgs?: readonly string[];
}

/** The panel as it ships, in front of the demo, in a real browser. */
export interface Panel extends AsyncDisposable, Faults {
  readonly info: DemoInfo;
  readonly browser: Browser;
  /** A page in a browser profile of its own, which goes when the page is closed. Addresses may begin with `/#/`. */
  page(options?: PageOptions): Promise<Page>;
  /** Calls an endpoint as the owner. @throws {Refused} */
  call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<EndpointResponse<E>>;
  newAdmin(wanted: Pick<NewAdmin, 'role'> & Partial<NewAdmin>): Promise<Credentials>;
}

/** A loaded machine takes its time. */
const patienceMs = 20_000;

export const openPanel = async (options: PanelOptions = {}): Promise<Panel> => {
  const { home, bare = false, files = {}, browserArgs = [] } = options;
  await using opening = new AsyncDisposableStack();
  const programs = opening.use(await copyOfPrograms());
  for (const [name, text] of Object.entries(files)) await writeFile(join(programs.path, 'panel', name), text);
  const { info } = opening.use(await startDemo(home, { bare, programs: programs.path }));
  const { browser } = opening.use(await openBrowser(browserArgs));
  const { watch, faults, refusals } = watchFaults(info.apiUrl);
  const stateOf = signInPages(browser, info.apiUrl);
  let api: Promise<ApiSession> | null = null;
  const call: Panel['call'] = async (endpoint, input) => {
    api ??= signInToApi(info.apiUrl, info.admin);
    return (await api).call(endpoint, input);
  };
  const resources = opening.move();

  return {
    info,
    browser,
    faults,
    refusals,
    call,
    async page({ look = 'light', locale = 'en-US', as = info.admin, path = '/', ownSession = false } = {}) {
      const context = await browser.newContext({
        ...looks[look],
        locale,
        baseURL: info.apiUrl,
        reducedMotion: 'reduce',
        ...(as && { storageState: await stateOf(as, ownSession) }),
      });
      context.setDefaultTimeout(patienceMs);
      const page = await context.newPage();
      // Closing a context closes its pages, so that this may be its second time.
      page.once('close', () => void context.close().catch(() => undefined));
      watch(page);
      await page.goto(`/#${path}`);
      await page.locator(as ? '#content' : 'h1').waitFor();
      return page;
    },
    async newAdmin({ name = `helper ${randomBytes(4).toString('hex')}`, ...wanted }) {
      const password = randomBytes(12).toString('base64url');
      await call(adminsHttp.create, { body: { name, password, ...wanted } });
      return { name, password };
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
};
