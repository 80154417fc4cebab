// @module-tag identity

import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { savesHttp } from '#contracts/servers/saves.ts';
import { eventually } from '#harness/eventually.ts';
import { killDuringRestores } from './testing/kill-restores.ts';
import {
  patientMs,
  post,
  readWorld,
  recordFile,
  run,
  saves,
  serverName,
  stateFolder,
  told,
  turn,
  worldFolder,
  writeWorld,
} from './testing/saved-world.ts';

// Guarantee: a backup of a running game is complete and consistent, restores the world once the game is stopped, and the replaced
// world can be restored, too, until a person decides.
test('the life of a world', { timeout: 300_000 }, async () => {
  await writeWorld('first');
  await eventually(async () => expect(await saves()).toMatchObject({ obstacle: null }), patientMs);
  await turn('start', 'running');
  await eventually(
    async () => expect(await saves()).toMatchObject({ restoreObstacle: 'SAVES_GAME_RUNNING' }),
    patientMs,
  );
  // The console answers a little later than the process starts.
  await eventually(async () => expect(await told(/^server\.online$/)).toHaveLength(1), patientMs);
  const taken = await run({ action: 'backup' });
  expect(taken).toMatchObject({ outcome: 'done', detail: null });
  const backup = taken.backup ?? '';
  await eventually(
    async () => expect((await saves()).list?.backups).toMatchObject([{ name: backup, notes: [] }]),
    patientMs,
  );
  const said = (await readFile(recordFile, 'utf8')).split('\n').filter((line) => line.startsWith('save'));
  expect(said).toEqual(['save-off', 'save-all flush', 'save-on']);
  const named = { backup, serverName };
  expect(await post(savesHttp.act, { action: 'restore', ...named })).toMatchObject({
    code: 'SAVES_GAME_RUNNING',
  });
  await turn('stop', 'stopped');

  await writeWorld('second');
  expect(await post(savesHttp.act, { action: 'restore', backup, serverName: 'Another' })).toMatchObject({
    code: 'SAVES_NAME_MISMATCH',
  });
  expect(await run({ action: 'restore', ...named })).toMatchObject({ outcome: 'done' });
  expect(await readWorld()).toBe('first');
  await eventually(
    async () => expect(await saves()).toMatchObject({ list: { unconfirmed: backup } }),
    patientMs,
  );
  await turn('start', 'running');
  await turn('stop', 'stopped');
  expect(await run({ action: 'undo', ...named })).toMatchObject({ outcome: 'done' });
  expect(await readWorld()).toBe('second');
  expect(await run({ action: 'restore', ...named })).toMatchObject({ outcome: 'done' });
  expect(await run({ action: 'confirm', backup })).toMatchObject({ outcome: 'done' });
  expect(await readWorld()).toBe('first');
  expect((await readdir(join(worldFolder, '..'))).sort()).toEqual(['world']);
  await eventually(
    async () =>
      expect(await told(/^saves\./)).toEqual([
        'saves.backed-up',
        'saves.restored',
        'saves.restore-undone',
        'saves.restored',
      ]),
    patientMs,
  );
});

// Guarantee: a schedule of the panel is applied by the agent, stored on its disk, and ends with it.
test('a schedule from the panel', async () => {
  const schedule = { atMinute: 240, keep: 14, days: 60 };
  const file = join(stateFolder, 'saves-schedule.json');
  const set = (version: number, wanted: typeof schedule | null) =>
    eventually(async () => {
      const { status } = await post(savesHttp.schedule, { version, schedule: wanted });
      expect(status).toBe(200);
    }, patientMs);
  await set(0, schedule);
  await eventually(
    async () =>
      expect(await saves()).toMatchObject({
        schedule: { version: 1, state: 'applied', obstacle: null },
        list: { nightly: { atMinute: 240 }, schedule: { keep: 14, days: 60, panel: schedule } },
      }),
    patientMs,
  );
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(schedule);
  await set(1, null);
  await eventually(
    async () => expect(await saves()).toMatchObject({ schedule: { state: 'none' }, list: { nightly: null } }),
    patientMs,
  );
  expect(existsSync(file)).toBe(false);
});

const early = ['unpacking', 'undoing'];
const late = ['swapping', 'swapped', 'undoing'];

// Guarantee: no matter at which stage API or agent dies, the world is all old or all new, the act's result matches the disk, and neither it
// nor its consequences happen twice.
test('killed in the midst', { timeout: 240_000, tags: 'night' }, () =>
  killDuringRestores([
    { victim: 'API', at: early },
    { victim: 'agent', at: late },
    { victim: 'agent', at: early },
    { victim: 'API', at: late },
  ]),
);
