import { expect, test } from 'vitest';
import type { CommandResult } from '#contracts/servers/games.ts';
import { decidePlace, mostTries, type SentFacts } from './decide-place.ts';

const answered = { outcome: 'answered', sent: true } satisfies Partial<CommandResult>;
const lost = { outcome: 'timeout', sent: true } satisfies Partial<CommandResult>;
const facts = (more: Partial<SentFacts>): SentFacts => ({
  change: 'taking',
  result: answered,
  reply: null,
  isProvable: false,
  tries: 1,
  lasts: false,
  ...more,
});

// Guarantee: a person who is asked is told whether the game refused the command or its reply was lost, in both directions.
test.each<[string, Partial<SentFacts>, object]>([
  ['refused once', { reply: 'failed' }, { state: 'taking', detail: 'reply-failure', isRefused: true }],
  [
    'refused each time',
    { reply: 'failed', tries: mostTries },
    { state: 'unknown', detail: 'taking-refused' },
  ],
  ['lost', { result: lost }, { state: 'unknown', detail: 'taking-lost' }],
  [
    'giving, refused each time',
    { change: 'giving', lasts: true, reply: 'failed', tries: mostTries },
    { state: 'unknown', detail: 'taking-refused' },
  ],
  [
    'giving, lost once',
    { change: 'giving', lasts: true, result: lost },
    { state: 'giving', detail: 'taking-lost', isRefused: true },
  ],
  [
    'giving, lost each time',
    { change: 'giving', lasts: true, result: lost, tries: mostTries },
    { state: 'unknown', detail: 'taking-lost' },
  ],
  ['bought again meanwhile', { lasts: true, result: lost }, { state: 'giving', detail: null }],
])('%s', (_title, more, expected) => {
  expect(decidePlace(facts(more))).toMatchObject(expected);
});
