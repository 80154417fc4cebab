import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { adminsHttp, type NewAdmin } from '#contracts/identity/admins.ts';
import type { CallInput } from '#contracts/kernel/call-input.ts';
import type { Endpoint, EndpointResponse } from '#contracts/kernel/http.ts';
import { type Look, looks, openBrowser } from './browser.ts';
import { type DemoInfo, startDemo } from './demo.ts';
import { type ApiSession, signInToApi } from './panel-api.ts';
import { type Faults, watchFaults } from './panel-faults.ts';
import { copyOfPrograms, currentPrograms } from './panel-programs.ts';
import { signInPages } from './panel-sign-in.ts';
import { reusePages } from './reused-pages.ts';

export interface Credentials {
  readonly name: string;
  readonly password: string;
}

export interface PageOptions {
  /** Default: `light`. */
  readonly look?: Look;
  readonly locale?: 'en-US' | 'pt-BR';
  /** Default: the owner; null: without a sign-in. */
  readonly as?: Credentials | null;
  /** Where in the panel the page begins, such as `/servers?game=minecraft`. */
  readonly path?: string;
  /** With its own session. Without it, pages of one person share a session, which the test must then not end. */
  readonly ownSession?: boolean;
}

export interface PanelOptions {
  /** An existing demo's data folder to continue with; default: a new one. */
  readonly home?: string;
  /** An owner, and nothing else: no cluster, no game server, no Game Agent. */
  readonly bare?: boolean;
  /** With a simulated Discord, in which the bot shows all its features. */
  readonly discord?: boolean;
  /** Texts of additional files, by name, that are served with the panel's own. */
  readonly files?: Readonly<Record<string, string>>;
  /** Additional switches for the browser's command line. */
  readonly browserArgs?: readonly string[];
}

/** A panel's address and owner. */
export interface PanelInfo {
  readonly apiUrl: string;
  readonly admin: Credentials;
  readonly home: string;
}

/** The panel as it ships, in a real browser. */
export interface Panel<Info extends PanelInfo = DemoInfo> extends AsyncDisposable, Faults {
  readonly info: Info;
  readonly browser: Browser;
  /** Opens a page that shares nothing with other open pages, as in a new browser profile. Addresses may begin with `/#/`. */
  page(options?: PageOptions): Promise<Page>;
  /** Calls an endpoint as the owner. @throws {Refused} */
  call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<EndpointResponse<E>>;
  newAdmin(wanted: Pick<NewAdmin, 'role'> & Partial<NewAdmin>): Promise<Credentials>;
}

/** Opens the panel in front of the demo: the shipped programs, each as a process. */
export const openPanel = async (options: PanelOptions = {}): Promise<Panel> => {
  const { home, bare = false, discord = false, files = {}, browserArgs = [] } = options;
  await using opening = new AsyncDisposableStack();
  const hasOwn = Object.keys(files).length > 0;
  const programs = opening.use(await (hasOwn ? copyOfPrograms() : currentPrograms()));
  for (const [name, text] of Object.entries(files)) await writeFile(join(programs.path, 'panel', name), text);
  const { info } = opening.use(await startDemo(home, { bare, discord, programs: programs.path }));
  const { browser } = opening.use(await openBrowser(browserArgs));
  return panelIn(browser, info, opening.move());
};

/** @param resources disposed with the panel */
export const panelIn = <Info extends PanelInfo>(
  browser: Browser,
  info: Info,
  resources: AsyncDisposable,
): Panel<Info> => {
  const { watch, faults, refusals } = watchFaults(info.apiUrl);
  const pages = reusePages(browser, info.apiUrl, watch);
  const stateOf = signInPages(browser, info.apiUrl);
  let api: Promise<ApiSession> | null = null;
  const call: Panel['call'] = async (endpoint, input) => {
    api ??= signInToApi(info.apiUrl, info.admin);
    return (await api).call(endpoint, input);
  };

  return {
    info,
    browser,
    faults,
    refusals,
    call,
    async page({ look = 'light', locale = 'en-US', as = info.admin, path = '/', ownSession = false } = {}) {
      const page = await pages.open({
        options: { ...looks[look], locale, reducedMotion: 'reduce' },
        ...(as && { state: await stateOf(as, ownSession) }),
      });
      await page.goto(`/#${path}`);
      await page.locator(as ? '#content' : 'h1').waitFor();
      return page;
    },
    async newAdmin({ name = `helper ${randomBytes(4).toString('hex')}`, ...wanted }) {
      const password = randomBytes(12).toString('base64url');
      await call(adminsHttp.create, { body: { name, password, ...wanted } });
      return { name, password };
    },
    async [Symbol.asyncDispose]() {
      await pages[Symbol.asyncDispose]();
      await resources[Symbol.asyncDispose]();
    },
  };
};
