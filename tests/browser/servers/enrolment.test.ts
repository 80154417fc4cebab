import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AgentProgram, agentPrograms } from '#contracts/servers/agent-downloads.ts';
import { enrolmentsHttp } from '#contracts/servers/agent-enrolment.ts';
import { expectAccessible, lookOfTier } from '#harness/every-look.ts';

import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';
import {
  enrolledAs,
  enrolling,
  sendEnrolment,
} from '../../../server/servers/agents/testing/enrolling-agent.ts';
import { joinSocket } from '../../../server/servers/agents/testing/scripted-agent.ts';

const files: readonly AgentProgram[] = ['castellan-agent-linux-x64', 'castellan-agent-win-x64.exe'];
const sha256 = 'ab'.repeat(32);

/** Puts small files in place of the real programs. */
const addPrograms = async (folder: string): Promise<void> => {
  await mkdir(join(folder, 'agents'));
  for (const file of files) await writeFile(join(folder, 'agents', file), 'a program');
  const rest = { bytes: 9, sha256, coding: 'none' };
  const manifest = {
    files: files.map((file) => ({ file, system: agentPrograms[file], stored: file, ...rest })),
  };
  await writeFile(join(folder, 'agents', 'programs.json'), JSON.stringify(manifest));
};

let panel: TestPanel;
beforeAll(async () => {
  panel = await openTestPanel({ servers: ['Harbour', 'Lagoon', 'Quarry'], addPrograms });
}, 120_000);
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
});

const port = () => Number(new URL(panel.info.apiUrl).port);
const serverId = (name: string) => panel.info.servers.find((server) => server.name === name)?.id ?? '';

const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.CASTELLAN_TEST_PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/enrol-${name}.png`, fullPage: true });
};
const codeIn = (line: string): { readonly id: string; readonly code: string } => ({
  id: /--enrolment '([a-z0-9]+)'/.exec(line)?.[1] ?? '',
  code: /CASTELLAN_ENROLMENT_CODE ?= ?'([\w-]{22})'/.exec(line)?.[1] ?? '',
});

// Guarantee: the page makes the command and follows the agent live until its players are seen; axe finds nothing at any step.
test('a line, followed live', async () => {
  const page = await panel.page({ path: `/agents/${serverId('Harbour')}` });
  await page.getByText('Only this machine can reach Castellan at this address').waitFor();
  await picture(page, '1-before');
  await page.getByRole('button', { name: 'Create command' }).press('Enter');
  const line = page.getByRole('region', { name: 'Command' });
  const shell = (await line.textContent()) ?? '';
  expect(shell).toContain(`${panel.info.apiUrl}/api/game-agent/downloads/castellan-agent-linux-x64`);
  expect(shell).toContain(sha256);
  await page.getByText(/Valid for another 1[45]:\d\d/).waitFor();
  await page.getByText('Waiting for you to run the command').waitFor();
  await expectAccessible(page);
  await picture(page, '2-line');
  await page.getByRole('tab', { name: 'Linux' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByText('preferably as administrator').waitFor();
  const powerShell = (await line.textContent()) ?? '';
  expect(codeIn(powerShell)).toEqual(codeIn(shell));
  expect(powerShell).toContain('castellan-agent-win-x64.exe');

  const { id, code } = codeIn(shell);
  await fetch(`${panel.info.apiUrl}/api/game-agent/downloads/${files[0]}?enrolment=${id}`).then((got) =>
    got.text(),
  );
  await page.getByText('Downloaded', { exact: true }).waitFor();
  const guess = enrolling(id, 'A'.repeat(22));
  await sendEnrolment(port(), guess.request);
  await page.getByText('Not enrolled').waitFor();
  await page.getByText('Copy the whole command from the panel again').waitFor();
  await picture(page, '3-refused');
  const agent = enrolling(id, code);
  const identity = enrolledAs(agent, await sendEnrolment(port(), agent.request));
  await page.getByText('Started and verified').waitFor();
  using socket = await joinSocket(port(), identity);
  socket.send({ v: 1, type: 'heartbeat', number: 0, state: 'unknown', detail: 'No console is set up.' });
  await page.getByText('Game console not found').waitFor();
  await page.getByText('Check that Minecraft is running').waitFor();
  await expectAccessible(page);
  await picture(page, '4-console');
  socket.heartbeat(1, ['Steve', 'Alex']);
  await page.getByText('Player list received: 2 online').waitFor({ timeout: 30_000 });
  expect(await line.count()).toBe(0);
  await picture(page, '5-done');
  await expectAccessible(page);
  await page.close();
  expect(panel.faults()).toEqual([]);
});

// Guarantee: it says the same in Portuguese and in dark; a cancelled code no longer works, and the page says so.
test('cancelled, in Portuguese', async () => {
  const params = { serverId: serverId('Lagoon') };
  const page = await panel.page({
    path: `/agents/${params.serverId}`,
    locale: 'pt-BR',
    look: lookOfTier('dark'),
  });
  await page.getByRole('button', { name: 'Criar comando' }).click();
  await page.getByRole('region', { name: 'Comando' }).waitFor();
  await picture(page, '6-dark');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Cancelar comando' }).click();
  await page.getByText('Este comando expirou').waitFor();
  expect((await panel.call(enrolmentsHttp.read, { params })).enrolment?.state).toBe('ended');
  await picture(page, '7-cancelled');
  await expectAccessible(page);
  await page.close();
});

// Guarantee: on a phone nothing is wider than the screen; a person who may not set up agents sees nothing of it.
test('a phone, and a viewer', { tags: ['night'] }, async () => {
  const path = `/agents/${serverId('Quarry')}`;
  await panel.call(enrolmentsHttp.create, { params: { serverId: serverId('Quarry') } });
  const page = await panel.page({ path, look: 'phone' });
  await page.getByText('it is shown only once').waitFor();
  await page.getByRole('button', { name: 'Create new command' }).click();
  await page.getByRole('region', { name: 'Command' }).waitFor();
  expect(
    await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth'),
  ).toBe(true);
  await picture(page, '8-phone');
  const viewer = await panel.newAdmin({ role: 'viewer' });
  const theirs = await panel.page({ as: viewer, path });
  await theirs.getByText('This server has no Game Agent yet').waitFor();
  expect(await theirs.getByText('Create command').count()).toBe(0);
  await Promise.all([page.close(), theirs.close()]);
});
