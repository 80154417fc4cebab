import { expect, test } from 'vitest';
import { installOutcome, probationVerdict } from './post-install.ts';
import type { PendingInstallation } from './update-record.ts';

const pending: PendingInstallation = {
  kind: 'update',
  from: '1.0.0',
  to: '1.1.0',
  begunAt: '2026-11-21T08:00:00.000Z',
  backup: '/b',
  answered: ['postgres', 'api'],
  starts: 0,
  failure: null,
};

// Guarantee: whatever a power cut or a refusal left of an installation, the next start finds out what is true.
test('what a start finds', () => {
  expect(installOutcome(null, '1.0.0')).toEqual({ kind: 'nothing' });
  expect(installOutcome(pending, '1.0.0')).toMatchObject({ kind: 'not-installed', outcome: { to: '1.1.0' } });
  expect(installOutcome({ ...pending, failure: 'why' }, '1.0.0')).toMatchObject({
    outcome: { detail: 'why' },
  });
  expect(installOutcome(pending, '1.1.0')).toEqual({ kind: 'on-trial', pending });
  expect(installOutcome({ ...pending, starts: 1 }, '1.1.0').kind).toBe('on-trial');
  expect(installOutcome({ ...pending, starts: 2 }, '1.1.0').kind).toBe('crashed');
  expect(installOutcome(pending, '1.2.0')).toEqual({ kind: 'superseded' });
  const back = { ...pending, kind: 'way-back' as const, from: '1.1.0', to: '1.0.0' };
  expect(installOutcome(back, '1.0.0')).toMatchObject({
    kind: 'went-back',
    outcome: { from: '1.1.0', backup: '/b' },
  });
  expect(installOutcome(back, '1.1.0')).toMatchObject({ kind: 'not-installed', pending: back });
  expect(installOutcome({ ...back, starts: 2 }, '1.1.0')).toMatchObject({
    kind: 'not-installed',
    outcome: { from: '1.1.0', to: '1.0.0' },
    pending,
  });
});

const stack = (states: Readonly<Record<string, string>>) =>
  ({ components: Object.entries(states).map(([name, state]) => ({ name, state })) }) as Parameters<
    typeof probationVerdict
  >[0];

// Guarantee: a new version is judged by what ran before it, and by nothing else.
test('whether a new version is well', () => {
  expect(probationVerdict(stack({ postgres: 'running', api: 'running', bot: 'failed' }), pending)).toBe(
    'well',
  );
  expect(probationVerdict(stack({ postgres: 'running', api: 'crashed', bot: 'running' }), pending)).toBe(
    'not-yet',
  );
  expect(probationVerdict(stack({ postgres: 'running', api: 'starting', bot: 'running' }), pending)).toBe(
    'not-yet',
  );
  expect(probationVerdict(stack({ postgres: 'running', api: 'failed', bot: 'running' }), pending)).toBe(
    'failed',
  );
});
