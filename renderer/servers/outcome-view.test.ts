import { expect, test } from 'vitest';
import { outcomeView } from './outcome-view.ts';

// Guarantee: only what the game's reply proves is green, and what the game rejected is red, wherever it is shown.
test('the outcome of a command', () => {
  const view = (facts: Partial<Parameters<typeof outcomeView>[0]> = {}) =>
    outcomeView({ outcome: 'answered', isGameError: false, ...facts });
  expect(view().tone).toBe('idle');
  expect(view({ isGameError: true })).toEqual({ tone: 'bad', says: 'gameError' });
  expect(view({ isGameError: true, verdict: 'done' }).tone).toBe('bad');
  expect(view({ verdict: 'done' }).tone).toBe('ok');
  expect(view({ verdict: 'failed' }).tone).toBe('bad');
  expect(view({ verdict: 'unproven' }).tone).toBe('warn');
  expect(view({ outcome: 'timeout', verdict: 'unproven' })).toEqual({
    tone: 'warn',
    says: { outcome: 'timeout' },
  });
  expect(view({ outcome: 'unreachable' }).tone).toBe('bad');
  expect(view({ outcome: null }).tone).toBe('busy');
});
