import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openRenewalRecord } from './renewal-record.ts';

// Guarantee: an update that an earlier version recorded as failed counts as tried, since that version recorded no other.
test('a record of an earlier version', async () => {
  await using folder = await temporaryFolder('renewal');
  const failed = { version: '1.5.0', tries: 2, atMs: 1000, detail: 'it ended' };
  await writeFile(join(folder.path, 'renewal.json'), JSON.stringify({ failed }));
  const record = await openRenewalRecord(folder.path);
  expect(record.now()).toEqual({ failed: { ...failed, wasTried: true } });
});
