import { expect, test } from 'vitest';
import { type LongWork, overlayOf, taskbarProgress } from './taskbar-view.ts';
import { trayLooks } from './tray-view.ts';

const idle: LongWork = { state: 'running', move: null, services: null, update: null, isBackingUp: false };
const move = {
  to: 'D:\\x',
  step: 'copy' as const,
  doneBytes: 25,
  bytes: 100,
  doneFiles: 1,
  files: 2,
  isCancellable: true,
};
const offer = { version: '2.0.0', releasedAt: new Date(0).toISOString(), notes: '', sizeBytes: 200 };

// Guarantee: long work shows in the taskbar, as a share where that is known, and finished work leaves nothing there.
test.each([
  ['nothing', idle, null],
  ['a start', { ...idle, state: 'starting' as const }, 'unknown'],
  ['a stop', { ...idle, state: 'stopping' as const }, 'unknown'],
  ['stopped', { ...idle, state: 'stopped' as const }, null],
  ['failed', { ...idle, state: 'failed' as const }, null],
  ['a move', { ...idle, move }, 0.25],
  ['a move that counts nothing', { ...idle, move: { ...move, step: 'stop' as const, bytes: 0 } }, 'unknown'],
  ['more than all', { ...idle, move: { ...move, doneBytes: 101 } }, 1],
  ['a download', { ...idle, update: { step: 'downloading' as const, receivedBytes: 50, offer } }, 0.25],
  [
    'a download of unknown size',
    { ...idle, update: { step: 'downloading' as const, receivedBytes: 50, offer: null } },
    'unknown',
  ],
  [
    'the backup before an update',
    { ...idle, update: { step: 'backing-up' as const, receivedBytes: 0, offer } },
    'unknown',
  ],
  ['an offer', { ...idle, update: { step: 'ready' as const, receivedBytes: 200, offer } }, null],
  ['a backup', { ...idle, isBackingUp: true }, 'unknown'],
  [
    'services',
    { ...idle, services: { act: 'install' as const, step: { kind: 'create' as const, component: null } } },
    'unknown',
  ],
])('%s', (_what, work, progress) => {
  expect(taskbarProgress(work)).toBe(progress);
});

// Guarantee: the button has a badge exactly where something needs a person.
test('overlay', () => {
  expect(trayLooks.map((look) => [look, overlayOf(look)])).toEqual([
    ['well', null],
    ['busy', null],
    ['warning', 'warning'],
    ['bad', 'bad'],
    ['stopped', null],
  ]);
});
