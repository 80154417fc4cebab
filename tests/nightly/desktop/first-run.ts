import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askDesktop, type DesktopMachine, type ShownDesktop, untilState } from '#harness/desktop.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { type Discord, startDiscord, usualBot } from '#simulators/discord/discord.ts';
import { wizardLooks } from './wizard-looks.ts';

const pictures = resolve(import.meta.dirname, '../../../.cache/screenshots/desktop');
const guildId = '222222222222222222';

/** A machine without a data folder, on which a desktop can be started. */
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
const openAdvanced = (page: Page) => page.getByText('Advanced').first().click();
const untilTitle = async (page: Page, name: string | RegExp) => {
  try {
    await page.getByRole('heading', { level: 1, name }).waitFor({ timeout: 60_000 });
  } catch (error) {
    const shown = await page.locator('body').ariaSnapshot();
    throw new Error(`instead of ${name}, the window shows: ${shown}`, { cause: error });
  }
};
/** The window that replaces the first run's. */
const panelOf = (before: Page): Promise<Page> =>
  eventually(() => {
    const page = desktop.windows().find((window) => window !== before);
    if (!page) throw new Error('no other window');
    return page;
  }, 60_000);

/** Tests of the first run, from nothing to a licensed stack and further, with any desktop that the machine starts. */
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

  // Guarantee: a first run that is killed in the middle resumes with the choices so far, and nothing is half-written.
  test('killed in the middle', async () => {
    const page = await start();
    await untilTitle(page, 'Welcome to Castellan');
    expect(await page.title()).toContain('Step 1 of 3');
    expect(await page.getByRole('navigation', { name: 'Steps' }).getByRole('listitem').count()).toBe(3);
    expect(await wizardLooks(page, 'first-run-start')).toEqual([]);
    await page.getByLabel('Data folder').fill('somewhere');
    // Enter works like the button.
    await page.getByLabel('Data folder').press('Enter');
    await page.getByText('Enter the full path').waitFor();
    expect(await wizardLooks(page, 'first-run-folder')).toEqual([]);
    await page.getByLabel('Data folder').fill(` ${home()} `);
    await openAdvanced(page);
    await page.getByLabel('Panel port').fill('4711');
    // The page continues without waiting for the disk.
    const record = join(machine.config, 'Castellan', 'desktop.json');
    await eventually(
      async () =>
        expect(JSON.parse(await readFile(record, 'utf8'))).toMatchObject({ firstRun: { apiPort: 4711 } }),
      30_000,
    );
    desktop.kill();
    await desktop.ended;
    expect(existsSync(home())).toBe(false);
    expect(existsSync(join(machine.home, '.env'))).toBe(false);
  });

  // Guarantee: from nothing to a licensed, healthy stack with an owner, in three steps that fit the window: a taken port is
  // reported and replaced, the bot's token is tested, one `.env` is written, and the panel opens at the end.
  test('first run to a licensed stack', async () => {
    // The next port is used instead. If it were an ephemeral port, a connection could take it in between.
    const taken = await freePort();
    const blocker = createServer().listen(taken, '127.0.0.1');
    await once(blocker, 'listening');
    const page = await start();
    expect(await page.getByLabel('Data folder').inputValue()).toBe(` ${home()} `);
    await openAdvanced(page);
    expect(await page.getByLabel('Panel port').inputValue()).toBe('4711');

    await page.getByLabel('Panel port').fill(String(taken));
    const databasePort = page.getByLabel('Database port');
    // A cleared field stays empty, and the step cannot continue without a port.
    await databasePort.press('Control+a');
    await databasePort.press('Delete');
    expect(await databasePort.inputValue()).toBe('');
    await click(page, 'Continue');
    expect(
      await databasePort.evaluate((field: { validity: { valid: boolean } }) => field.validity.valid),
    ).toBe(false);
    await databasePort.pressSequentially(String(await freePort()));
    await page.getByText('Advanced').first().click();
    await click(page, 'Continue');
    // The obstacle is visible.
    await page.getByText(`Port ${taken} is in use by`).waitFor();
    expect(await wizardLooks(page, 'first-run-advanced', { mayScroll: true })).toEqual([]);
    await page.getByRole('button', { name: /^Use \d+ instead$/ }).click();

    await page.getByLabel('Bot token').fill('a.wrong.token');
    await click(page, 'Continue');
    await page.getByText('Discord does not recognize this token').waitFor();
    await page.getByLabel('Bot token').fill(usualBot.token);
    await page.getByLabel('Discord server ID').fill(guildId);
    await click(page, 'Test bot');
    await page.getByText('Castellan Bot is ready on The Keep.').waitFor();
    expect(await wizardLooks(page, 'first-run-discord', { mayScroll: true })).toEqual([]);
    // With a token the bot would look for the real Discord, and the stack would report that it cannot find it.
    await page.getByLabel('Bot token').fill('');
    await click(page, 'Continue');
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
    expect(await panel.title()).toContain('Step 2 of 3');
    expect(await wizardLooks(panel, 'license-key')).toEqual([]);
    // A lost answer must not cost the owner their account. Playwright does not see requests of the desktop's own scheme.
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
    await untilTitle(panel, 'Create your account');
    expect(await panel.evaluate('globalThis.isLost')).toBe(true);
    expect(await panel.title()).toContain('Step 3 of 3');
    expect(await wizardLooks(panel, 'first-run-owner')).toEqual([]);
    await panel.getByLabel('Name').fill('Wächter');
    await panel
      .getByLabel(/^Password/)
      .first()
      .fill('a password of some length');
    await click(panel, 'Create account');
    await untilTitle(panel, /First steps/i);
    await untilState(panel, 'running');
    // The step that was just done is checked off, and the next one is open.
    await panel.getByText('1 of 9 steps done').waitFor();
    await panel.getByLabel('Cluster name').waitFor();
    await picture(panel, 'done');
    expect(await panel.evaluate(`fetch('/api/setup').then((answer) => answer.json())`)).toMatchObject({
      needed: false,
    });
  }, 240_000);

  // Guarantee: quitting leaves no process; a completed first run does not come back, and the chosen folder is used.
  test('started again', async () => {
    expect(await desktop.quit()).toBe(0);
    await eventually(async () => expect(await desktop.processes()).toEqual([]), 30_000);
    const page = await start();
    await page.locator('#content').waitFor({ timeout: 60_000 });
    expect(await askDesktop(page, 'firstRun.state')).toBeNull();
    expect(await askDesktop(page, 'stack.status')).toMatchObject({ home: home() });
    await desktop.quit();
  }, 120_000);

  // Guarantee: for a missing data folder, as after a drive was removed, the desktop asks and never silently creates a new one.
  test('a home that is gone', async () => {
    const away = `${home()} away`;
    await rename(home(), away);
    const page = await start();
    await page.getByText('was not found. If it is on an external drive').waitFor();
    await picture(page, 'gone');
    // Nothing is created in its place: with the drive back, there would be two.
    await page.getByLabel('Data folder').fill(home());
    await click(page, 'Continue');
    await page.getByText('Your installation was in this folder.').waitFor();
    await picture(page, 'away');
    expect(existsSync(home())).toBe(false);
    // Checking another folder does not replace the missing one.
    await page.getByLabel('Data folder').fill(join(machine.config, 'another'));
    await page.reload();
    await page.getByText(`The data folder ${home()} was not found.`).waitFor();
    await rename(away, home());
    await page.getByLabel('Data folder').fill(home());
    await click(page, 'Continue');
    await page.getByText('Castellan uses it with its settings.').waitFor();
    // After a reload, the page does not ask for settings that will not be used.
    await page.reload();
    await page.getByText('Castellan uses it with its settings.').waitFor();
    expect(await page.getByText('Advanced').count()).toBe(0);
    await click(page, 'Use this installation');
    const panel = await panelOf(page);
    await panel.locator('#content').waitFor({ timeout: 60_000 });
  }, 120_000);
};
