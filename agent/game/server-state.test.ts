import { expect, test } from 'vitest';
import { answerHoldsMs, type GameFacts, readServerState } from './server-state.ts';

const ready = { status: 'ready', failure: null } as const;
const failed = (outcome: 'connection refused' | 'not ready' | 'timeout') =>
  ({ status: 'waiting', failure: { outcome, detail: `It is ${outcome}.` } }) as const;
const facts = (more: Partial<GameFacts> = {}): GameFacts => ({
  link: ready,
  answeredAgoMs: 10,
  listedAgoMs: 10,
  complaint: null,
  ...more,
});

// Guarantee: only a game that answered a moment ago, and whose list of players is current, is online.
test.each<[Partial<GameFacts>, string, string | null]>([
  [{}, 'online', null],
  [{ answeredAgoMs: answerHoldsMs + 1, complaint: 'No answer.' }, 'unknown', 'No answer.'],
  [{ answeredAgoMs: null }, 'unknown', 'The game has not answered yet.'],
  [{ listedAgoMs: null, complaint: 'No list.' }, 'online', 'No list.'],
  [{ answeredAgoMs: 60_000, listedAgoMs: 60_000, holdsMs: 75_000 }, 'online', null],
  [
    { listedAgoMs: answerHoldsMs + 1, complaint: 'No list.' },
    'unknown',
    'The game answers, but does not say who is on it. No list.',
  ],
  // What an earlier process answered.
  [{ upMs: 5 }, 'unknown', 'The game has not answered yet.'],
  [{ upMs: 15 }, 'online', null],
  [{ link: failed('connection refused') }, 'offline', 'It is connection refused.'],
  [{ link: failed('not ready') }, 'starting', 'It is not ready.'],
  [{ link: failed('timeout') }, 'online', null],
  [{ link: failed('timeout'), answeredAgoMs: null }, 'unknown', 'It is timeout.'],
])('%j', (more, state, detail) => {
  expect(readServerState(facts(more))).toEqual({ state, detail });
});
