import { expect, test } from 'vitest';
import type { Health } from '../supervisor/component.ts';
import { initialSnapshot, nextSnapshot, type ServiceObservation } from './service-snapshot.ts';

const well: Health = { condition: 'ok', detail: null, license: 'valid' };
const sight = (
  service: ServiceObservation['service'],
  answer: Health | null = null,
  othersRun = true,
): ServiceObservation => ({
  service,
  answer,
  refusal: null,
  othersRun,
});
/** What is shown after each of these looks. */
const after = (...looks: readonly (readonly [number, ServiceObservation])[]) => {
  let snapshot = initialSnapshot;
  for (const [seconds, seen] of looks) snapshot = nextSnapshot(snapshot, seen, seconds * 1000);
  return snapshot;
};

// Guarantee: only a service that answers is called running; one for which Windows merely has a process is starting, and after
// a while unhealthy.
test('a service that runs', () => {
  expect(after([0, sight('running')]).state).toBe('starting');
  expect(after([0, sight('running')], [179, sight('running')]).state).toBe('starting');
  expect(after([0, sight('running')], [181, sight('running')])).toMatchObject({
    state: 'unhealthy',
    reason: 'does not answer',
  });
  expect(after([0, sight('running', well)])).toMatchObject({
    state: 'running',
    reason: null,
    license: 'valid',
  });
});

// Guarantee: a start that was refused is shown at once, also when the component answered a moment before.
test('a refused start', () => {
  const refused = { ...sight('running'), refusal: 'no token' };
  const starting = { state: 'starting', reason: 'no token', condition: null };
  expect(after([0, sight('running')], [1, refused])).toMatchObject(starting);
  expect(after([0, sight('running', well)], [1, refused])).toMatchObject(starting);
  expect(after([0, sight('running', well)], [181, refused])).toMatchObject({
    state: 'unhealthy',
    reason: 'no token',
  });
  expect(after([0, refused], [1, sight('running', well)])).toMatchObject({ state: 'running', reason: null });
});

// Guarantee: a missed answer or two change nothing; a silence does, and the first answer after it ends it.
test('a silence', () => {
  const healthy = [0, sight('running', well)] as const;
  expect(after(healthy, [10, sight('running')]).state).toBe('running');
  const silent = [healthy, [10, sight('running')], [25, sight('running')]] as const;
  expect(after(...silent).state).toBe('unhealthy');
  expect(after(...silent, [30, sight('running')]).state).toBe('unhealthy');
  expect(after(...silent, [35, sight('running', well)]).state).toBe('running');
  // A service that Windows has restarted gets its time to answer.
  expect(after(...silent, [30, sight('starting')], [31, sight('running')]).state).toBe('starting');
});

// Guarantee: what the process says of itself is passed on.
test('what it says', () => {
  expect(after([0, sight('running', { condition: 'down', detail: 'no database' })])).toMatchObject({
    state: 'unhealthy',
    reason: 'no database',
  });
  expect(
    after([0, sight('running', { condition: 'ok', detail: 'no license', license: 'unlicensed' })]),
  ).toMatchObject({ state: 'running', reason: 'no license', license: 'unlicensed' });
  expect(after([0, sight('running', { condition: 'degraded', detail: 'bot: away' })])).toMatchObject({
    state: 'running',
    condition: 'degraded',
    reason: 'bot: away',
  });
});

// Guarantee: a service that is stopped beside others that run is a fault after a while, and none where all of them are; a missing
// one is reported as such; that Windows cannot be asked changes nothing.
test('a service that does not run', () => {
  expect(after([0, sight('stopped')]).state).toBe('stopped');
  expect(after([0, sight('stopped')], [31, sight('stopped')])).toMatchObject({
    state: 'failed',
    reason: 'the service is stopped',
  });
  expect(after([0, sight('stopped')], [31, sight('stopped', null, false)]).state).toBe('stopped');
  expect(after([0, sight('absent')]).state).toBe('failed');
  expect(after([0, sight('paused')]).state).toBe('unhealthy');
  expect(after([0, sight('running', well)], [5, sight(null, null)]).state).toBe('running');
});
