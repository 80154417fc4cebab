import { describe, expect, test } from 'vitest';
import { formatIn } from '#contracts/kernel/format.ts';
import type { ModsJob } from '#contracts/mods/mods.ts';
import type { ModsChanged } from '#contracts/servers/agent-mods.ts';
import { modPartsWords } from './mod-parts.words.ts';
import {
  canStillCancel,
  changesInWords,
  faultInWords,
  jobVerdict,
  progressInWords,
  stepInWords,
} from './mods-in-words.ts';

const words = modPartsWords.en;
const format = formatIn('en');
const running = (step: string, done: number, total: number | null) =>
  ({ state: 'running', waitsFor: null, progress: { step, done, total } }) as const;

// Guarantee: each step that an agent names is described in words, its figures as files, bytes or time; a step of a
// later agent is shown unchanged.
test('a step', () => {
  expect(progressInWords(running('download', 2, 5), words, format)).toBe('Downloading 3 of 5 …');
  expect(progressInWords(running('download', 1_000_000, 4_000_000), words, format)).toBe(
    'Downloading: 1 MB of 4 MB',
  );
  expect(progressInWords(running('start', 0, null), words, format)).toBe('Starting the game');
  expect(progressInWords(running('watch', 0, 120), words, format)).toBe('Monitoring the game for another 2m');
  expect(progressInWords(running('polish', 0, null), words, format)).toBe('polish');
  expect(stepInWords(running('watch', 0, 120), words)).toBe('Monitoring the game');
  const waiting = { state: 'waiting', waitsFor: 'license', progress: null } as const;
  expect(progressInWords(waiting, words, format)).toBe('Waiting for a valid license');
});

// Guarantee: cancelling is offered only while it still has an effect, which ends when the files are swapped.
test('cancelling', () => {
  expect(canStillCancel({ progress: null })).toBe(true);
  expect(canStillCancel(running('backup', 0, null))).toBe(true);
  expect(canStillCancel(running('swap', 0, null))).toBe(false);
  expect(canStillCancel(running('watch', 0, 120))).toBe(false);
});

const changed = (more: Partial<ModsChanged>): ModsChanged => ({
  set: 'new',
  revision: 3,
  isRolledBack: false,
  health: 'proven',
  failedAt: null,
  lines: [],
  notes: [],
  ...more,
});
type Ended = Pick<ModsJob, 'state' | 'outcome' | 'result'>;

// Guarantee: the verdict on a job rests on what the agent has proven, and never calls a failure good.
describe('a verdict', () => {
  test.each<[string, Ended, string, string]>([
    ['proven', { state: 'done', outcome: 'done', result: changed({}) }, 'ok', 'proven'],
    ['not started', { state: 'done', outcome: 'done', result: changed({ health: 'down' }) }, 'ok', 'down'],
    [
      'rolled back',
      { state: 'failed', outcome: 'failed', result: changed({ set: 'old', isRolledBack: true }) },
      'bad',
      'rolledBack',
    ],
    [
      'rolled back onto a game that does not run',
      {
        state: 'failed',
        outcome: 'failed',
        result: changed({ set: 'old', isRolledBack: true, health: 'failed' }),
      },
      'bad',
      'putBack',
    ],
    [
      'ended before the swap',
      { state: 'failed', outcome: 'failed', result: changed({ set: 'old', health: null }) },
      'bad',
      'unchanged',
    ],
    [
      'left on the new set',
      { state: 'failed', outcome: 'failed', result: changed({ health: 'failed' }) },
      'bad',
      'newFailed',
    ],
    ['refused', { state: 'failed', outcome: 'refused', result: null }, 'bad', 'refused'],
    ['cut off', { state: 'unknown', outcome: 'unknown', result: null }, 'warn', 'unknown'],
  ])('%s', (_, job, tone, says) => {
    expect(jobVerdict(job)).toEqual({ tone, says });
  });
});

// Guarantee: a change is summed up by its effects, that of one mod by its name; a fault names the mods that it concerns.
test('a plan', () => {
  const lines = [
    { change: 'add', name: 'Lithium' },
    { change: 'add', name: 'Fabric API' },
    { change: 'remove', name: 'Phosphor' },
  ] as const;
  expect(changesInWords(lines, words, format)).toBe('2 new and 1 removed');
  expect(changesInWords(lines.slice(2), words, format)).toBe('Remove Phosphor');
  expect(changesInWords([], words, format)).toBe('nothing');
  const conflict = { code: 'CONFLICT', mod: 'Sodium', other: 'OptiFabric' } as const;
  expect(faultInWords(conflict, words)).toBe('Sodium and OptiFabric do not work together.');
  expect(faultInWords({ ...conflict, mod: null }, words)).toMatch(/^This mod and/);
  expect(faultInWords({ code: 'SOURCE_AWAY', mod: null, other: null }, words)).toMatch(
    /^The source of some mods/,
  );
});
