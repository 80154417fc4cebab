import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import type { AgentTasks } from '../../servers/agent-tasks.ts';
import { emptyList } from '../testing/sample-mods.ts';
import { askForMods } from './agent-answers.ts';

/** Acts like an agent that uploads this as its list of mods. */
const uploading = async (text: string) => {
  await using folder = await temporaryFolder('list');
  const path = join(folder.path, 'list.json');
  await writeFile(path, text);
  const run: AgentTasks['run'] = async (_serverId, _task, { onUpload }) => {
    await onUpload?.({ path, bytes: text.length });
    return { outcome: 'done', detail: null, value: null };
  };
  return askForMods({ run }, 'fjord');
};
const megabytes = 30 * 1024 * 1024;

test('a list that was uploaded', async () => {
  expect(await uploading(JSON.stringify(emptyList))).toEqual(emptyList);
  expect(await uploading('{')).toEqual({ why: 'What the Game Agent has uploaded is no JSON.' });
});

// Guarantee: an agent that uploads a hostile list of the largest size holds up the API for seconds at most, and its list is rejected.
test.each([
  ['rows', `{"installed":[${'0,'.repeat(megabytes / 2)}0]}`],
  ['brackets', `{"installed":${'['.repeat(megabytes / 2)}${']'.repeat(megabytes / 2)}}`],
  ['rows within rows', `{"installed":[${'{"files":[0,0,0,0]},'.repeat(megabytes / 20)}0]}`],
])('a list of millions of %s', { timeout: 60_000 }, async (_, text) => {
  // Not by the clock: other work on the machine is not the list's.
  const before = process.cpuUsage();
  expect(await uploading(text)).toEqual({ why: 'What the Game Agent has uploaded is beyond measure.' });
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(6000);
});
