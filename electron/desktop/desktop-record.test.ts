import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openDesktopRecord } from './desktop-record.ts';

// Guarantee: one value that makes no sense costs that value alone; the home that was chosen is not forgotten over it.
test('a record that is damaged in one place', async () => {
  await using folder = await temporaryFolder('record');
  const place = { x: 0, y: 0, width: 0, height: 0 };
  const kept = { home: '/srv/castellan', isOwnerLeft: 'yes', window: { place, isMaximized: false } };
  await writeFile(join(folder.path, 'desktop.json'), JSON.stringify(kept));
  const record = await openDesktopRecord(folder.path);
  expect(record.now()).toMatchObject({ home: '/srv/castellan', isOwnerLeft: false, window: null });
});

// Guarantee: what cannot be read is not taken for nothing: the next change would write over the home that was chosen.
test('a record that cannot be read', async () => {
  await using folder = await temporaryFolder('record');
  await mkdir(join(folder.path, 'desktop.json'));
  await expect(openDesktopRecord(folder.path)).rejects.toThrow(/desktop\.json cannot be read/);
});

// Guarantee: no file, and one that is no JSON, are a beginning.
test.each([null, '', '{"home":'])('%s', async (text) => {
  await using folder = await temporaryFolder('record');
  if (text !== null) await writeFile(join(folder.path, 'desktop.json'), text);
  const record = await openDesktopRecord(folder.path);
  expect(record.now()).toMatchObject({ home: null, firstRun: null, settings: { closeToTray: true } });
});

// Guarantee: a setting that a newer version brought along changes none that was chosen before.
test('the settings of an older version', async () => {
  await using folder = await temporaryFolder('record');
  await writeFile(join(folder.path, 'desktop.json'), '{"settings":{"closeToTray":false}}');
  const record = await openDesktopRecord(folder.path);
  expect(record.now().settings).toEqual({ closeToTray: false, notices: true });
});
