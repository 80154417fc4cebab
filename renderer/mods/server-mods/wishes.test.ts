import { expect, test } from 'vitest';
import type { ChangeWish } from '#contracts/mods/mods.ts';
import { withPart, withUpload } from './wishes.ts';

const fault = { project: '238222', version: '5001' };
const upload = '3f0c6a52-6d07-4b56-9f4e-6d5a8a0a4a01';
const handedIn: ChangeWish = { do: 'install-upload', upload, for: fault };

// Guarantee: a file that was downloaded by hand replaces the wish that it was downloaded for, and an earlier file; everything else stays.
test('a file fetched by hand', () => {
  const other: ChangeWish = { do: 'install', source: 'modrinth', project: '238222', version: null };
  const wanted: ChangeWish = { do: 'install', source: 'curseforge', project: '238222', version: '5001' };
  expect(withUpload([other, wanted], fault, upload)).toEqual([other, handedIn]);
  expect(withUpload([{ do: 'update', key: 'curseforge:238222', version: null }], fault, upload)).toEqual([
    handedIn,
  ]);
  expect(withUpload([{ do: 'update-all' }], fault, upload)).toEqual([{ do: 'update-all' }, handedIn]);
  const earlier: ChangeWish = { do: 'install-upload', upload: fault.project, for: fault };
  expect(withUpload([earlier], fault, upload)).toEqual([handedIn]);
  expect(withUpload([wanted], { project: null, version: null }, upload)).toEqual([wanted]);
});

test('a part of an archive', () => {
  const other: ChangeWish = { do: 'remove', key: 'modrinth:a' };
  const upload: ChangeWish = { do: 'install-upload', upload: 'clx0000000000000000000000' };
  const chosen = withPart([other, upload], 'A/Optional/B', true);
  expect(chosen).toEqual([other, { ...upload, parts: ['A/Optional/B'] }]);
  expect(withPart(chosen, 'A/Optional/B', true)).toEqual(chosen);
  expect(withPart(chosen, 'A/Optional/B', false)).toEqual([other, { ...upload, parts: [] }]);
});
