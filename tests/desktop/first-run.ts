import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeViolations } from '#harness/browser.ts';
import { askDesktop, type DesktopMachine, type ShownDesktop, untilState } from '#harness/desktop.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { type Discord, startDiscord, usualBot } from '#simulators/discord/discord.ts';

const pictures = resolve(import.meta.dirname, '../../.cache/screenshots/desktop');
const guildId = '222222222222222222';

/** A machine without a home yet, on which a desktop can be started. */
export interface NewMachine
  extends AsyncDisposable,
    Pick<DesktopMachine, 'home' | 'config' | 'portal' | 'licenseKey'> {
  start(options: { readonly env: Readonly<Record<string, string>> }): Promise<ShownDesktop>;
}

let machine: NewMachine;
let discord: Discord;
let desktop: ShownDesktop;

const start = async (): Promise<Page> => {
  desktop = await machine.start({ env: { DISCORD_API_URL: discord.apiUrl } });
  return desktop.page();
};
const home = () => join(machine.config, 'Größe Ελλάδα', 'castellan home');
const picture = (page: Page, name: string) =>
  page.screenshot({ path: join(pictures, `first-run-${name}.png`), fullPage: true });
const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const untilTitle = async (page: Page, name: string | RegExp) => {
  try {
    await page.getByRole('heading', { level: 1, name }).waitFor({ timeout: 60_000 });
  } catch (error) {
    const shown = await page.locator('body').ariaSnapshot();
    throw new Error(`instead of ${name}, the window shows: ${shown}`, { cause: error });
  }
};
/** The window that takes the place of the first run's. */
const panelOf = (before: Page): Promise<Page> =>
  eventually(() => {
    const page = desktop.windows().find((window) => window !== before);
    if (!page) throw new Error('no other window');
    return page;
  }, 60_000);

/** The first run, from nothing to a licensed stack and on, with whatever desktop this machine starts. */
export const testFirstRun = (openMachine: () => Promise<NewMachine>): void => {
  beforeAll(async () => {
    await mkdir(pictures, { recursive: true });
    discord = await startDiscord();
    discord.addGuild('The Keep', { id: guildId });
    machine = await openMachine();
  }, 240_000);

  afterAll(async () => {
    await desktop?.[Symbol.asyncDispose]();
    await machine?.[Symbol.asyncDispose]();
    await discord?.[Symbol.asyncDispose]();
  });

  // Guarantee: whoever is stopped in the middle of the first run finds what they chose, and nothing half-written.
  test('killed in the middle', async () => {
    const page = await start();
    await untilTitle(page, 'Welcome to Castellan');
    await page.getByLabel('Home folder').fill('somewhere');
    await click(page, 'Continue');
    await page.getByText('Write the folder in full').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await picture(page, 'folder');
    await page.getByLabel('Home folder').fill(` ${home()} `);
    await click(page, 'Continue');
    await page.getByRole('heading', { name: 'How it is reached' }).waitFor();
    // The next key press goes on in the step that came.
    await eventually(async () =>
      expect(await page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe('Network'),
    );
    // The page goes on without waiting for the disk.
    const record = join(machine.config, 'Castellan', 'desktop.json');
    await eventually(
      async () =>
        expect(JSON.parse(await readFile(record, 'utf8'))).toMatchObject({ firstRun: { step: 'network' } }),
      30_000,
    );
    desktop.kill();
    await desktop.ended;
    expect(existsSync(home())).toBe(false);
    expect(existsSync(join(machine.home, '.env'))).toBe(false);
  });

  // Guarantee: from nothing to a licensed, healthy stack with an owner: a taken port is told and replaced, the bot's token
  // tested, one `.env` written, and the panel is there in the end.
  test('first run to a licensed stack', async () => {
    // The port that is used instead is the next one. Among the system's ephemeral ones, a connection would get it meanwhile.
    const taken = await freePort();
    const blocker = createServer().listen(taken, '127.0.0.1');
    await once(blocker, 'listening');
    const page = await start();
    await page.getByRole('heading', { name: 'How it is reached' }).waitFor();

    await page.getByLabel('Port of the panel and the API').fill(String(taken));
    const databasePort = page.getByLabel('Port of the database');
    // Emptied to type another one, it stays empty, and nothing goes on without one.
    await databasePort.press('Control+a');
    await databasePort.press('Delete');
    expect(await databasePort.inputValue()).toBe('');
    await click(page, 'Continue');
    expect(
      await databasePort.evaluate((field: { validity: { valid: boolean } }) => field.validity.valid),
    ).toBe(false);
    await databasePort.pressSequentially(String(await freePort()));
    await click(page, 'Continue');
    await page.getByText(`Port ${taken} is in use by`).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await picture(page, 'network');
    await page.getByRole('button', { name: /^Use \d+ instead$/ }).click();
    await click(page, 'Continue');

    await page.getByLabel('Token of the bot').fill('a.wrong.token');
    await click(page, 'Test');
    await page.getByText('Discord does not know this token').waitFor();
    await page.getByLabel('Token of the bot').fill(usualBot.token);
    await page.getByLabel('Id of your Discord server').fill(guildId);
    await click(page, 'Test');
    await page.getByText('Castellan Bot is ready on The Keep.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await picture(page, 'discord');
    await click(page, 'Continue');
    await page.getByText('with a token').waitFor();
    await picture(page, 'begin');
    // With it, the bot would look for the real Discord, and the stack would say that it does not find it.
    await click(page, 'Back');
    await click(page, 'Continue without Discord');
    await click(page, 'Set up and start');
    const panel = await panelOf(page);
    panel.setDefaultTimeout(60_000);
    blocker.close();
    const env = parseEnv(await readFile(join(home(), '.env'), 'utf8'));
    expect(env).toMatchObject({
      API_HOST: '127.0.0.1',
      DISCORD_BOT_TOKEN: '',
      LICENSE_SERVER_URL: machine.portal.url,
    });
    expect(env.API_PORT).not.toBe(String(taken));

    await untilTitle(panel, 'Activate Castellan');
    // One lost answer must not cost the owner their account. Playwright sees no request of the desktop's own scheme.
    await panel.evaluate(`{
      const send = fetch;
      globalThis.fetch = (...request) => {
        if (!String(request[0]?.url ?? request[0]).endsWith('/api/setup')) return send(...request);
        globalThis.fetch = send;
        globalThis.isLost = true;
        return Promise.reject(new TypeError('Failed to fetch'));
      };
    }`);
    await panel.getByLabel('License key').fill(machine.licenseKey);
    await click(panel, 'Activate on this machine');
    await untilTitle(panel, 'Account of the owner');
    expect(await panel.evaluate('globalThis.isLost')).toBe(true);
    expect(await axeViolations(panel)).toEqual([]);
    await picture(panel, 'owner');
    await panel.getByLabel('Name').fill('Wächter');
    await panel
      .getByLabel(/^Password/)
      .first()
      .fill('a password of some length');
    await click(panel, 'Make the account');
    await untilTitle(panel, /First steps/i);
    await untilState(panel, 'running');
    await picture(panel, 'done');
    expect(await panel.evaluate(`fetch('/api/setup').then((answer) => answer.json())`)).toEqual({
      needed: false,
    });
  }, 240_000);

  // Guarantee: quitting leaves no process; a first run that is over does not come back, and the chosen folder is the one
  // that is used.
  test('started again', async () => {
    expect(await desktop.quit()).toBe(0);
    await eventually(async () => expect(await desktop.processes()).toEqual([]), 30_000);
    const page = await start();
    await page.locator('#content').waitFor({ timeout: 60_000 });
    expect(await askDesktop(page, 'firstRun.state')).toBeNull();
    expect(await askDesktop(page, 'stack.status')).toMatchObject({ home: home() });
    await desktop.quit();
  }, 120_000);

  // Guarantee: a home that is gone, as with a drive that was taken out, is asked about, never silently made anew.
  test('a home that is gone', async () => {
    const away = `${home()} away`;
    await rename(home(), away);
    const page = await start();
    await page.getByText('is not there').waitFor();
    await picture(page, 'gone');
    // Nothing is begun in its place: with the drive back, there would be two.
    await page.getByLabel('Home folder').fill(home());
    await click(page, 'Continue');
    await page.getByText('Your installation was in this folder.').waitFor();
    await picture(page, 'away');
    expect(existsSync(home())).toBe(false);
    // Another folder that is looked at is not the one that is missed.
    await page.getByLabel('Home folder').fill(join(machine.config, 'another'));
    await page.reload();
    await page.getByText(`The folder ${home()}, which Castellan used until now, is not there.`).waitFor();
    await rename(away, home());
    await page.getByLabel('Home folder').fill(home());
    await click(page, 'Continue');
    await page.getByText('It is taken up as it is.').waitFor();
    // Begun anew here, it does not tell of settings that will not be used.
    await page.reload();
    await page.getByText('It is taken up as it is.').waitFor();
    expect(await page.getByText('Reached from').count()).toBe(0);
    await click(page, 'Set up and start');
    const panel = await panelOf(page);
    await panel.locator('#content').waitFor({ timeout: 60_000 });
  }, 120_000);
};
