import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { plantProbes } from './probes.ts';

/** The pieces of the source, one for each `‹…›` in it, that are executed when it is imported, and what it exports. */
const executed = async (marked: string) => {
  await using folder = await temporaryFolder('probes');
  const report = join(folder.path, 'report');
  await writeFile(report, '');
  const source = marked.replaceAll(/[‹›]/g, '');
  const { source: probed, probeAt } = plantProbes(source, 'a.ts', 3, report);
  const path = join(folder.path, 'a.ts');
  await writeFile(path, probed);
  const exported = await import(/* @vite-ignore */ pathToFileURL(path).href);
  const reached = (await readFile(report, 'utf8')).split('\n');
  const pieces = [...marked.matchAll(/‹([^›]*)›/g)].filter(({ index }) => {
    const before = marked.slice(0, index).replaceAll(/[‹›]/g, '').length;
    return reached.includes(`3:${probeAt(before)}`);
  });
  return { pieces: pieces.map(([, piece]) => piece), exported };
};

// Guarantee: a probe reports each statement and branch that is executed, and none that is not.
test.each([
  ['statements', 'const f = () => { ‹a()›; return; }; ‹f›; const a = () => 1;', ['f']],
  ['an early end', 'const f = () => { ‹one()›; return; ‹two()›; }; const one = () => 1; f();', ['one()']],
  ['if', 'let a = 1; if (a) ‹a = 2›; else ‹a = 3›;', ['a = 2']],
  ['else if', 'let a = 1; if (!a) ‹a = 2›; else if (a) ‹a = 3›;', ['a = 3']],
  ['a loop without a turn', 'let a = 1; for (const one of []) ‹a = one›; while (a > 1) ‹a -= 1›;', []],
  ['a choice', 'const a = 1 ? ‹"yes"› : ‹"no"›;', ['"yes"']],
  ['a default', 'const a = 1 ?? ‹"no"›; const b = a && ‹"yes"›;', ['"yes"']],
  ['a short function', 'const f = (a) => ‹a + 1›; const g = (a) => ({ b: ‹a + 2› }); g(1);', ['a + 2']],
  ['a case', 'let a = 1; switch (a) { case 1: ‹a = 2›; break; default: ‹a = 3›; }', ['a = 2']],
  ['a label', 'let a = 1; each: for (;;) { ‹a = 2›; if (a) break each; ‹a = 3›; }', ['a = 2']],
  [
    'types',
    'type A = 1 | true; let a = 1 as A; function f(b: A): A; function f(b: A) { ‹a = b›; return b; } f(1);',
    ['a = b'],
  ],
])('%s', async (_, source, pieces) => {
  expect((await executed(source)).pieces).toEqual(pieces);
});

// Guarantee: probes change nothing but speed: values, names of functions, and a first line for the shell.
test('what a probed source does', async () => {
  const source = `#!/usr/bin/env node
import { sep } from 'node:path';
export const sum = (list) => { let all = 0; for (const one of list) if (one > 1) all += one; else all -= 1; return all; };
export const named = (({ a: 1 }).b ?? sep) + sum.name;
export class Both { of = 1; get double() { return this.of * 2; } static made() { return new Both(); } }
`;
  const { exported } = await executed(source);
  expect([exported.sum([1, 2, 3]), exported.named, exported.Both.made().double]).toEqual([4, '/sum', 2]);
});
