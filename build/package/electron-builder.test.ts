import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { product } from '#contracts/kernel/product.ts';
import { desktopExecutable } from './desktop.ts';

// Guarantee: the package has the name and the id that all our code knows the product by, and starts under the names that
// the build looks for.
test('electron-builder.yml agrees with the product', async () => {
  const text = await readFile(resolve(import.meta.dirname, '../../electron-builder.yml'), 'utf8');
  const valuesOf = (key: string) =>
    [...text.matchAll(new RegExp(`^ *${key}: (.*)$`, 'gm'))].map(([, value]) => value);
  expect(valuesOf('appId')).toEqual([product.appId]);
  expect(valuesOf('productName')).toEqual([product.name]);
  expect(valuesOf('copyright')).toEqual([product.name]);
  expect(valuesOf('executableName')).toEqual([
    desktopExecutable.win.replace(/\.exe$/, ''),
    desktopExecutable.linux,
  ]);
});
