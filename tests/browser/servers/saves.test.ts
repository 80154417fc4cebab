import { afterAll, beforeAll, expect, test } from 'vitest';
import { rolesHttp } from '#contracts/identity/roles.ts';
import { overflows, pressInDialog } from '#harness/browser.ts';
import { expectAccessible, lookOfTier } from '#harness/every-look.ts';
import { button, openSavesPanel, type SavesPanel, shot, told } from '#harness/saves-panel.ts';
import type { TestPanel } from '#harness/test-panel.ts';
import { backupNamed, listOf, savesKinds } from '../../../server/servers/saves/testing/saves-agent.ts';

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
const backup = { action: 'Back up now', at: '2026-11-23T18-00-00Z' };
const isSaves = ({ pathname }: URL) => pathname.endsWith('/saves');

// Guarantee: several clicks start one backup, which is followed by step, bytes and percent, also in another tab and after leaving the
// page; a screen reader announces only its steps; its notes are worded and open by keyboard.
test('a backup', async () => {
  const { agent, path } = await withSaves('Fjord');
  using _ = agent;
  const page = await panel.page({ path });
  await page.getByText('No backups yet').waitFor();
  await page.getByText('"nightlyAt": "04:30"').waitFor();
  await expectAccessible(page);
  await shot(page, 'saves-empty');

  await button(page, backup.action).dblclick();
  const { id, task } = await agent.nextTask();
  expect(task).toEqual({ kind: 'backup-saves' });
  await told(page).getByText('Waiting for the Game Agent').waitFor();
  // A disabled button would lose the focus.
  await button(page, backup.action).and(page.locator(':focus')).waitFor();
  agent.power.progress(id, { step: 'Copying the saves', done: 1_200_000_000, total: 4_800_000_000 });
  await page.getByText('1.2 GB of 4.8 GB, 25%').waitFor();
  expect(await told(page).textContent()).toBe('Creating backup: Copying the worlds');
  const bar = page.getByRole('progressbar', { name: 'Progress' });
  expect(await bar.getAttribute('aria-valuenow')).toBe('25');
  await expectAccessible(page);
  await shot(page, 'saves-copying');

  const second = await panel.page({ path, look: lookOfTier('dark') });
  await second.getByText('1.2 GB of 4.8 GB, 25%').waitFor();
  expect(await button(second, backup.action).getAttribute('aria-disabled')).toBe('true');
  await page.getByRole('tab', { name: 'Overview' }).click();
  await page.getByRole('tab', { name: 'Worlds' }).click();
  await page.getByText('1.2 GB of 4.8 GB, 25%').waitFor();
  expect(agent.tasks).toHaveLength(1);
  await shot(second, 'saves-copying-dark');

  const notes = ['The game changed files while they were copied: region/r.0.0.mca, level.dat and 3 more.'];
  const made = backupNamed(backup.at, { notes });
  agent.list = { ...listOf(), backups: [made] };
  agent.power.end(id, 'done', notes.join(' '), { backup: made });
  for (const tab of [page, second]) {
    await tab.getByText('Backup – Done').waitFor();
    await told(tab).getByText('Backed up').waitFor();
  }
  await page.getByRole('row', { name: /Nov 23, 2026/ }).waitFor();
  await button(page, '1 note').press('Enter');
  const row = page.getByRole('row', { name: /changed these files during the backup/ });
  await row.getByText('region/r.0.0.mca, level.dat and 3 more').waitFor();
  await expectAccessible(page);
  await shot(page, 'saves-notes');
  await Promise.all([page.close(), second.close()]);
});

// Guarantee: a backup can be cancelled while it runs; the focus is not lost with the removed button.
test('cancelled', async () => {
  const { agent, path } = await withSaves('Reef', { list: listOf(newer) });
  using _ = agent;
  const page = await panel.page({ path });
  await button(page, backup.action).press('Enter');
  const { id } = await agent.nextTask();
  agent.power.progress(id, { step: 'Copying the saves', done: 1, total: 100 });
  await button(page, 'Cancel').press('Enter');
  await expect.poll(() => agent.power.cancelled, { timeout: 30_000 }).toContain(id);
  await told(page).getByText('Cancelled.').waitFor();
  await told(page).and(page.locator(':focus')).waitFor();
  agent.power.end(id, 'cancelled');
  await page.getByText('Backup – Cancelled').waitFor();
  await told(page).getByText('Backed up').waitFor();
  await shot(page, 'saves-cancelled');
  await page.close();
});

// Guarantee: if the API's answer is lost, the same backup is requested until it answers, and not another one; each backup has its
// own key.
test('an answer that is lost', { tags: ['night'] }, async () => {
  const { agent, path } = await withSaves('Sound', { list: listOf(newer) });
  using _ = agent;
  const page = await panel.page({ path });
  await told(page).getByText('Backed up').waitFor();
  const keys: (string | undefined)[] = [];
  let isLost = true;
  await page.route(isSaves, async (route) => {
    const request = route.request();
    if (request.method() === 'POST') {
      keys.push(request.headers()['idempotency-key']);
      if (isLost) await route.fetch();
    }
    await (isLost ? route.abort() : route.continue());
  });
  await button(page, backup.action).click();
  await page.getByText('Not saved yet').waitFor();
  isLost = false;
  await told(page).getByText('Creating backup').waitFor();
  const { id } = await agent.nextTask();
  await expect.poll(() => keys.length, { timeout: 30_000 }).toBeGreaterThan(1);
  expect(keys[0]).toMatch(/^[\w-]{20,}$/);
  expect(new Set(keys).size).toBe(1);
  agent.power.end(id, 'done');
  await page.getByText('Backup – Done').waitFor();
  await button(page, backup.action).click();
  await agent.nextTask();
  expect(agent.tasks).toHaveLength(2);
  expect(new Set(keys).size).toBe(2);
  await page.close();
});

// Guarantee: a failure is shown with the agent's reason, the last night's failure too, and nothing says it was backed up.
test('failures', { tags: ['night'] }, async () => {
  const last = { at: new Date().toISOString(), isTaken: false, detail: 'No saved world was found.' };
  const { agent, path } = await withSaves('Shoal', {
    list: { ...listOf(older), nightly: { atMinute: 270, last } },
  });
  using _ = agent;
  const page = await panel.page({ path });
  await told(page).getByText('The last nightly backup failed').waitFor();
  await page.getByText('Around 04:30, by the clock of the game’s machine').waitFor();
  await page.getByText('No saved world was found.').waitFor();
  await button(page, backup.action).click();
  agent.power.end((await agent.nextTask()).id, 'failed', 'The disk is full. Make room there and try again.');
  await page.getByText('The disk is full. Free up space and try again.').waitFor();
  await told(page).getByText('The last backup failed').waitFor();
  await expectAccessible(page);
  await shot(page, 'saves-failed');
  await page.close();
});

// Guarantee: while the agent is offline, its last report is shown with its time and nothing can be requested; on a phone nothing is
// wider than the screen, and everything is in Portuguese.
test('an agent that is away', { tags: ['night'] }, async () => {
  const { agent, path } = await withSaves('Atoll', { list: listOf(newer, older) });
  agent[Symbol.dispose]();
  const page = await panel.page({ path, look: 'phone', locale: 'pt-BR' });
  await page.getByText('O agente de jogo está offline. Situação de').waitFor();
  await page.getByRole('alert').getByText('nenhum está conectado para este servidor').waitFor();
  await page.getByText('5 MB · 2 MB em disco · 12 arquivos').first().waitFor();
  expect(await page.getByRole('row').count()).toBe(3);
  expect(await button(page, 'Fazer backup agora').isEnabled()).toBe(false);
  expect(await page.getByRole('button', { name: /^Restaurar/ }).evaluateAll((all) => all.length)).toBe(2);
  for (const restore of await page.getByRole('button', { name: /^Restaurar/ }).all())
    expect(await restore.isEnabled()).toBe(false);
  expect(await overflows(page)).toBe(false);
  await expectAccessible(page);
  await shot(page, 'saves-away-phone-pt');
  await page.close();
});

// Guarantee: an old agent version, and a machine that does not allow restores, are shown with what to do there.
test('an old agent, and a machine that forbids it', { tags: ['night'] }, async () => {
  const old = await withSaves('Cove', { machine: { tasks: ['power'] } });
  using _old = old.agent;
  const page = await panel.page({ path: old.path });
  await page.getByText('Install the Game Agent that comes with this version of Castellan.').waitFor();
  await page.getByRole('link', { name: 'Go to Game Agent' }).waitFor();
  expect(await button(page, backup.action).isEnabled()).toBe(false);
  await expectAccessible(page);
  await shot(page, 'saves-old');

  const forbidden = await withSaves('Holm', {
    list: listOf(newer),
    machine: { allows: { power: true, files: false, mods: false } },
  });
  using _forbidden = forbidden.agent;
  const dark = await panel.page({ path: forbidden.path, look: lookOfTier('dark') });
  await dark.getByText('castellan-agent setup').waitFor();
  expect(await button(dark, backup.action).isEnabled()).toBe(true);
  const restore = dark.getByRole('button', { name: /^Restore the backup/ });
  expect(await restore.isEnabled()).toBe(false);
  expect(await restore.getAttribute('title')).toContain('does not allow Castellan to replace its files');
  await expectAccessible(dark);
  await shot(dark, 'saves-forbidden-dark');
  await Promise.all([page.close(), dark.close()]);
});

// Guarantee: a person who may only see backups gets no buttons, and one who may not see them gets no such section.
test('people who may less', { tags: ['night'] }, async () => {
  const { agent, path } = await withSaves('Skerry', { list: listOf(newer) });
  using _ = agent;
  const seeing = await panel.call(rolesHttp.create, {
    body: { name: 'Watch', permissions: ['servers.read', 'saves.read'] },
  });
  const page = await panel.page({ path, as: await panel.newAdmin({ role: seeing.id }) });
  await page.getByText('You don’t have permission to back up').waitFor();
  await page.getByRole('row', { name: /Nov 22, 2026/ }).waitFor();
  expect(await page.getByRole('button', { name: /Back up|Restore/ }).count()).toBe(0);
  await expectAccessible(page);
  await shot(page, 'saves-may-see');
  const blind = await panel.call(rolesHttp.create, {
    body: { name: 'Gate', permissions: ['servers.read'] },
  });
  const theirs = await panel.page({ path, as: await panel.newAdmin({ role: blind.id }) });
  await theirs.getByText('“saves.read”').waitFor();
  await Promise.all([page.close(), theirs.close()]);
});

// Guarantee: the palette opens the question for a backup, by keyboard alone, and a link to it does nothing by itself.
test('the palette', { tags: ['night'] }, async () => {
  const { agent } = await withSaves('Lagoon', { list: listOf(newer) });
  using _ = agent;
  const page = await panel.page({ path: '/' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type('back up lagoon');
  await page.getByRole('option', { name: 'Back up worlds of Lagoon' }).waitFor();
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: 'Back up the worlds of Lagoon?' });
  await question.waitFor();
  await expectAccessible(page);
  await shot(page, 'saves-question');
  expect(agent.tasks).toHaveLength(0);
  await pressInDialog(question, 'Back up');
  expect((await agent.nextTask()).task).toEqual({ kind: 'backup-saves' });
  await question.waitFor({ state: 'hidden' });
  expect(page.url()).not.toContain('save=');
  await page.close();
});

const least = { keep: 7, days: 30 };
const machines = { ...listOf(newer), schedule: { ...least, least, panel: null } };
const allows = { power: true, files: true, mods: false, backups: true };

// Guarantee: a machine that has not consented is shown with its one command; with its consent a schedule is set in the panel, shown as
// requested until the agent says that it does it, and refused at its field below what the machine keeps; when the consent ends, that is said.
test('a schedule', async () => {
  const { agent, path, server } = await withSaves('Lagune', { list: machines });
  using _ = agent;
  const page = await panel.page({ path });
  await page.getByText(`castellan-agent allow --backups yes --server ${server.id}`).waitFor();
  await page.getByText('No automatic backups. Keeps the newest 7 backups').waitFor();
  await expectAccessible(page);
  await shot(page, 'schedule-not-allowed');

  agent.power.tellMachine({ tasks: [...savesKinds], allows });
  await button(page, 'Edit schedule …').click();
  const dialog = page.getByRole('dialog', { name: 'Backup schedule' });
  await dialog.getByLabel('Time').fill('04:00');
  await dialog.getByLabel('Backups to keep').fill('6');
  await dialog.getByText('The game’s machine keeps at least 7.').waitFor();
  await shot(page, 'schedule-below');
  await pressInDialog(dialog, 'Save');
  expect(agent.tasks).toHaveLength(0);
  await dialog.getByLabel('Backups to keep').fill('14');
  await expectAccessible(page);
  await shot(page, 'schedule-form');
  await pressInDialog(dialog, 'Save');
  await page.getByText('Waiting for the Game Agent: every day around 04:00, keeps 14 backups').waitFor();
  const { id, task } = await agent.nextTask();
  const panels = { atMinute: 240, keep: 14, days: 30 };
  expect(task).toEqual({ kind: 'schedule-saves', schedule: panels });
  await shot(page, 'schedule-waiting');
  const nightly = { atMinute: 240, last: null };
  agent.list = { ...listOf(newer), nightly, schedule: { keep: 14, days: 30, least, panel: panels } };
  agent.power.end(id, 'done');
  await page.getByText('Every day around 04:00. Keeps the newest 14 backups').waitFor();
  await page.getByText('Waiting for the Game Agent').waitFor({ state: 'detached' });
  await shot(page, 'schedule-applied');

  agent.list = machines;
  agent.power.tellMachine({ tasks: [...savesKinds], allows: { ...allows, backups: false } });
  await page.getByText('no longer lets the panel schedule backups').waitFor();
  await expectAccessible(page);
  await shot(page, 'schedule-ended');
  await page.close();
});
