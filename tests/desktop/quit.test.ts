import { access, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  askDesktop,
  type DesktopMachine,
  openDesktopMachine,
  type RunningDesktop,
  untilState,
} from '#harness/desktop.ts';
import { eventually } from '#harness/eventually.ts';

const pictures = resolve(import.meta.dirname, '../../.cache/screenshots/desktop');
const patienceMs = 30_000;

let machine: DesktopMachine;
beforeAll(async () => {
  await mkdir(pictures, { recursive: true });
  machine = await openDesktopMachine();
  process.stdout.write(`Electron ${machine.version}\n`);
}, 180_000);
afterAll(async () => {
  await machine?.[Symbol.asyncDispose]();
});

const untilNothingRuns = (desktop: RunningDesktop) =>
  eventually(async () => expect(await desktop.processes()).toEqual([]), patienceMs);
const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

// Guarantee: quitting waits for the stack, says meanwhile what still runs, lets nothing be begun in the tray, and leaves
// no process.
test('quitting while a part takes its time', async () => {
  await using desktop = await machine.start();
  const page = await desktop.page();
  await untilState(page, 'unlicensed');
  const { components } = await askDesktop(page, 'stack.status');
  const api = components.find(({ name }) => name === 'api')?.pid ?? 0;
  process.kill(api, 'SIGSTOP');
  try {
    await machine.tray.click('Quit and stop everything');
    const dialog = page.getByRole('dialog', { name: 'Castellan is stopping' });
    await dialog.getByText('Discord bot: stopped').waitFor();
    await dialog.getByText('API: stopping …').waitFor();
    await page.screenshot({ path: join(pictures, 'stopping.png') });
    const icon = await machine.tray.read();
    expect(icon?.tooltip).toMatch(/^Castellan is stopping/);
    expect(icon?.menu.filter(({ enabled }) => enabled)).toEqual([]);
  } finally {
    process.kill(api, 'SIGCONT');
  }
  expect(await desktop.ended).toBe(0);
  await untilNothingRuns(desktop);
});

// Guarantee: begun by an autostart, it keeps to the tray until somebody wants to see it; it speaks the user's language.
test('a hidden start, in Portuguese', async () => {
  await using desktop = await machine.start({ args: ['--hidden'], locale: 'pt-BR' });
  await eventually(async () => {
    const icon = await machine.tray.read();
    expect(icon?.tooltip).toMatch(/^Castellan: esperando uma licença/);
  }, patienceMs);
  expect(desktop.app.windows()).toEqual([]);
  await machine.tray.activate();
  const page = await desktop.page();
  await page.locator('h1').waitFor();
  await page.screenshot({ path: join(pictures, 'unlicensed-pt-BR.png') });
  expect(await desktop.quit()).toBe(0);
  await untilNothingRuns(desktop);
});

// Guarantee: quitting in the middle of a start ends what has begun, in order.
test('quitting at once', async () => {
  await using desktop = await machine.start();
  expect(await desktop.quit()).toBe(0);
  await untilNothingRuns(desktop);
  expect(await isThere(join(machine.home, 'postgres', 'postmaster.pid'))).toBe(false);
});

// Guarantee: where closing is not to leave anything running, it quits, in order.
test('closing without a tray', async () => {
  await using desktop = await machine.start();
  const page = await desktop.page();
  await askDesktop(page, 'settings.change', { closeToTray: false });
  await untilState(page, 'unlicensed');
  await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  expect(await desktop.ended).toBe(0);
  await untilNothingRuns(desktop);
});

// Guarantee: a desktop that is killed leaves no process either, and the next one starts as if nothing had been.
test('killed', async () => {
  {
    await using desktop = await machine.start();
    await untilState(await desktop.page(), 'unlicensed');
    process.kill(desktop.pid, 'SIGKILL');
    await desktop.ended;
    await untilNothingRuns(desktop);
  }
  await using again = await machine.start();
  await untilState(await again.page(), 'unlicensed');
  expect(await again.quit()).toBe(0);
});
