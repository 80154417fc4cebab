import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openDesktopRecord } from './desktop-record.ts';

// Guarantee: one invalid value costs only that value; the data folder that was chosen is not forgotten over it.
test('a record that is damaged in one place', async () => {
  await using folder = await temporaryFolder('record');
  const place = { x: 0, y: 0, width: 0, height: 0 };
  const kept = { home: '/srv/castellan', isOwnerLeft: 'yes', window: { place, isMaximized: false } };
  await writeFile(join(folder.path, 'desktop.json'), JSON.stringify(kept));
  const record = await openDesktopRecord(folder.path);
  expect(record.now()).toMatchObject({ home: '/srv/castellan', isOwnerLeft: false, window: null });
});

// Guarantee: an unreadable record does not count as empty: the next change would overwrite the data folder that was chosen.
test('a record that cannot be read', async () => {
  await using folder = await temporaryFolder('record');
  await mkdir(join(folder.path, 'desktop.json'));
  await expect(openDesktopRecord(folder.path)).rejects.toThrow(/desktop\.json cannot be read/);
});

// Guarantee: without a file, or with one that is no JSON, the record starts empty.
test.each([null, '', '{"home":'])('%s', async (text) => {
  await using folder = await temporaryFolder('record');
  if (text !== null) await writeFile(join(folder.path, 'desktop.json'), text);
  const record = await openDesktopRecord(folder.path);
  expect(record.now()).toMatchObject({ home: null, firstRun: null, settings: { closeToTray: true } });
});

// Guarantee: a setting that a newer version added changes none that was chosen before.
test('the settings of an older version', async () => {
  await using folder = await temporaryFolder('record');
  await writeFile(join(folder.path, 'desktop.json'), '{"settings":{"closeToTray":false}}');
  const record = await openDesktopRecord(folder.path);
  expect(record.now().settings).toEqual({ closeToTray: false, notices: true });
});

const chosen = '/srv/the keep/castellan';
const recordOf = async (folder: string) => {
  const record = await openDesktopRecord(folder);
  await record.change({ home: chosen, lastHome: chosen, isOwnerLeft: true });
  return readFile(join(folder, 'desktop.json'), 'utf8');
};
const keptOf = async (folder: string) =>
  (await readdir(folder)).filter((name) => name.startsWith('desktop.json.damaged-'));

// Guarantee: whatever happens to the record, the data folder is found again; the damaged file is kept and named, and the next
// start finds a sound one.
test.each<[string, (text: string) => string | null]>([
  ['cut in the middle', (text) => text.slice(0, text.length / 2)],
  ['cut at its first byte', (text) => text.slice(0, 1)],
  ['empty', () => ''],
  ['zeros, as a power cut leaves them', (text) => '\0'.repeat(text.length)],
  ['a home that is a number', (text) => text.replace(`"home": ${JSON.stringify(chosen)}`, '"home": 42')],
  ['a home that is a list', (text) => text.replace(`"home": ${JSON.stringify(chosen)}`, '"home": []')],
  ['a list', () => '[]'],
  ['null', () => 'null'],
  ['gone', () => null],
])('a damaged record: %s', async (_what, damage) => {
  await using folder = await temporaryFolder('record');
  const path = join(folder.path, 'desktop.json');
  const text = await recordOf(folder.path);
  const damaged = damage(text);
  if (damaged === null) await rm(path);
  else await writeFile(path, damaged);
  const record = await openDesktopRecord(folder.path);
  expect(record.now()).toMatchObject({ home: chosen, lastHome: chosen });
  const [kept = 'desktop.json'] = await keptOf(folder.path);
  expect(record.damagedFile).toBe(join(folder.path, kept));
  if (damaged !== null) expect(await readFile(join(folder.path, kept), 'utf8')).toBe(damaged);
  const next = await openDesktopRecord(folder.path);
  expect(next.now()).toMatchObject({ home: chosen, lastHome: chosen });
  expect(next.damagedFile).toBeNull();
});

// Guarantee: an unreadable record costs only its settings, as long as the second mark says where the data folder is.
test('a record that cannot be read, with its second mark', async () => {
  await using folder = await temporaryFolder('record');
  await recordOf(folder.path);
  await rm(join(folder.path, 'desktop.json'));
  await mkdir(join(folder.path, 'desktop.json'));
  const record = await openDesktopRecord(folder.path);
  expect(record.now().home).toBe(chosen);
  expect(await keptOf(folder.path)).toHaveLength(1);
});

// Guarantee: a record from before there was a second mark, cut in the middle, still says where the data folder is.
test('a cut record without its second mark', async () => {
  await using folder = await temporaryFolder('record');
  const text = await recordOf(folder.path);
  await rm(join(folder.path, 'home-place.json'));
  await writeFile(join(folder.path, 'desktop.json'), text.slice(0, text.indexOf('isOwnerLeft')));
  const record = await openDesktopRecord(folder.path);
  expect(record.now()).toMatchObject({ home: chosen, lastHome: chosen });
  await rm(join(folder.path, 'desktop.json'));
  expect((await openDesktopRecord(folder.path)).now().home).toBe(chosen);
});

// Guarantee: a damaged second mark costs nothing.
test('a damaged second mark', async () => {
  await using folder = await temporaryFolder('record');
  await recordOf(folder.path);
  await writeFile(join(folder.path, 'home-place.json'), '{"home":');
  const record = await openDesktopRecord(folder.path);
  expect(record.now().home).toBe(chosen);
  expect(record.damagedFile).toBeNull();
  expect(await readFile(join(folder.path, 'home-place.json'), 'utf8')).toContain(chosen);
});
