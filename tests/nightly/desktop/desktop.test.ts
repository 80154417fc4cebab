// @module-tag desktop

import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { untilState } from '#harness/desktop.ts';
import { eventually } from '#harness/eventually.ts';
import {
  desktop,
  inPage,
  isSeen,
  live,
  machine,
  page,
  patience,
  untilSeen,
  untilTray,
} from '../../desktop/licensed-desktop.ts';

// Guarantee: what was stopped from the tray is started from the tray, and the page recovers by itself.
test('started from the tray', async () => {
  await machine.tray.click('Stop everything');
  await untilTray(/^Castellan: stopped/);
  await machine.tray.click('Start everything');
  await untilTray(/^Castellan: running$/);
  await live().waitFor(patience);
});

// Guarantee: an entry of the jump list reaches the running program through a start that ends immediately; anything that is not
// one of its entries only opens the window.
test('the jump list', async () => {
  await untilState(page, 'running');
  expect(await machine.startAgain(['--do=stop'])).toBe(0);
  await untilTray(/^Castellan: stopped/);
  expect(await machine.startAgain(['--do=start'])).toBe(0);
  await untilTray(/^Castellan: running$/);
  await desktop.app.evaluate(({ BrowserWindow, shell }) => {
    BrowserWindow.getAllWindows()[0]?.close();
    Object.assign(globalThis, { opened: [] });
    shell.openPath = async (path) => {
      (globalThis as unknown as { opened: string[] }).opened.push(path);
      return '';
    };
  });
  await untilSeen(false);
  expect(await machine.startAgain(['--do=logs'])).toBe(0);
  await eventually(async () =>
    expect(await desktop.app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)).toEqual([
      join(machine.home, 'logs'),
    ]),
  );
  expect(await isSeen()).toBe(false);
  expect(await machine.startAgain(['--do=explode'])).toBe(0);
  await untilSeen(true);
  await live().waitFor(patience);
});

// Guarantee: the frame, menus and dialogs follow the page's color scheme, immediately and at the next start.
test('the frame follows the theme', async () => {
  const look = () =>
    desktop.app.evaluate(({ BrowserWindow, nativeTheme }) => [
      nativeTheme.themeSource,
      BrowserWindow.getAllWindows()[0]?.getBackgroundColor().toLowerCase(),
    ]);
  const choose = (theme: string) =>
    inPage(`castellan.call('theme.choose', { theme: ${JSON.stringify(theme)} })`);
  expect((await look())[0]).toBe('system');
  await choose('dark');
  await eventually(async () => expect(await look()).toEqual(['dark', '#0e1116']));
  const kept = join(machine.config, 'Castellan', 'desktop.json');
  await eventually(async () =>
    expect(JSON.parse(await readFile(kept, 'utf8'))).toMatchObject({ theme: 'dark' }),
  );
  await choose('light');
  await eventually(async () => expect(await look()).toEqual(['light', '#f7f8fa']));
  await choose('auto');
  await eventually(async () => expect((await look())[0]).toBe('system'));
  expect(await choose('neon')).toMatchObject({ ok: false });
  // As a person chooses it in the panel.
  await inPage("localStorage.setItem('mantine-color-scheme-value', 'dark'); location.reload()");
  await eventually(async () => expect((await look())[0]).toBe('dark'), patience.timeout);
  await inPage("localStorage.removeItem('mantine-color-scheme-value'); location.reload()");
  await eventually(async () => expect((await look())[0]).toBe('system'), patience.timeout);
  await live().waitFor(patience);
});

// Guarantee: a window that would be off the screen, or larger than it, opens completely on the screen.
test('the window stays on its screen', async () => {
  const bounds = () =>
    desktop.app.evaluate(({ BrowserWindow, screen }) => ({
      window: BrowserWindow.getAllWindows()[0]?.getBounds() ?? null,
      area: screen.getPrimaryDisplay().workArea,
    }));
  const before = await bounds();
  await desktop.app.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows()[0];
    window?.hide();
    window?.setBounds({ x: -5000, y: 40, width: 1000, height: 700 });
  });
  expect(await machine.startAgain()).toBe(0);
  await untilSeen(true);
  await eventually(async () => {
    const { window, area } = await bounds();
    expect(window?.x).toBeGreaterThanOrEqual(area.x);
    expect((window?.x ?? 0) + (window?.width ?? 0)).toBeLessThanOrEqual(area.x + area.width);
  });
  await desktop.app.evaluate(
    ({ BrowserWindow }, place) => place && BrowserWindow.getAllWindows()[0]?.setBounds(place),
    before.window,
  );
});

// Guarantee: a crashed page comes back by itself at the same place; the stack does not notice.
test('the page crashes', async () => {
  await untilState(page, 'running');
  await page.evaluate("location.hash = '#/players'");
  await page.getByRole('heading', { level: 1, name: 'Players' }).waitFor();
  const before = await inPage("castellan.call('stack.status')");
  const crashed = page.waitForEvent('crash');
  await desktop.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
  );
  await crashed;
  await eventually(async () => {
    // A page that has just gone may never answer.
    const heading = await Promise.race([inPage("document.querySelector('h1')?.textContent"), delay(2000)]);
    expect(heading).toBe('Players');
  }, patience.timeout);
  const after = await inPage("castellan.call('stack.status')");
  expect(after).toEqual(before);
});

// Guarantee: starting with the computer is off until someone turns it on, is the same in the tray and on the page, and leaves
// nothing behind when it is turned off.
test('autostart', async () => {
  const folder = join(machine.config, 'autostart');
  const isTicked = async () =>
    (await machine.tray.read())?.menu.find(({ label }) => label === 'Start with this computer')?.checked;
  expect(await isTicked()).toBe(false);
  await machine.tray.click('Start with this computer');
  await eventually(async () => expect(await isTicked()).toBe(true));
  expect(await readFile(join(folder, 'castellan.desktop'), 'utf8')).toMatch(
    /^Exec=".*electron" .*"--hidden"$/m,
  );
  await inPage("castellan.call('settings.change', { autostart: false })");
  await eventually(async () => expect(await isTicked()).toBe(false));
  expect(await readdir(folder)).toEqual([]);
  // A failed change is not ticked.
  await rm(folder, { recursive: true });
  await writeFile(folder, '');
  await desktop.app.evaluate(({ dialog }) => {
    const told = new Promise<string>((resolve) => {
      dialog.showMessageBox = async (...args: readonly unknown[]) => {
        resolve(JSON.stringify(args));
        return { response: 0, checkboxChecked: false };
      };
    });
    Object.assign(globalThis, { told });
  });
  await machine.tray.click('Start with this computer');
  const told = await desktop.app.evaluate(() => (globalThis as { told?: Promise<string> }).told);
  expect(told).toContain('That did not work');
  await eventually(async () => expect(await isTicked()).toBe(false));
  expect(await inPage("castellan.call('settings.read')")).toMatchObject({ value: { autostart: false } });
});
