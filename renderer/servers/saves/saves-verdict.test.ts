import { expect, test } from 'vitest';
import type { SaveAct, ServerSaves } from '#contracts/servers/saves.ts';
import { obstacleTo } from './save-obstacle.tsx';
import { savesVerdict } from './saves-verdict.ts';

const now = Date.parse('2026-11-23T12:00:00Z');
const hoursAgo = (hours: number) => new Date(now - hours * 3_600_000).toISOString();

type List = NonNullable<ServerSaves['list']>;
const backup = (hours: number): List['backups'][number] => ({
  name: `b${hours}`,
  takenAt: hoursAgo(hours),
  bytes: 1,
  storedBytes: 1,
  files: 1,
  notes: [],
});
const list = (changes: Partial<List>): List => ({
  at: hoursAgo(0),
  backups: [],
  unconfirmed: null,
  nightly: null,
  schedule: null,
  freeBytes: null,
  ...changes,
});
const ended = (action: SaveAct['action'], outcome: SaveAct['outcome'], hours: number): SaveAct => ({
  id: 'a',
  action,
  backup: null,
  byName: 'owner',
  requestedAt: hoursAgo(hours),
  progress: null,
  isCancelled: false,
  outcome,
  detail: null,
  endedAt: hoursAgo(hours),
});
const night = (isTaken: boolean, hours: number): List['nightly'] => ({
  atMinute: 270,
  last: { at: hoursAgo(hours), isTaken, detail: null },
});

// Guarantee: a backup that is dated ahead of now is no sign that worlds are backed up: it is named while its date lies ahead, and
// hides neither that the real ones are old nor that the last one failed.
test('a backup that is dated ahead', () => {
  const says = (saved: List, lastAct: SaveAct | null = null) =>
    savesVerdict({ list: saved, lastAct, isAgentPresent: true }, now);
  const ahead = (hours: number) => ({ ...backup(hours), isDatedAhead: true as const });
  expect(says(list({ backups: [ahead(-200), backup(3)] }))).toEqual({ tone: 'warn', says: 'datedAhead' });
  expect(says(list({ backups: [ahead(-200)] }))).toEqual({ tone: 'warn', says: 'datedAhead' });
  expect(says(list({ backups: [ahead(1), backup(3)] }))).toEqual({ tone: 'ok', says: 'backedUp' });
  expect(says(list({ backups: [ahead(-200), backup(72)], nightly: night(true, 72) }))).toEqual({
    tone: 'warn',
    says: 'overdue',
  });
  expect(says(list({ backups: [ahead(-200), backup(72)], nightly: night(false, 3) }))).toEqual({
    tone: 'bad',
    says: 'nightlyFailed',
  });
});

// Guarantee: a waiting restore comes first, then the newest failure; a failure that a later backup has made up for is
// not shown, and without a list nothing is claimed.
test('how saves stand', () => {
  const says = (saved: List | null, lastAct: SaveAct | null = null, isAgentPresent = true) =>
    savesVerdict({ list: saved, lastAct, isAgentPresent }, now);
  expect(says(null)).toEqual({ tone: 'idle', says: 'unknown' });
  expect(says(list({}))).toEqual({ tone: 'idle', says: 'none' });
  expect(says(list({ backups: [backup(3)] }))).toEqual({ tone: 'ok', says: 'backedUp' });
  expect(says(list({ backups: [backup(3)], unconfirmed: 'b3' }), ended('backup', 'failed', 1))).toEqual({
    tone: 'warn',
    says: 'waits',
  });
  expect(says(list({ backups: [backup(3)] }), ended('backup', 'failed', 1))).toEqual({
    tone: 'bad',
    failed: 'backup',
  });
  expect(says(list({ backups: [backup(3)] }), ended('backup', 'failed', 5)).tone).toBe('ok');
  expect(says(list({ backups: [backup(3)] }), ended('backup', 'cancelled', 1)).tone).toBe('ok');
  expect(says(list({ backups: [backup(30)], nightly: night(false, 8) }))).toEqual({
    tone: 'bad',
    says: 'nightlyFailed',
  });
  expect(says(list({ backups: [backup(3)], nightly: night(false, 8) })).tone).toBe('ok');
  expect(says(list({ backups: [backup(60)], nightly: night(true, 60) }))).toEqual({
    tone: 'warn',
    says: 'overdue',
  });
  expect(says(list({ backups: [backup(60)] })).tone).toBe('ok');
  expect(says(list({ backups: [backup(3)] }), null, false)).toEqual({ tone: 'idle', says: 'backedUp' });
});

// Guarantee: a backup needs neither permission from the machine nor a stopped game; a restore needs both, and no other
// restore may wait; the restored worlds can be kept while the game runs, and undone only while it is stopped.
test('what stands against an act', () => {
  const saves: ServerSaves = {
    isAgentPresent: true,
    obstacle: null,
    restoreObstacle: null,
    schedule: {
      version: 0,
      requested: null,
      byName: null,
      changedAt: null,
      state: 'none',
      detail: null,
      platform: null,
      obstacle: null,
    },
    canUndo: true,
    run: null,
    list: list({}),
    act: null,
    lastAct: null,
  };
  const against = (changes: Partial<ServerSaves>) =>
    (['backup', 'restore', 'undo', 'confirm'] as const).map((action) =>
      obstacleTo(action, { ...saves, ...changes }),
    );
  const waiting = list({ unconfirmed: 'b3' });
  expect(against({})).toEqual([null, null, null, null]);
  expect(against({ obstacle: 'SAVES_AGENT_AWAY' })).toEqual(Array(4).fill('SAVES_AGENT_AWAY'));
  expect(against({ act: ended('backup', null, 0) })).toEqual(Array(4).fill('busy'));
  const forbidden = 'SAVES_NOT_ALLOWED';
  expect(against({ restoreObstacle: forbidden })).toEqual([null, forbidden, forbidden, forbidden]);
  const running = 'SAVES_GAME_RUNNING';
  expect(against({ restoreObstacle: running })).toEqual([null, running, running, null]);
  const unconfirmed = 'SAVES_UNCONFIRMED';
  expect(against({ restoreObstacle: running, list: waiting })).toEqual([null, unconfirmed, running, null]);
  expect(against({ restoreObstacle: unconfirmed, list: waiting })).toEqual([null, unconfirmed, null, null]);
});
