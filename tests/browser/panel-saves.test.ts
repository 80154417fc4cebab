// @module-tag browser

import { afterAll, beforeAll, expect, test } from 'vitest';
import { rolesHttp } from '#contracts/roles.ts';
import { axeViolations, overflows } from '#harness/browser.ts';
import { button, openSavesPanel, type SavesPanel, shot, told } from '#harness/saves-panel.ts';
import type { TestPanel } from '#harness/test-panel.ts';
import { backupNamed, listOf } from '../../server/saves/testing/saves-agent.ts';

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

// Guarantee: a backup is begun once however often one clicks, is followed by step, bytes and percent, also in another tab and after
// one was elsewhere; a screen reader hears of its steps alone; its notes are told in words and opened by the keyboard.
test('a backup', async () => {
  const { agent, path } = await withSaves('Fjord');
  using _ = agent;
  const page = await panel.page({ path });
  await page.getByText('There is no backup yet').waitFor();
  await page.getByText('"nightlyAt": "04:30"').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await shot(page, 'saves-empty');

  await button(page, backup.action).dblclick();
  const { id, task } = await agent.nextTask();
  expect(task).toEqual({ kind: 'backup-saves' });
  await told(page).getByText('waiting for the Game Agent').waitFor();
  // Where a button is disabled, it loses the focus.
  await button(page, backup.action).and(page.locator(':focus')).waitFor();
  agent.power.progress(id, { step: 'Copying the saves', done: 1_200_000_000, total: 4_800_000_000 });
  await page.getByText('1.2 GB of 4.8 GB, 25%').waitFor();
  expect(await told(page).textContent()).toBe('A backup is being made: the worlds are copied');
  const bar = page.getByRole('progressbar', { name: 'How far it is' });
  expect(await bar.getAttribute('aria-valuenow')).toBe('25');
  expect(await axeViolations(page)).toEqual([]);
  await shot(page, 'saves-copying');

  const second = await panel.page({ path, look: 'dark' });
  await second.getByText('1.2 GB of 4.8 GB, 25%').waitFor();
  expect(await button(second, backup.action).getAttribute('aria-disabled')).toBe('true');
  await page.getByRole('tab', { name: 'Overview' }).click();
  await page.getByRole('tab', { name: 'Saves' }).click();
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
  const row = page.getByRole('row', { name: /wrote to these files/ });
  await row.getByText('region/r.0.0.mca, level.dat and 3 more').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await shot(page, 'saves-notes');
  await Promise.all([page.close(), second.close()]);
});

// Guarantee: a backup can be cancelled while it is made; the focus is not lost with the button that goes.
test('cancelled', async () => {
  const { agent, path } = await withSaves('Reef', { list: listOf(newer) });
  using _ = agent;
  const page = await panel.page({ path });
  await button(page, backup.action).press('Enter');
  const { id } = await agent.nextTask();
  agent.power.progress(id, { step: 'Copying the saves', done: 1, total: 100 });
  await button(page, 'Cancel').press('Enter');
  await expect.poll(() => agent.power.cancelled, { timeout: 30_000 }).toContain(id);
  await told(page).getByText('It was cancelled').waitFor();
  await told(page).and(page.locator(':focus')).waitFor();
  agent.power.end(id, 'cancelled');
  await page.getByText('Backup – Cancelled').waitFor();
  await told(page).getByText('Backed up').waitFor();
  await shot(page, 'saves-cancelled');
  await page.close();
});

// Guarantee: where the answer of the API is lost, a second click asks for the same backup and not for another one; each backup has
// a key of its own.
test('an answer that is lost', async () => {
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
  await page.getByText('The API does not answer at the moment.').waitFor();
  isLost = false;
  await button(page, backup.action).click();
  await told(page).getByText('A backup is being made').waitFor();
  const { id } = await agent.nextTask();
  expect(keys).toEqual([expect.stringMatching(/^[\w-]{20,}$/), keys[0]]);
  agent.power.end(id, 'done');
  await page.getByText('Backup – Done').waitFor();
  await button(page, backup.action).click();
  await agent.nextTask();
  expect(agent.tasks).toHaveLength(2);
  expect(keys).toHaveLength(3);
  expect(keys[2]).not.toBe(keys[0]);
  await page.close();
});

// Guarantee: what failed is said with the agent's reason, the last night's failure too, and nothing calls it backed up.
test('failures', async () => {
  const last = { at: new Date().toISOString(), isTaken: false, detail: 'No saved world was found.' };
  const { agent, path } = await withSaves('Shoal', {
    list: { ...listOf(older), nightly: { atMinute: 270, last } },
  });
  using _ = agent;
  const page = await panel.page({ path });
  await told(page).getByText('The last nightly backup failed').waitFor();
  await page.getByText('about 04:30, by the clock of the game’s machine').waitFor();
  await page.getByText('No saved world was found.').waitFor();
  await button(page, backup.action).click();
  agent.power.end((await agent.nextTask()).id, 'failed', 'The disk is full. Make room there and try again.');
  await page.getByText('The disk is full. Make room there and try again.').waitFor();
  await told(page).getByText('The last backup failed').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await shot(page, 'saves-failed');
  await page.close();
});

// Guarantee: while the agent is away, what it told last is shown with its time and nothing can be asked for; on a phone nothing is
// wider than the screen, and it all stands in Portuguese.
test('an agent that is away', async () => {
  const { agent, path } = await withSaves('Atoll', { list: listOf(newer, older) });
  agent[Symbol.dispose]();
  const page = await panel.page({ path, look: 'phone', locale: 'pt-BR' });
  await page.getByText('O agente está ausente. Situação de').waitFor();
  await page.getByRole('alert').getByText('nenhum está conectado a este servidor').waitFor();
  await page.getByText('5 MB · 2 MB no disco · 12 arquivos').first().waitFor();
  expect(await page.getByRole('row').count()).toBe(3);
  expect(await button(page, 'Fazer backup agora').isEnabled()).toBe(false);
  expect(await page.getByRole('button', { name: /^Restaurar/ }).evaluateAll((all) => all.length)).toBe(2);
  for (const restore of await page.getByRole('button', { name: /^Restaurar/ }).all())
    expect(await restore.isEnabled()).toBe(false);
  expect(await overflows(page)).toBe(false);
  expect(await axeViolations(page)).toEqual([]);
  await shot(page, 'saves-away-phone-pt');
  await page.close();
});

// Guarantee: an agent of an old version, and a machine that does not let its files be replaced, are told with what to do there.
test('an old agent, and a machine that forbids it', async () => {
  const old = await withSaves('Cove', { machine: { tasks: ['power'] } });
  using _old = old.agent;
  const page = await panel.page({ path: old.path });
  await page.getByText('Install the agent that this version of Castellan offers.').waitFor();
  await page.getByRole('link', { name: 'To the server’s Game Agent' }).waitFor();
  expect(await button(page, backup.action).isEnabled()).toBe(false);
  expect(await axeViolations(page)).toEqual([]);
  await shot(page, 'saves-old');

  const forbidden = await withSaves('Holm', {
    list: listOf(newer),
    machine: { allows: { power: true, files: false, mods: false } },
  });
  using _forbidden = forbidden.agent;
  const dark = await panel.page({ path: forbidden.path, look: 'dark' });
  await dark.getByText('castellan-agent setup').waitFor();
  expect(await button(dark, backup.action).isEnabled()).toBe(true);
  const restore = dark.getByRole('button', { name: /^Restore the backup/ });
  expect(await restore.isEnabled()).toBe(false);
  expect(await restore.getAttribute('title')).toContain('does not let Castellan replace its files');
  expect(await axeViolations(dark)).toEqual([]);
  await shot(dark, 'saves-forbidden-dark');
  await Promise.all([page.close(), dark.close()]);
});

// Guarantee: one who may only see backups finds them without buttons, and one who may not see them finds no such part.
test('people who may less', async () => {
  const { agent, path } = await withSaves('Skerry', { list: listOf(newer) });
  using _ = agent;
  const seeing = await panel.call(rolesHttp.create, {
    body: { name: 'Watch', permissions: ['servers.read', 'saves.read'] },
  });
  const page = await panel.page({ path, as: await panel.newAdmin({ role: seeing.id }) });
  await page.getByText('that needs the permission “saves.write”').waitFor();
  await page.getByRole('row', { name: /Nov 22, 2026/ }).waitFor();
  expect(await page.getByRole('button', { name: /Back up|Restore/ }).count()).toBe(0);
  expect(await axeViolations(page)).toEqual([]);
  await shot(page, 'saves-may-see');
  const blind = await panel.call(rolesHttp.create, {
    body: { name: 'Gate', permissions: ['servers.read'] },
  });
  const theirs = await panel.page({ path, as: await panel.newAdmin({ role: blind.id }) });
  await theirs.getByText('“saves.read”').waitFor();
  await Promise.all([page.close(), theirs.close()]);
});

// Guarantee: the palette leads to the question of a backup, by the keyboard alone, and a link to it does nothing by itself.
test('the palette', async () => {
  const { agent } = await withSaves('Lagoon', { list: listOf(newer) });
  using _ = agent;
  const page = await panel.page({ path: '/' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type('back up lagoon');
  await page.getByRole('option', { name: 'Back up saves of Lagoon' }).waitFor();
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: 'Back up the saves of Lagoon?' });
  await question.waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await shot(page, 'saves-question');
  expect(agent.tasks).toHaveLength(0);
  await question.getByRole('button', { name: 'Back up', exact: true }).press('Enter');
  expect((await agent.nextTask()).task).toEqual({ kind: 'backup-saves' });
  await question.waitFor({ state: 'hidden' });
  expect(page.url()).not.toContain('save=');
  await page.close();
});
