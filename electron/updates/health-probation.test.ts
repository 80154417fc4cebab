import { expect, test } from 'vitest';
import type { ComponentState, StackStatus } from '#contracts/operations/stack.ts';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { installOutcome, openHealthProbation, probationVerdict } from './health-probation.ts';
import { openUpdateRecord, type PendingInstallation } from './update-record.ts';

const pending: PendingInstallation = {
  kind: 'update',
  from: '1.0.0',
  to: '1.1.0',
  begunAt: '2026-11-21T08:00:00.000Z',
  backup: '/b',
  answered: ['api'],
  starts: 1,
  failure: null,
};

const setUp = async (path: string, patienceMs: number) => {
  const record = await openUpdateRecord(path);
  await record.change({ pending });
  const told: string[] = [];
  let state: ComponentState = 'starting';
  const trial = openHealthProbation({
    pending,
    record,
    stackStatus: () => ({ components: [{ name: 'api', state }] }) as unknown as StackStatus,
    onWell: () => void told.push('well'),
    onUnwell: () => void told.push('unwell'),
    limits: { wellForMs: 50, patienceMs },
  });
  const be = (next: ComponentState) => {
    state = next;
    trial.look();
  };
  return { record, told, trial, be };
};

// Guarantee: a new version is accepted as well only when it stays so; the result is kept, and the way back with it.
test('well', async () => {
  await using folder = await temporaryFolder('trial');
  const { record, told, be } = await setUp(folder.path, 60_000);
  be('running');
  be('crashed');
  be('running');
  await eventually(() => expect(told).toEqual(['well']));
  expect(record.now()).toMatchObject({
    pending: null,
    outcome: { kind: 'updated', from: '1.0.0', backup: '/b' },
  });
  be('failed');
  expect(told).toEqual(['well']);
});

// Guarantee: one that gives up, or does not get well in time, is reported once.
test('unwell', async () => {
  await using folder = await temporaryFolder('trial');
  const failed = await setUp(folder.path, 60_000);
  failed.be('failed');
  failed.be('failed');
  expect(failed.told).toEqual(['unwell']);
  const late = await setUp(folder.path, 50);
  late.be('starting');
  await eventually(() => expect(late.told).toEqual(['unwell']));
  expect(late.record.now().pending).toEqual(pending);
});

// Guarantee: quitting in order is no crash, and does not count as one; a way back that has already begun is left alone.
test('an orderly end', async () => {
  await using folder = await temporaryFolder('trial');
  const { record, trial } = await setUp(folder.path, 60_000);
  await trial.noteOrderlyEnd();
  expect(record.now().pending).toEqual({ ...pending, starts: 0 });
  const back = { ...pending, kind: 'way-back' as const, from: '1.1.0', to: '1.0.0' };
  await record.change({ pending: back });
  await trial.noteOrderlyEnd();
  expect(record.now().pending).toEqual(back);
  trial[Symbol.dispose]();
});

const begun: PendingInstallation = { ...pending, answered: ['postgres', 'api'], starts: 0 };

// Guarantee: whatever a power cut or a refusal left of an installation, the next start finds out what is true.
test('what a start finds', () => {
  expect(installOutcome(null, '1.0.0')).toEqual({ kind: 'nothing' });
  expect(installOutcome(begun, '1.0.0')).toMatchObject({ kind: 'not-installed', outcome: { to: '1.1.0' } });
  expect(installOutcome({ ...begun, failure: 'why' }, '1.0.0')).toMatchObject({
    outcome: { detail: 'why' },
  });
  expect(installOutcome(begun, '1.1.0')).toEqual({ kind: 'on-trial', pending: begun });
  expect(installOutcome({ ...begun, starts: 1 }, '1.1.0').kind).toBe('on-trial');
  expect(installOutcome({ ...begun, starts: 2 }, '1.1.0').kind).toBe('crashed');
  expect(installOutcome(begun, '1.2.0')).toEqual({ kind: 'superseded' });
  const back = { ...begun, kind: 'way-back' as const, from: '1.1.0', to: '1.0.0' };
  expect(installOutcome(back, '1.0.0')).toMatchObject({
    kind: 'went-back',
    outcome: { from: '1.1.0', backup: '/b' },
  });
  expect(installOutcome(back, '1.1.0')).toMatchObject({ kind: 'not-installed', pending: back });
  expect(installOutcome({ ...back, starts: 2 }, '1.1.0')).toMatchObject({
    kind: 'not-installed',
    outcome: { from: '1.1.0', to: '1.0.0' },
    pending: begun,
  });
});

const stack = (states: Readonly<Record<string, string>>) =>
  ({ components: Object.entries(states).map(([name, state]) => ({ name, state })) }) as Parameters<
    typeof probationVerdict
  >[0];

// Guarantee: a new version is judged by what ran before it, and by nothing else.
test('whether a new version is well', () => {
  expect(probationVerdict(stack({ postgres: 'running', api: 'running', bot: 'failed' }), begun)).toBe('well');
  expect(probationVerdict(stack({ postgres: 'running', api: 'crashed', bot: 'running' }), begun)).toBe(
    'not-yet',
  );
  expect(probationVerdict(stack({ postgres: 'running', api: 'starting', bot: 'running' }), begun)).toBe(
    'not-yet',
  );
  expect(probationVerdict(stack({ postgres: 'running', api: 'failed', bot: 'running' }), begun)).toBe(
    'failed',
  );
});
