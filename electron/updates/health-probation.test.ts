import { expect, test } from 'vitest';
import type { ComponentState, StackStatus } from '#contracts/stack.ts';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openHealthProbation } from './health-probation.ts';
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
