import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { systemClock } from '../clock.ts';
import { holdLicense } from './held-license.ts';
import { createMachine } from './hwid/machine.ts';
import { openRecordStore, type RecordStore } from './record/record-store.ts';
import { trustSuccessorsOf } from './succession/key-trust.ts';
import { sampleRecord } from './testing/sample-record.ts';

/** Longer than a read of a small file; only a fault makes it matter. */
const otherReadMs = 200;

// Guarantee: an older read of the record never replaces a newer one in memory, however long it takes.
test('a slow read', async () => {
  await using folder = await temporaryFolder('license');
  const records = openRecordStore(folder.path);
  const slow = Promise.withResolvers<void>();
  const hasRead = Promise.withResolvers<void>();
  let isSlow = false;
  const read = async () => {
    const snapshot = await records.read();
    if (isSlow) {
      isSlow = false;
      hasRead.resolve();
      await slow.promise;
    }
    return snapshot;
  };
  const store: RecordStore = { ...records, read };
  const license = await holdLicense({
    store,
    trust: await trustSuccessorsOf('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'),
    clock: systemClock,
    readMachine: () => createMachine(async () => null),
  });
  await records.replace(sampleRecord('a'), null);
  isSlow = true;
  const first = license.refresh();
  await hasRead.promise;
  await records.replace(sampleRecord('b'), null);
  const second = license.refresh();
  await Promise.race([second, delay(otherReadMs)]);
  slow.resolve();
  await Promise.all([first, second]);
  expect(license.view.snapshot).toMatchObject({ kind: 'record', record: { licenseKey: 'b' } });
});
