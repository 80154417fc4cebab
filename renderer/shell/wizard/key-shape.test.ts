import { expect, test } from 'vitest';
import { makeLicenseKey } from '#contracts/license/license-key.ts';
import { keyShape } from './key-shape.ts';

const key = makeLicenseKey(new Uint8Array(15).fill(7));

// Guarantee: a mistyped key is distinguished from an incomplete one, before anything is sent.
test('a key as it is typed', () => {
  for (let length = 6; length < key.length; length += 1) expect(keyShape(key.slice(0, length))).toBe('short');
  expect(keyShape(' ')).toBe('empty');
  expect(keyShape(key)).toBe('right');
  expect(keyShape(` ${key.toLowerCase().replaceAll('-', ' ')} `)).toBe('right');
  expect(keyShape(`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`)).toBe('mistyped');
  expect(keyShape(`${key}0`)).toBe('mistyped');
  expect(keyShape('CSTL-7?')).toBe('mistyped');
  expect(keyShape('CSTL–7')).toBe('short');
  expect(keyShape(`License key: ${key}. Keep it.`)).toBe('right');
  expect(keyShape(`${key} ${makeLicenseKey(new Uint8Array(15).fill(8))}`)).toBe('several');
});
