import { expect, test } from 'vitest';
import type { Health } from './component.ts';
import { firstPulse, type Pulse, probeLimits, probeVerdict } from './probe-verdict.ts';

const ok: Health = { condition: 'ok', detail: null };
const down: Health = { condition: 'down', detail: 'database away' };

const after = (answers: readonly (Health | null)[], ageMs = 0): Pulse | 'hung' =>
  answers.reduce<Pulse | 'hung'>(
    (pulse, answer) => (pulse === 'hung' ? pulse : probeVerdict(pulse, answer, ageMs, probeLimits)),
    firstPulse,
  );

// Guarantee: only an answer makes a component running.
test('a process is starting until it answers', () => {
  expect(after([null, null, null])).toMatchObject({ state: 'starting' });
  expect(after([null, ok])).toMatchObject({ state: 'running', reason: null });
  expect(after([null], probeLimits.startDeadlineMs)).toBe('hung');
});

// Guarantee: a process that must first reach something does not look unwell because of it.
test('a new process may say for a while that it cannot work yet', () => {
  expect(after([down])).toMatchObject({ state: 'starting' });
  expect(after([down, ok])).toMatchObject({ state: 'running' });
  expect(after([down], probeLimits.settleMs)).toMatchObject({ state: 'unhealthy' });
});

// Guarantee: a process that answers is never ended, however unwell it is.
test('a process that says it is down is unhealthy, not hung', () => {
  expect(after(Array(100).fill(down), probeLimits.settleMs)).toEqual({
    state: 'unhealthy',
    reason: 'database away',
    misses: 0,
  });
  expect(after([ok, down, ok])).toMatchObject({ state: 'running' });
});

// Guarantee: silence makes a process first unhealthy, then hung, and one answer heals it.
test('a silent process is hung after eight misses', () => {
  expect(after([ok, null])).toMatchObject({ state: 'running' });
  expect(after([ok, null, null])).toMatchObject({ state: 'unhealthy', reason: 'does not answer' });
  expect(after([ok, ...Array(7).fill(null), ok])).toMatchObject({ state: 'running', misses: 0 });
  expect(after([ok, ...Array(8).fill(null)])).toBe('hung');
});
