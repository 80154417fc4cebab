import { expect, test } from 'vitest';
import { mutationsOf } from './mutations.ts';

const mutants = (source: string): string[] =>
  mutationsOf(source).map(
    ({ start, end, replacement }) => source.slice(0, start) + replacement + source.slice(end),
  );

// Guarantee: each kind of fault is planted at the right place in the code, also after multi-byte characters.
test.each([
  ['comparison', "f('é') < g;", "f('é') <= g;"],
  ['equality', 'f(a === b);', 'f(a !== b);'],
  ['operands in parentheses', 'f((a, b) === (c, d));', 'f((a, b) !== (c, d));'],
  ['and, in an or', 'f(a || (b && c));', 'f(a || (((b) || (c))));'],
  ['default', 'f(a ?? b);', 'f((b));'],
  ['negation', 'f(!a);', 'f(a);'],
  ['negation of an or', 'f(!(a ?? b) || c);', 'f((a ?? b) || c);'],
  ['condition', 'if (a) b();', 'if (false) b();'],
  ['choice', 'f(a ? b : c);', 'f(!(a) ? b : c);'],
  ['flag', 'f({ a: true });', 'f({ a: false });'],
  ['small number', 'f(404);', 'f(405);'],
  ['large number', 'f(60_000);', 'f(600000);'],
  ['statement', 'a(); b();', 'a(); ;'],
  ['awaiting', 'const a = await b();', 'const a = (void 0, b());'],
  ['early end', 'const f = () => { a(); b(); };', 'const f = () => { return;a(); b(); };'],
  ['method', 'f(a.some(b));', 'f(a.every(b));'],
])('%s', (_kind, source, mutant) => {
  expect(mutants(source)).toContain(mutant);
});

// Guarantee: types and imports stay unchanged, and a function that returns a value is not ended early.
test('what is no code', () => {
  expect(mutants("import a from 'a';\ntype T = 1 | true;\nconst b: 2 = a as 2;\n")).toEqual([]);
  expect(mutants('const f = () => { const a = b; return a; };')).toEqual([]);
  expect(mutants('const a = b.toString();')).toEqual([]);
});

// Guarantee: a fault that only changes a log line or the length of a wait is marked as a suspect.
test('suspects', () => {
  const suspects = (source: string) => [...new Set(mutationsOf(source).map(({ isSuspect }) => isSuspect))];
  expect(suspects('log.info({ a: !b }, c);')).toEqual([true]);
  expect(suspects('const graceMs = 8 * 1000;')).toEqual([true]);
  expect(suspects('const tries = 8;')).toEqual([false]);
});

test('the line and the change', () => {
  expect(mutationsOf('\nf(a >\n  b);')).toContainEqual(
    expect.objectContaining({ line: 2, change: 'a > b → a >= b', isSuspect: false }),
  );
});
