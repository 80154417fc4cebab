// @module-tag desktop

import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UpdatesState } from '#contracts/desktop/desktop-updates.ts';
import { axeViolations } from '#harness/browser.ts';
import {
  askDesktop,
  beLicensed,
  type DesktopMachine,
  openDesktopMachine,
  untilState,
} from '#harness/desktop.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { openReleaseServer, type ReleaseServer } from '#harness/release-server.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { version } from '#runtime/version.ts';
import { electronRuntime } from '../../../build/electron-runtime.ts';

const pictures = resolve(import.meta.dirname, '../../../.cache/screenshots/desktop');
const patienceMs = 60_000;
const newer = '9.1.0';
/** Everything starts and stops several times, one after the other. */
const slow = { timeout: 300_000 };

const resources = new AsyncDisposableStack();
let machine: DesktopMachine;
let server: ReleaseServer;
let programsOfNewer: string;
let appImage: string;
/** Gets a line for each start by the file itself. */
let journal: string;
let port: number;

/** A stand-in for an AppImage: a single file that is the program, from which the real desktop runs. */
const programOf = async (name: string, programs: string): Promise<Buffer> => {
  const { executable } = await electronRuntime();
  const debugging = `--remote-debugging-port=${port}`;
  return Buffer.from(
    `#!/bin/sh\necho "${name} $*" >> "${journal}"\n` +
      `exec "${executable}" --no-sandbox "${programs}/desktop.mjs" --lang=en-US ${debugging}\n`,
  );
};

beforeAll(async () => {
  await mkdir(pictures, { recursive: true });
  machine = resources.use(await openDesktopMachine());
  const folder = resources.use(await temporaryFolder('programs of Eva é'));
  const served = resources.use(await temporaryFolder('releases'));
  server = resources.use(await openReleaseServer(served.path));
  journal = join(folder.path, 'journal');
  appImage = join(folder.path, 'Castellan.AppImage');
  port = await freePort();
  await writeFile(
    join(machine.programs, 'update-source.json'),
    JSON.stringify({ url: server.url, publicKeys: [server.publicKey] }),
  );
  programsOfNewer = `${machine.programs}-newer`;
  await cp(machine.programs, programsOfNewer, { recursive: true });
  resources.defer(() => rm(programsOfNewer, { recursive: true, force: true }));
  // Stops what a failed test has left running.
  resources.defer(quit);
  const bundle = join(programsOfNewer, 'desktop.mjs');
  const source = await readFile(bundle, 'utf8');
  await writeFile(bundle, source.replaceAll(version, newer));
  const installed = await programOf('installed', machine.programs);
  await writeFile(appImage, installed);
  await chmod(appImage, 0o755);
  await server.publish({ version, installer: installed });
}, 180_000);

afterAll(() => resources.disposeAsync(), 120_000);

const start = (locale = 'en-US') => machine.start({ env: { APPIMAGE: appImage }, locale });
const ask = (page: Page) => askDesktop(page, 'updates.state');
const record = async () =>
  JSON.parse(await readFile(join(machine.config, 'Castellan', 'updates', 'updates.json'), 'utf8'));

/** The desktop that runs from the file itself, started by the previous one. */
const reach = (): Promise<AsyncDisposable & { readonly page: Page }> =>
  // Retries everything: at first it may reach the previous one, which has replaced its file and is about to end.
  eventually(async () => {
    await using opening = new AsyncDisposableStack();
    // The ending one may still accept the connection and never answer.
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`, { timeout: 10_000 });
    opening.defer(() => browser.close());
    const page = browser.contexts()[0]?.pages()[0];
    if (!page) throw new Error('there is no page yet');
    await ask(page);
    const owned = opening.move();
    return { page, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  }, patienceMs);

const until = (page: Page, check: (state: UpdatesState) => void) =>
  eventually(async () => {
    const state = await ask(page);
    check(state);
    return state;
  }, patienceMs);

// Guarantee: an update is found, described as text, downloaded with its progress, and ready; a forged one is refused in
// plain words; when checks are off, nothing is requested. The page is accessible, in both color schemes and on a phone.
test('found, refused, downloaded', async () => {
  await using desktop = await start();
  const page = await desktop.page();
  await beLicensed(page, machine.licenseKey);
  await page.goto('castellan://panel/index.html#/computer/updates');
  const section = page.getByRole('region', { name: 'Updates' });
  await section.getByText(version, { exact: true }).waitFor();

  const looksForThem = section.getByRole('switch', { name: 'Check for new versions' });
  await looksForThem.click();
  // The switch changes once the setting is on the disk; until then, another click would repeat the same change.
  await section.getByRole('switch', { name: 'Check for new versions', checked: false }).waitFor();
  server.asked.length = 0;
  await expect(askDesktop(page, 'updates.check')).rejects.toThrow('turned off');
  expect(server.asked).toEqual([]);
  await looksForThem.click();

  await section.getByRole('button', { name: 'Check now' }).click();
  await section.getByText('Castellan is up to date.').waitFor();

  const installer = await programOf('newer', programsOfNewer);
  await server.publish({ version: newer, installer, keys: [] });
  await section.getByRole('button', { name: 'Check now' }).click();
  await section
    .getByRole('alert')
    .getByText(/not signed by the makers of Castellan/)
    .waitFor();
  await page.screenshot({ path: join(pictures, 'updates-forged.png') });

  const notes = 'Faster starts.\n\n<img src=x onerror="document.title=1"> is shown as it is.';
  await server.publish({ version: newer, installer, notes });
  await section.getByRole('button', { name: 'Check now' }).click();
  await section.getByText(`Castellan ${newer} is available`).waitFor();
  await section.getByText(/is shown as it is/).waitFor();
  expect(await page.locator('img[src=x]').count()).toBe(0);

  const path = `/${newer}/Castellan-${newer}.AppImage`;
  const half = Promise.withResolvers<void>();
  server.instead(path, (response) => {
    response.writeHead(200, { 'Content-Length': installer.length });
    response.write(installer.subarray(0, installer.length / 2), () => half.resolve());
  });
  await section.getByRole('button', { name: 'Download' }).click();
  await half.promise;
  await section.getByRole('progressbar').waitFor();
  await section.getByRole('button', { name: 'Cancel' }).click();
  await section.getByRole('button', { name: 'Download' }).waitFor();
  server.instead(path, null);
  await section.getByRole('button', { name: 'Download' }).click();
  await section.getByRole('button', { name: 'Restart and update' }).waitFor();

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(pictures, `updates-${colorScheme}.png`) });
    expect(await axeViolations(page)).toEqual([]);
  }
  await page.setViewportSize({ width: 380, height: 800 });
  await page.screenshot({ path: join(pictures, 'updates-narrow.png'), fullPage: true });
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
});

// Guarantee: the tray looks for updates and shows the result.
test('asked from the tray', async () => {
  await using desktop = await start();
  await untilState(await desktop.page(), 'running');
  await desktop.app.evaluate(({ dialog }) => {
    const said: unknown[] = [];
    Object.assign(globalThis, { said });
    dialog.showMessageBox = async (options: unknown) => {
      said.push(options);
      return { response: 1, checkboxChecked: false };
    };
  });
  await askDesktop(await desktop.page(), 'updates.change', { mode: 'ask' });
  await server.publish({ version: newer, installer: await programOf('newer', programsOfNewer) });
  await machine.tray.click('Check for updates');
  await eventually(async () => {
    const said = await desktop.app.evaluate(() => (globalThis as { said?: unknown }).said);
    expect(said).toMatchObject([
      { message: `Castellan ${newer} is available.`, buttons: ['Show it', 'Later'] },
    ]);
  }, patienceMs);
});

// Guarantee: nothing is installed while a process of ours is left; the program comes back unchanged and names that process.
test('a process that does not end', slow, async () => {
  await using desktop = await start('pt-BR');
  const page = await desktop.page();
  await untilState(page, 'running');
  const guardian = await guardianOf(await desktop.processes());
  process.kill(guardian, 'SIGSTOP');
  try {
    await beReady(page);
    await page.evaluate("location.hash = '#/computer/updates'");
    await page.getByRole('button', { name: 'Reiniciar e atualizar' }).waitFor();
    await page.screenshot({ path: join(pictures, 'updates-pt-BR.png') });
    await askDesktop(page, 'updates.install');
    expect(await desktop.ended).toBe(0);
  } finally {
    process.kill(guardian, 'SIGCONT');
  }
  await using again = await reach();
  await until(again.page, ({ installed, outcome }) => {
    expect(installed).toBe(version);
    expect(outcome).toMatchObject({ kind: 'not-installed', to: newer });
    expect(outcome?.detail).toBe(`Still running: guardian (process ${guardian}).`);
  });
  await untilState(again.page, 'running');
  await askDesktop(again.page, 'updates.dismiss');
  await quit();
});

// Guarantee: an update is installed after a backup, when everything has ended, by replacing the file atomically; the new
// version proves that it runs; on request the old version comes back with the current data; the backup is restored on request,
// and the data that it replaces is kept.
test('updated, and gone back', slow, async () => {
  const before = await readFile(appImage);
  {
    await using desktop = await start();
    const page = await desktop.page();
    await beLicensed(page, machine.licenseKey);
    await beReady(page);
    await askDesktop(page, 'updates.install');
    expect(await desktop.ended).toBe(0);
  }
  await eventually(async () => expect(await readFile(appImage)).not.toEqual(before), patienceMs);
  // Read from the disk: when the page is reached, the new version may already have been healthy for long enough.
  await eventually(
    async () => expect(await record()).toMatchObject({ pending: { from: version, to: newer, starts: 1 } }),
    patienceMs,
  );
  {
    await using desktop = await reach();
    await until(desktop.page, ({ installed, wayBack }) => {
      expect(installed).toBe(newer);
      expect(wayBack).toBe(version);
    });
    await untilState(desktop.page, 'running');
    await until(desktop.page, ({ outcome }) => expect(outcome?.kind).toBe('updated'));
    const outcome = await eventually(async () => {
      const kept = await record();
      expect(kept.pending).toBeNull();
      return kept.outcome;
    }, patienceMs);
    expect(await readFile(join(outcome.backup, 'PG_VERSION'), 'utf8')).toBe('18\n');
    await askDesktop(desktop.page, 'updates.goBack');
  }
  await eventually(async () => expect(await readFile(appImage)).toEqual(before), patienceMs);
  await using desktop = await reach();
  await until(desktop.page, ({ installed, outcome }) => {
    expect(installed).toBe(version);
    expect(outcome).toMatchObject({ kind: 'went-back', from: newer, to: version });
  });
  await untilState(desktop.page, 'running');
  await desktop.page.evaluate("location.hash = '#/computer/updates'");
  const section = desktop.page.getByRole('region', { name: 'Updates' });
  await section.getByText(`Castellan went back from ${newer} to ${version}.`).waitFor();
  await section.getByRole('button', { name: 'Restore backup' }).click();
  await desktop.page
    .getByRole('dialog')
    .getByText(/set aside, not deleted/)
    .waitFor();
  expect(await axeViolations(desktop.page)).toEqual([]);
  await desktop.page.screenshot({ path: join(pictures, 'updates-went-back.png') });
  await desktop.page.keyboard.press('Escape');
  // As if the restored version could not read the data.
  await askDesktop(desktop.page, 'stack.stop');
  await desktop.page.reload();
  await desktop.page.getByRole('button', { name: 'Restore backup' }).click();
  const question = desktop.page.getByRole('dialog');
  await question.getByText(/set aside, not deleted/).waitFor();
  await desktop.page.screenshot({ path: join(pictures, 'updates-rescue.png'), fullPage: true });
  expect(await axeViolations(desktop.page)).toEqual([]);
  await question.getByRole('button', { name: 'Restore backup' }).click();
  const { outcome } = await until(desktop.page, (state) => expect(state.outcome?.backup).toBeNull());
  expect(outcome).toMatchObject({ kind: 'went-back', backup: null });
  expect(await readFile(join(outcome?.detail ?? '', 'PG_VERSION'), 'utf8')).toBe('18\n');
  await untilState(desktop.page, 'running');
  await askDesktop(desktop.page, 'updates.check');
  await until(desktop.page, ({ offer, isKnownUnhealthy }) => {
    expect(offer?.version).toBe(newer);
    expect(isKnownUnhealthy).toBe(true);
  });
  const starts = (await readFile(journal, 'utf8')).trim().split('\n');
  expect(starts.map((line) => line.split(' ')[0]).slice(-2)).toEqual(['newer', 'installed']);
});

/** Quits whichever desktop runs now. */
const quit = async (): Promise<void> => {
  await machine.startAgain(['--quit']);
  await eventually(async () => expect(await machine.processes()).toEqual([]), patienceMs);
};

/** Downloads the newer version, regardless of what an earlier test has left. */
const beReady = async (page: Page): Promise<void> => {
  await server.publish({ version: newer, installer: await programOf('newer', programsOfNewer) });
  await askDesktop(page, 'updates.change', { mode: 'ask' });
  await askDesktop(page, 'updates.check');
  const { step } = await ask(page);
  if (step === 'found') await askDesktop(page, 'updates.download');
  await until(page, (state) => expect(state.step).toBe('ready'));
};

const guardianOf = async (pids: readonly number[]): Promise<number> => {
  for (const pid of pids) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes('guardian.mjs')) return pid;
  }
  throw new Error('there is no guardian');
};
