import { glob, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { problemCodes } from '#contracts/kernel/problems.ts';
import { stackHealth } from '#contracts/operations/health.ts';
import { stackEnv } from '#runtime/stack-config.ts';
import { portalEnv } from '../../portal/config.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFile(join(root, file), 'utf8');
const healthPage = 'docs/operations/health.md';
const rowsOf = (page: string, name: RegExp) =>
  [...page.matchAll(/^\| `(\w+)/gm)].flatMap(([, first = '']) => (name.test(first) ? [first] : []));

// Guarantee: the page on health explains each component that the API reports, and no other.
test('the components of health', async () => {
  const components = Object.keys(stackHealth.shape.components.shape);
  expect(rowsOf(await read(healthPage), /^(?!castellan_)/), healthPage).toEqual(components);
});

// Guarantee: each metric that people are told to watch exists.
test('the metrics of the stack', async () => {
  const sources = await Array.fromAsync(glob('server/**/*.ts', { cwd: root }));
  const code = (await Promise.all(sources.filter((file) => !file.endsWith('.test.ts')).map(read))).join('\n');
  const named = rowsOf(await read(healthPage), /^castellan_/);
  expect(named).not.toEqual([]);
  expect(
    named.filter((metric) => !new RegExp(`\\b${metric}\\b`).test(code)),
    healthPage,
  ).toEqual([]);
});

/** Of the programs themselves and of what surrounds them, which no schema declares. */
const otherVariables = /^(?:CASTELLAN_\w+|PORTAL_HOME|APPIMAGE_RUNTIME|SSL_CERT_(?:FILE|DIR))$/;
const known: ReadonlySet<string> = new Set([
  ...Object.keys(stackEnv.shape),
  ...Object.keys(portalEnv.shape),
  ...problemCodes,
]);

// Guarantee: no manual names a setting or a problem code that has been renamed or removed.
test.each(await Array.fromAsync(glob('{README.md,docs/*.md,docs/operations/*.md}', { cwd: root })))(
  'the settings and codes in %s',
  async (file) => {
    const quoted = (await read(file)).matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g);
    const names = [...quoted].map(([, name = '']) => name);
    expect(names.filter((name) => !known.has(name) && !otherVariables.test(name))).toEqual([]);
  },
);
