import { expect, test } from 'vitest';
import type { Ban } from '#contracts/people/bans.ts';
import { ApiAway } from '../kit/api/api-problem.ts';
import { isNewBan } from '../people/moderation/say-banned.ts';
import { type BanTarget, isDone, leftOf, planBans } from './many-players.ts';

const otter: BanTarget = { id: '1', name: 'Otter', game: 'minecraft' };
const heron: BanTarget = { id: '2', name: 'Heron', game: 'ark-asa' };

// Guarantee: a player is banned only on servers of their own game, and players who are left out are named.
test('chosen servers', () => {
  const servers = [
    { id: 'a', game: 'minecraft' },
    { id: 'b', game: 'minecraft' },
    { id: 'c', game: 'seven-days-to-die' },
  ] as const;
  expect(planBans([otter, heron], servers)).toEqual({
    bans: [{ target: otter, servers: ['a', 'b'] }],
    leftOut: [heron],
  });
  expect(planBans([otter, heron], null).bans.map((ban) => ban.servers)).toEqual(['all', 'all']);
  expect(planBans([otter], []).leftOut).toEqual([otter]);
});

// Guarantee: nothing counts as done that the game has not confirmed.
test('what is done', () => {
  const report = { outcome: 'answered', detail: '' } as const;
  expect(isDone({ report: { ...report, verdict: 'done' } })).toBe(true);
  for (const verdict of ['unproven', 'later', 'failed', null] as const)
    expect(isDone({ report: { ...report, verdict } })).toBe(false);
  expect([isDone(undefined), isDone('running'), isDone({ error: new Error('no') })]).toEqual([
    false,
    false,
    false,
  ]);
  expect(isDone({ ban: {} as Ban, askedMs: 0 })).toBe(true);
});

// Guarantee: once the dialog is closed, each player who was left out is named, separately from those whose result is unknown.
test('what is left', () => {
  const report = { outcome: 'answered', detail: '' } as const;
  expect(
    leftOf([
      { name: 'Done', result: { report: { ...report, verdict: 'done' } } },
      { name: 'Refused', result: { report: { ...report, verdict: 'failed' } } },
      { name: 'Unproven', result: { report: { ...report, verdict: 'unproven' } } },
      { name: 'Silent', result: { report: { ...report, outcome: 'timeout', verdict: null } } },
      { name: 'Unreached', result: { report: { ...report, outcome: 'connection refused', verdict: null } } },
      { name: 'Failed', result: { error: new Error('no') } },
      { name: 'Away', result: { error: new ApiAway('no answer') } },
      { name: 'Not sent', result: { isSent: false } },
    ]),
  ).toEqual({
    notDone: ['Refused', 'Unreached', 'Failed', 'Not sent'],
    unsure: ['Unproven', 'Silent', 'Away'],
  });
});

// Guarantee: undo is offered for a new ban, never for one that was only changed.
test('a new ban', () => {
  const askedMs = Date.parse('2026-05-01T12:00:00.000Z');
  expect(isNewBan({ bannedAt: '2026-05-01T12:00:00.300Z' }, askedMs)).toBe(true);
  expect(isNewBan({ bannedAt: '2026-05-01T11:58:00.000Z' }, askedMs)).toBe(false);
});
