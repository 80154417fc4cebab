import { expect, test } from 'vitest';
import type { BackupCause } from '#contracts/operations/backups.ts';
import { causeOfText, causeText } from './backup-cause.ts';

// Guarantee: a backup whose manifest holds only the text of an earlier version still gets its cause; any other text stays unchanged.
test.each<[string, BackupCause]>([
  ['nightly', { kind: 'nightly' }],
  ['asked for by owner', { kind: 'asked', by: { kind: 'admin', name: 'owner' } }],
  ['castellan backup', { kind: 'command', command: 'castellan backup' }],
  ['before migration 0007-roles, 0008-keys', { kind: 'migration', migrations: ['0007-roles', '0008-keys'] }],
  ['before the update to 1.2.3', { kind: 'update', version: '1.2.3' }],
  ['because I wanted one', { kind: 'other', text: 'because I wanted one' }],
])('%s', (text, cause) => {
  expect(causeOfText(text)).toEqual(cause);
  expect(causeText(cause)).toBe(text);
});
