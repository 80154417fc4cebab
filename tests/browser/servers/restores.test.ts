import { afterAll, beforeAll, expect, test } from 'vitest';
import { typeSignIn } from '#harness/api-panel.ts';
import { overflows, pressInDialog } from '#harness/browser.ts';
import { expectAccessible, lookOfTier } from '#harness/every-look.ts';
import { button, openSavesPanel, type SavesPanel, shot, told } from '#harness/saves-panel.ts';
import type { TestPanel } from '#harness/test-panel.ts';
import {
  listOf,
  type SavesAgentOptions,
  savesKinds,
} from '../../../server/servers/saves/testing/saves-agent.ts';

let panel: TestPanel;
let withSaves: SavesPanel['withSaves'];
beforeAll(async () => {
  ({ panel, withSaves } = await openSavesPanel());
});
afterAll(async () => {
  const faults = [...panel.faults()];
  await panel[Symbol.asyncDispose]();
  expect(faults).toEqual([]);
});

const older = '2026-11-21T04-30-12Z';
const newer = '2026-11-22T04-31-40Z';
const waiting = (backup: string) => ({ ...listOf(newer, older), unconfirmed: backup });
const running = { state: 'running', wanted: 'running', pid: 4711, upMs: 90_000 } as const;

const withBackups = (name: string, options: SavesAgentOptions = {}) =>
  withSaves(name, { list: listOf(newer, older), ...options });

// Guarantee: a restore asks everything in one dialog, without a typed name, and after a step-up stops the game, restores and starts
// by itself; then it waits for a decision, and an undo asks in the same way and says where the restored files are.
test('a restore, and its undo', async () => {
  const { agent, path } = await withBackups('Fjord', {
    process: running,
  });
  using _ = agent;
  const page = await panel.page({ as: null, path });
  await typeSignIn(page, panel.info.admin);
  const begin = page.getByRole('button', { name: /^Restore the backup from Nov 21/ });
  await begin.press('Enter');
  const dialog = page.getByRole('dialog', { name: /^Restore the backup from Nov 21/ });
  await dialog.getByText(/^Castellan stops the server/).waitFor();
  expect(await dialog.getByLabel(/^Type the server’s name/).count()).toBe(0);
  await expectAccessible(page);
  await shot(page, 'restores-running');
  await dialog.getByLabel('Announcement').selectOption({ label: 'None, immediately' });
  await dialog.getByRole('button', { name: 'Restore', exact: true }).press('Enter');
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await proof.getByRole('textbox', { name: 'Password' }).fill(panel.info.admin.password);
  await expectAccessible(page);
  await shot(page, 'restores-proof');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  const stop = await agent.nextTask();
  expect(stop.task).toMatchObject({ kind: 'power', action: 'stop', countdown: null });
  await page.getByText(/^Step 1 of 3/).waitFor();
  await shot(page, 'restores-stopping');
  agent.power.tell({ state: 'stopped', wanted: 'stopped', pid: null, upMs: null });
  agent.power.end(stop.id, 'done');
  const restore = await agent.nextTask();
  expect(restore.task).toEqual({ kind: 'restore-saves', backup: older });
  agent.power.progress(restore.id, { step: 'Unpacking the backup', done: 1_000_000, total: 5_000_000 });
  await page.getByText('1 MB of 5 MB, 20%').waitFor();
  await told(page).getByText('Restoring backup: Unpacking and checking the backup').waitFor();
  await expectAccessible(page);
  await shot(page, 'restores-unpacking');
  agent.list = waiting(older);
  agent.power.end(restore.id, 'done');
  const start = await agent.nextTask();
  expect(start.task).toMatchObject({ kind: 'power', action: 'start' });
  agent.power.end(start.id, 'failed', 'The port is taken.');
  await page.getByText('Restored, but the server could not be started').waitFor();

  await told(page).getByText('Restored. Check the game, then keep these worlds or undo.').waitFor();
  await page.getByRole('region', { name: 'A restore is waiting for your decision' }).waitFor();
  await page.getByText('Restored, waiting for your decision').waitFor();
  expect(await begin.isEnabled()).toBe(false);
  await expectAccessible(page);
  await shot(page, 'restores-waits');
  await button(page, 'Undo restore …').press('Enter');
  const undoing = page.getByRole('dialog', { name: 'Undo restore?' });
  await expectAccessible(page);
  await shot(page, 'restores-undo');
  await undoing.getByRole('button', { name: 'Undo restore' }).press('Enter');
  const undo = await agent.nextTask();
  expect(undo.task).toEqual({ kind: 'undo-restore', backup: older });
  agent.list = listOf(newer, older);
  const left =
    'What was restored, and what the game wrote since, is kept until the next restore is confirmed or undone: /srv/.world';
  agent.power.end(undo.id, 'done', left);
  await page.getByText('Undo restore – Done').waitFor();
  await page.getByText('until you decide about the next restore: /srv/.world').waitFor();
  await told(page).getByText('Backed up').waitFor();
  expect(await button(page, 'Undo restore …').count()).toBe(0);
  await page.close();
});

// Guarantee: the previous worlds are deleted only after a question with the focus on "Cancel", also while the game runs; the focus
// is not lost with the card.
test('the restored worlds are kept', async () => {
  const { agent, path } = await withBackups('Reef', {
    list: waiting(newer),
    process: running,
  });
  using _ = agent;
  const page = await panel.page({ path, look: lookOfTier('dark') });
  await button(page, 'Keep worlds …').press('Enter');
  const question = page.getByRole('dialog', { name: 'Keep the restored worlds?' });
  await question.getByText('This deletes the worlds from before the restore').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
  await expectAccessible(page);
  await shot(page, 'restores-keep-dark');
  await page.keyboard.press('Enter');
  await question.waitFor({ state: 'hidden' });
  expect(agent.tasks).toHaveLength(0);
  await button(page, 'Keep worlds …').and(page.locator(':focus')).press('Enter');
  await pressInDialog(question, 'Delete old worlds');
  const { id, task } = await agent.nextTask();
  expect(task).toEqual({ kind: 'confirm-restore', backup: newer });
  await told(page).getByText('Deleting the previous worlds').waitFor();
  agent.list = listOf(newer, older);
  agent.power.end(id, 'done');
  await page.getByText('Keep restored worlds – Done').waitFor();
  await button(page, 'Keep worlds …').waitFor({ state: 'detached' });
  await told(page).and(page.locator(':focus')).waitFor();
  await shot(page, 'restores-kept-dark');
  await page.close();
});

// Guarantee: a refusal of the API, such as for another server's name, is shown in the dialog, which keeps the typed values; a
// refusal of the agent is shown with its reason.
test('refusals', { tags: ['night'] }, async () => {
  // One that cannot undo a restore: the name has to be typed.
  const tasks = savesKinds.filter((kind) => kind !== 'undo-restore');
  const { agent, path } = await withBackups('Atoll', { machine: { tasks } });
  using _ = agent;
  const page = await panel.page({ path });
  const isAct = (url: URL) => url.pathname.endsWith('/saves/runs');
  await page.route(isAct, (route) =>
    route.request().method() === 'POST'
      ? route.continue({ postData: route.request().postData()?.replace('Atoll', 'Reef') ?? '' })
      : route.fallback(),
  );
  await page.getByRole('button', { name: /^Restore the backup from Nov 22/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Type the server’s name/).fill('Atoll');
  await button(page, 'Restore').click();
  await dialog.getByText('Enter the server’s name exactly as shown.').waitFor();
  await dialog.getByText('You entered a different name.').waitFor();
  expect(await dialog.getByLabel(/^Type the server’s name/).inputValue()).toBe('Atoll');
  await expectAccessible(page);
  await shot(page, 'restores-refused');
  expect(agent.tasks).toHaveLength(0);
  await page.unroute(isAct);
  await button(page, 'Restore').click();
  agent.power.end((await agent.nextTask()).id, 'refused', 'The backup’s file level.dat is damaged.');
  await page.getByText('Restore – Rejected by the Game Agent').waitFor();
  await page.getByText('The backup’s file level.dat is damaged.').waitFor();
  await told(page).getByText('The restore failed').waitFor();
  await page.close();
});

// Guarantee: on a phone and in Portuguese, dialogs and the decision fit the screen.
test('a phone', { tags: ['night'] }, async () => {
  const { agent, path } = await withBackups('Baía', {
    list: waiting(older),
    process: running,
  });
  using _ = agent;
  const page = await panel.page({ path, look: lookOfTier('dark phone'), locale: 'pt-BR' });
  await page.getByRole('region', { name: 'Uma restauração espera sua decisão' }).waitFor();
  expect(await overflows(page)).toBe(false);
  await expectAccessible(page);
  await shot(page, 'restores-waits-phone-pt');
  await button(page, 'Desfazer restauração …').click();
  const dialog = page.getByRole('dialog', { name: 'Desfazer restauração?' });
  await dialog.getByText(/^O Castellan desliga o servidor/).waitFor();
  expect(await overflows(page)).toBe(false);
  await expectAccessible(page);
  await shot(page, 'restores-undo-phone-pt');
  await page.close();
});
