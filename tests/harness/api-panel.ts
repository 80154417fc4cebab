import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { adminsHttp } from '#contracts/identity/admins.ts';
import { apiDatabase } from '../../server/kernel/testing/api-database.ts';
import { call } from '../../server/kernel/testing/call.ts';
import {
  startTestApi,
  type TestApi,
  type TestApiOptions,
  testDesktopCredential,
} from '../../server/kernel/testing/test-api.ts';
import { whenInUse } from '../../server/kernel/testing/when-in-use.ts';
import { looks, openBrowser } from './browser.ts';
import { copyOfPrograms, currentPrograms } from './panel-programs.ts';
import { reusePages } from './reused-pages.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { portOfWorker } from './worker-port.ts';

export interface Person {
  readonly name: string;
  readonly password: string;
}

/** The panel in front of an API in the test's own process; the test chooses its license. */
export interface ApiPanel extends AsyncDisposable {
  readonly api: TestApi;
  readonly browser: Browser;
  readonly homePath: string;
  /** Opens a page in a separate browser profile without a sign-in. */
  open(path?: string, options?: BrowserContextOptions): Promise<Page & AsyncDisposable>;
  newAdmin(name: string, role?: string): Promise<Person>;
}

export interface ApiPanelOptions
  extends Pick<TestApiOptions, 'discord' | 'pollingIntervalMs' | 'modSourceUrls'> {
  /** Whether workers process jobs. */
  readonly hasWorkers?: boolean;
  /** Adds programs to the folder next to the API's own. */
  readonly addPrograms?: (folder: string) => Promise<void>;
}

export const openApiPanel = async ({
  hasWorkers,
  addPrograms,
  ...options
}: ApiPanelOptions = {}): Promise<ApiPanel> => {
  await using opening = new AsyncDisposableStack();
  const programs = opening.use(await (addPrograms ? copyOfPrograms() : currentPrograms()));
  await addPrograms?.(programs.path);
  const home = opening.use(await temporaryFolder('api-panel-home'));
  const database = opening.use(await apiDatabase());
  const api = opening.use(
    await startTestApi({
      databaseUrl: database.url,
      home: home.path,
      programsFolder: programs.path,
      port: await portOfWorker(),
      ...(hasWorkers ? {} : { workers: [] }),
      ...options,
    }),
  );
  await whenInUse(api);
  const { browser } = opening.use(await openBrowser());
  const pages = opening.use(reusePages(browser, `http://127.0.0.1:${api.port}`));
  const resources = opening.move();
  return {
    api,
    browser,
    homePath: home.path,
    async open(path = '/', options = {}) {
      const page = await pages.open({ options: { ...looks.light, reducedMotion: 'reduce', ...options } });
      await page.goto(`/#${path}`);
      return Object.assign(page, { [Symbol.asyncDispose]: () => page.close() });
    },
    async newAdmin(name, role = 'viewer') {
      const person = { name, password: `the password of ${name}` };
      const { status } = await call(api.port, adminsHttp.create, {
        as: testDesktopCredential,
        body: { ...person, role },
      });
      if (status !== 200) throw new Error(`${name} was not made: ${status}`);
      return person;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
};

/** Types name and password into the visible sign-in and submits them. */
export const typeSignIn = async (page: Page, { name, password }: Person): Promise<void> => {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
  await page.keyboard.press('Enter');
};
