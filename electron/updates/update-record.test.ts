import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openUpdateRecord } from './update-record.ts';

// Guarantee: what is known about updates outlives the program; a damaged or unreadable record, or one of its values, costs that
// and nothing else.
test('kept, damaged, unreadable', async () => {
  await using folder = await temporaryFolder('update-record');
  const path = join(folder.path, 'updates.json');
  const record = await openUpdateRecord(folder.path);
  expect(record.now()).toMatchObject({ mode: 'ask', pending: null });
  await Promise.all([record.change({ mode: 'off' }), record.change({ skipped: '1.0.0' })]);
  expect((await openUpdateRecord(folder.path)).now()).toMatchObject({ mode: 'off', skipped: '1.0.0' });
  const kept = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify({ ...kept, pending: { from: 1 }, newestSeen: 'x' }));
  expect((await openUpdateRecord(folder.path)).now()).toMatchObject({
    mode: 'off',
    pending: null,
    newestSeen: null,
  });
  await writeFile(path, '{"mode": "of');
  expect((await openUpdateRecord(folder.path)).now()).toMatchObject({ mode: 'ask', skipped: null });
  const taken = join(folder.path, 'taken');
  await mkdir(join(taken, 'updates.json'), { recursive: true });
  const unreadable = await openUpdateRecord(taken);
  expect(unreadable.now().pending).toBeNull();
  await expect(unreadable.change({ mode: 'off' })).rejects.toThrow();
  expect((await openUpdateRecord(join(path, 'below a file'))).now().mode).toBe('ask');
});
