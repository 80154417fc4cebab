// @module-tag desktop

import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { axeViolations, overflows } from '#harness/browser.ts';
import {
  askDesktop,
  beLicensed,
  type DesktopMachine,
  openDesktopMachine,
  type RunningDesktop,
  untilState,
} from '#harness/desktop.ts';
import { eventually } from '#harness/eventually.ts';
import { unzip } from '#harness/unzip.ts';
import { agentIdentity } from '../../../server/servers/agents/testing/scripted-agent.ts';
import { joinPowerAgent } from '../../../server/servers/power/testing/power-agent.ts';

const pictures = resolve(import.meta.dirname, '../../../.cache/screenshots/desktop');

let machine: DesktopMachine;
let desktop: RunningDesktop;
let page: Page;

beforeAll(async () => {
  await mkdir(pictures, { recursive: true });
  machine = await openDesktopMachine();
  desktop = await machine.start();
  page = await desktop.page();
  await beLicensed(page, machine.licenseKey);
}, 180_000);

afterAll(async () => {
  await desktop?.[Symbol.asyncDispose]();
  await machine?.[Symbol.asyncDispose]();
});

const patience = { timeout: 30_000 };
const picture = (name: string) =>
  page.screenshot({ path: join(pictures, `diagnostics-${name}.png`), fullPage: true });
/** In both color schemes and as narrow as a phone: nothing is cut off, and axe finds nothing. */
const inEveryLook = async (name: string) => {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [360, 1185]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await axeViolations(page), `${colorScheme} ${width}`).toEqual([]);
      expect(await overflows(page), `${width}`).toBe(false);
      await picture(`${name}-${colorScheme}-${width}`);
    }
  }
};
const goTo = (path: string) => page.evaluate(`location.hash = '#${path}'`);
const click = (name: string) => page.getByRole('button', { name, exact: true }).click();
/** The system's dialogs are invisible to the test: pretends that the user chooses this file in them. */
const chooses = (file: string | null) =>
  desktop.app.evaluate(({ dialog }, filePath) => {
    const chosen = new Promise<void>((resolve) => {
      dialog.showSaveDialog = (async () => {
        resolve();
        return { canceled: filePath === null, filePath: filePath ?? '' };
      }) as never;
    });
    Object.assign(globalThis, { chosen });
  }, file);
/** Resolves when the user was asked and has chosen. */
const untilChosen = () => desktop.app.evaluate(() => (globalThis as { chosen?: Promise<void> }).chosen);
const closeWindow = () =>
  desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
const isSeen = () =>
  desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((one) => one.isVisible()));
const isFocused = () =>
  desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((one) => one.isFocused()));
const titles = async () => (await machine.tray.notices()).map(({ title }) => title);
/** Another program holds the API's port until the disposal. */
const takeApiPort = async (): Promise<AsyncDisposable> => {
  const server = createServer((socket) => socket.destroy());
  const port = Number(new URL(machine.apiUrl).port);
  await eventually(
    () => new Promise<void>((done, failed) => server.once('error', failed).listen(port, '127.0.0.1', done)),
  );
  return {
    [Symbol.asyncDispose]: () => new Promise<void>((done) => server.close(() => done())),
  };
};
const stopped = async () => {
  await machine.tray.click('Stop everything');
  await untilState(page, 'stopped');
};

// Guarantee: one click makes a bundle of the running stack that is safe to share: it shows the state of everything and
// contains none of the installation's secrets, even though one of them got into a log.
test('a bundle in one click', async () => {
  const env = parseEnv(await readFile(join(machine.home, '.env'), 'utf8'));
  const { token } = JSON.parse(await readFile(join(machine.home, 'license.json'), 'utf8'));
  const held = JSON.parse(await readFile(join(machine.home, 'supervisor.json'), 'utf8'));
  const secrets = [
    ...Object.entries(env).flatMap(([name, value]) => (/SECRET|KEY$|_URL$/.test(name) ? [value ?? ''] : [])),
    new URL(env.DATABASE_URL ?? '').password,
    machine.licenseKey,
    token,
    held.token,
    (await readFile(join(machine.home, 'postgres', 'superuser.password'), 'utf8')).trim(),
    (await readFile(join(machine.home, 'setup-link.txt'), 'utf8')).trim().split('token=')[1] ?? '',
  ].filter((value) => !/^https?:\/\/127/.test(value) && value !== env.LICENSE_SERVER_PUBLIC_KEY);
  expect(secrets.length).toBeGreaterThan(7);
  await appendFile(join(machine.home, 'logs', 'bot.log'), `${secrets.join('\n')}\nplanted\n`);

  await goTo('/computer/diagnostics');
  await page.getByText('Passwords, keys and tokens are removed.').waitFor(patience);
  await page.getByText('API: Running', { exact: true }).waitFor(patience);
  // A probe may have been late on a busy machine since the license was activated.
  await untilState(page, 'running');
  await chooses(null);
  await click('Create diagnostics bundle');
  await untilChosen();
  const out = join(machine.config, 'größe Ελλάδα bundle');
  await chooses(out);
  await page.getByRole('button', { name: 'Create diagnostics bundle' }).click();
  await page.getByText('Bundle created').waitFor(patience);
  const { state: stateAfter } = await askDesktop(page, 'stack.status');
  await inEveryLook('section');

  const files = await unzip(`${out}.zip`);
  const all = JSON.stringify(files);
  expect(secrets.filter((secret) => all.includes(secret))).toEqual([]);
  expect(files['logs/bot.log']).toMatch(/^planted$/m);
  const json = (name: string) => JSON.parse(files[name] ?? 'null');
  // It ran before; a late probe may have degraded it since, which the desktop then shows as well.
  expect(json('stack.json')).toMatchObject({ heldBy: 'the desktop' });
  expect(['running', stateAfter]).toContain(json('stack.json').state);
  expect(json('versions.json')).toMatchObject({ electron: machine.version });
  expect(json('license.json')).toMatchObject({
    state: 'valid',
    hwid: expect.stringMatching(/^sha256:.{16}\[redacted\]$/),
  });
  expect(json('health.json')['/api/health']).toMatchObject({ status: 200 });
  expect(json('database.json').migrations.length).toBeGreaterThan(3);
  expect((await readdir(machine.config)).filter((name) => name.includes('.part'))).toEqual([]);

  await desktop.app.evaluate(({ shell }) => {
    const shown = new Promise<string>((done) => {
      shell.showItemInFolder = done;
    });
    Object.assign(globalThis, { shown });
  });
  await click('Show in folder');
  const shown = await desktop.app.evaluate(() => (globalThis as { shown?: Promise<string> }).shown);
  expect(shown).toBe(`${out}.zip`);
  // A dialog that adds no file extension has not asked whether the file with one may be replaced.
  const first = await readFile(`${out}.zip`);
  await click('Create diagnostics bundle');
  await page.getByText('bundle-castellan-diagnostics-').waitFor(patience);
  expect((await readFile(`${out}.zip`)).equals(first)).toBe(true);
  await chooses('/nowhere/at all/bundle.zip');
  await click('Create diagnostics bundle');
  await page.getByText('/nowhere/at all/bundle.zip cannot be written').waitFor(patience);
});

// Guarantee: the logs page works in the desktop as in a browser, with the supervisor's own lines; the section
// shows the end of each log file without the API.
test('logs', async () => {
  const { lines } = await askDesktop(page, 'logs.tail', { component: 'supervisor', text: 'API IS RUNNING' });
  expect(lines.at(-1)).toMatchObject({ level: 'info', text: 'api is running' });
  expect((await askDesktop(page, 'logs.tail', { component: 'supervisor', level: 'fatal' })).lines).toEqual(
    [],
  );
  await expect(askDesktop(page, 'logs.tail', { component: '../.env' as never })).rejects.toThrow();
  const box = page.getByRole('group', { name: 'Last log lines: Supervisor and desktop' });
  await box.getByText('api is running').first().waitFor(patience);
  await page.getByRole('textbox', { name: 'Contains' }).fill('no such line');
  await page.getByText('No lines match.').waitFor(patience);
  await page.getByRole('link', { name: 'Logs', exact: true }).last().click();
  await goTo('/logs?component=supervisor&text=guardian');
  await goTo('/logs?component=supervisor');
  await page.getByText('api is running').first().waitFor(patience);
});

// Guarantee: a component that gave up is reported by a system notification, once, with its reason; a click opens the page that
// helps; when the problem is over, the notification is withdrawn and the end reported; no notification appears while the window
// is in view, or if notifications are off.
test('notifications', { tags: 'notifications' }, async () => {
  expect(await desktop.app.evaluate(({ Notification }) => Notification.isSupported())).toBe(true);
  // What the window has shown from the start is not reported.
  expect(await titles()).toEqual([]);
  await goTo('/players');
  await closeWindow();
  await stopped();
  {
    await using _taken = await takeApiPort();
    await machine.tray.click('Start everything');
    await eventually(async () => expect(await titles()).toContain('The API has failed'), 60_000);
    const failed = (await machine.tray.notices()).find(({ title }) => title === 'The API has failed');
    expect(failed).toMatchObject({ open: true, body: expect.stringContaining('is in use by') });
    await machine.tray.press('The API has failed');
    await eventually(async () => expect(await isSeen()).toBe(true), patience.timeout);
    await page.getByText('API: Failed', { exact: true }).waitFor(patience);
    expect(page.url()).toMatch(/#\/computer\/diagnostics$/);
    await page.setViewportSize({ width: 360, height: 800 });
    const label = `document.querySelector('[data-part=api] .mantine-Button-label')`;
    expect(await page.evaluate(`${label}.scrollWidth > ${label}.clientWidth`)).toBe(false);
    await picture('failed');
    await page.setViewportSize({ width: 1185, height: 800 });
    // A retry in view of the user fails again: no new notification.
    await eventually(async () => expect(await isFocused()).toBe(true), patience.timeout);
    await askDesktop(page, 'stack.restart', { component: 'api' }).catch(() => undefined);
    await page.getByText('API: Failed', { exact: true }).waitFor(patience);
  }
  await goTo('/events');
  await closeWindow();
  await machine.tray.click('Restart everything');
  await untilState(page, 'running');
  await eventually(
    async () => expect((await titles()).at(-1)).toBe('Everything is running again'),
    patience.timeout,
  );
  expect((await titles()).filter((title) => title === 'The API has failed')).toHaveLength(1);

  const before = await titles();
  await machine.tray.activate();
  await goTo('/computer/diagnostics');
  await eventually(async () => expect(await isFocused()).toBe(true), patience.timeout);
  await stopped();
  {
    await using _taken = await takeApiPort();
    await machine.tray.click('Start everything');
    await page.getByText('API: Failed', { exact: true }).waitFor({ timeout: 60_000 });
  }
  expect(await titles()).toEqual(before);

  await askDesktop(page, 'settings.change', { notices: false });
  await goTo('/events');
  await closeWindow();
  await stopped();
  {
    await using _taken = await takeApiPort();
    await machine.tray.click('Start everything');
    await untilState(page, 'failed');
  }
  await askDesktop(page, 'settings.change', { notices: true });
  expect(await titles()).toEqual(before);
});

// Guarantee: a crashed game is reported once by a system notification, and so is one that stays down; a click opens the
// server's page, and no notification appears while that page is in view.
test('games that crash', { tags: 'notifications' }, async () => {
  await machine.tray.click('Start everything');
  await untilState(page, 'running');
  const post = (path: string, body: object) =>
    page.evaluate(`(async () => {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch('${path}', { method: 'POST', headers, body: ${JSON.stringify(JSON.stringify(body))} });
      return (await answer.json()).id;
    })()`) as Promise<string>;
  const clusterId = await post(clustersHttp.create.path, { name: 'Reef', description: '' });
  const serverId = await post(gameServersHttp.create.path, { clusterId, name: 'Fjord', game: 'minecraft' });
  const env = parseEnv(await readFile(join(machine.home, '.env'), 'utf8'));
  const port = Number(new URL(machine.apiUrl).port);
  using agent = await joinPowerAgent(port, serverId, {
    identity: agentIdentity(serverId, env.GAME_AGENT_SECRET),
    process: { state: 'running', wanted: 'running', pid: 4711, upMs: 1000 },
  });
  const crash = (state: 'backing-off' | 'crash-looping', crashes: number) =>
    agent.tell({
      state,
      wanted: 'running',
      crashes,
      lastCrash: { ageMs: 0, exitCode: 139, signal: null, lines: ['the end'] },
    });
  crash('backing-off', 1);
  await eventually(async () => expect(await titles()).toContain('Fjord crashed'), 60_000);
  const told = (await machine.tray.notices()).find(({ title }) => title === 'Fjord crashed');
  expect(told).toMatchObject({ open: true, body: expect.stringContaining('restarts by itself') });
  await machine.tray.press('Fjord crashed');
  await eventually(async () => expect(await isSeen()).toBe(true), patience.timeout);
  await eventually(async () => expect(page.url()).toContain(`#/servers/${serverId}`), patience.timeout);
  await goTo('/events');
  await closeWindow();
  agent.tell({ state: 'running', wanted: 'running', pid: 4712, upMs: 1000, crashes: 4 });
  crash('crash-looping', 5);
  const staysDown = 'Fjord crashed 5 times and stays down';
  await eventually(async () => expect(await titles()).toContain(staysDown), 60_000);
  expect((await titles()).filter((title) => title === 'Fjord crashed')).toHaveLength(1);
  expect((await titles()).filter((title) => title === staysDown)).toHaveLength(1);
});

// Guarantee: when nothing can be started, the page that says so shows the component's last message, and links a bundle and
// the logs. On a system without notifications nothing goes wrong.
test('nothing starts', async () => {
  await desktop.quit();
  await using _taken = await takeApiPort();
  desktop = await machine.start({ env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' } });
  page = await desktop.page();
  await page.getByRole('heading', { name: 'Castellan could not be started' }).waitFor({ timeout: 60_000 });
  await page.getByRole('heading', { name: 'Last log lines' }).waitFor(patience);
  await page.getByRole('button', { name: 'Open logs folder' }).waitFor(patience);
  await inEveryLook('nothing-starts');
  const out = join(machine.config, 'failed.zip');
  await chooses(out);
  await click('Create diagnostics bundle');
  await page.getByText('Bundle created').waitFor(patience);
  const files = await unzip(out);
  expect(files['stack.json']).toContain('is in use by');
  expect(JSON.parse(files['ports.json'] ?? '')).toMatchObject({ api: { owner: { pid: process.pid } } });
});

// Guarantee: a desktop that cannot open at all says why, and makes a bundle before it ends.
test('broken settings', async () => {
  await desktop.quit();
  await appendFile(join(machine.home, '.env'), '\nAPI_PORT=nonsense\n');
  const out = join(machine.config, 'broken.zip');
  const told = join(machine.config, 'told.json');
  const chooser = join(machine.config, 'chooser.cjs');
  // The failure comes before the test can reach the desktop.
  await writeFile(
    chooser,
    `setImmediate(() => {
    const { dialog } = require('electron');
    dialog.showMessageBox = async (options) => {
      require('node:fs').appendFileSync(${JSON.stringify(told)}, JSON.stringify(options));
      return { response: 1 };
    };
    dialog.showSaveDialog = async () => ({ canceled: false, filePath: ${JSON.stringify(out)} });
    });`,
  );
  expect(await machine.startAgain([], { NODE_OPTIONS: `--require=${chooser}` })).toBe(1);
  const files = await unzip(out);
  expect(files['settings.txt']).toMatch(/^API_PORT is set, to something that it must not be$/m);
  expect(JSON.parse(files['versions.json'] ?? '')).toMatchObject({
    why: expect.stringContaining('API_PORT'),
  });
  const said = await readFile(told, 'utf8');
  expect(said).toContain('API_PORT: must be a port number');
  // First the possible contents of the bundle, then its path.
  expect(said).toMatch(/Names of players.*The diagnostics bundle is ready.*broken\.zip/);
});
