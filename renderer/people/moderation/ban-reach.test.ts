import { expect, test } from 'vitest';
import { reachOf } from './ban-reach.ts';

// Guarantee: a ban counts as in force, or as lifted, only where a game has said so.
test('how far a ban has come', () => {
  const at = '2026-01-01T00:00:00.000Z';
  expect(reachOf({ endedAt: null, places: {} })).toEqual({ done: 0, all: 0, isHeld: false, tone: 'ok' });
  expect(reachOf({ endedAt: null, places: { 'in-force': 2, unconfirmed: 1, gone: 4 } })).toEqual({
    done: 2,
    all: 3,
    isHeld: false,
    tone: 'ok',
  });
  expect(reachOf({ endedAt: null, places: { 'in-force': 2, waiting: 1, lifted: 1 } })).toEqual({
    done: 2,
    all: 3,
    isHeld: false,
    tone: 'busy',
  });
  expect(reachOf({ endedAt: null, places: { refused: 1, waiting: 1 } }).tone).toBe('warn');
  expect(reachOf({ endedAt: at, places: { lifted: 1, lifting: 1, never: 3 } })).toEqual({
    done: 1,
    all: 2,
    isHeld: false,
    tone: 'busy',
  });
  expect(reachOf({ endedAt: at, places: { lifted: 2 } })).toMatchObject({ done: 2, all: 2, tone: 'idle' });
  expect(reachOf({ endedAt: at, places: { held: 2 } })).toEqual({
    done: 0,
    all: 2,
    isHeld: true,
    tone: 'idle',
  });
  expect(reachOf({ endedAt: at, places: { held: 1, lifted: 1 } })).toMatchObject({
    done: 1,
    all: 2,
    isHeld: false,
  });
});
