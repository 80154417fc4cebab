import { expect, test } from 'vitest';
import { tailLines } from './tail-lines.ts';

const text = [
  '{"level":"info","time":"2026-01-02T03:04:05.000Z","component":"api","msg":"API listening"}',
  '',
  '{"level":"error","time":"never","msg":"could not","err":{"message":"no such file"}}',
  '{"level":"warn","time":5,"msg":7}',
  'LOG:  half a li',
  '{"level":"fatal","msg":"cut in the mid',
  `{"msg":"${'x'.repeat(5000)}"}`,
].join('\n');

// Guarantee: every line of a log is shown, whatever program wrote it and however broken it is, and none of them can fill a page.
test('all lines', () => {
  const lines = tailLines(text, {});
  expect(lines.map(({ at, level }) => [at, level])).toEqual([
    ['2026-01-02T03:04:05.000Z', 'info'],
    [null, 'error'],
    [null, 'warn'],
    [null, null],
    [null, null],
    [null, null],
  ]);
  expect(lines.map(({ text: shown }) => shown.slice(0, 30))).toEqual([
    'API listening',
    'could not: no such file',
    '{"level":"warn","time":5,"msg"',
    'LOG:  half a li',
    '{"level":"fatal","msg":"cut in',
    'x'.repeat(30),
  ]);
  expect(lines.at(-1)?.text).toHaveLength(2000);
  expect(tailLines('a\n'.repeat(5000), {})).toHaveLength(200);
});

// Guarantee: a filter finds what the panel's own page would: a level and all above it, words in any case.
test('filtered', () => {
  const found = (filter: Parameters<typeof tailLines>[1]) =>
    tailLines(text, filter).map(({ level }) => level);
  expect(found({ level: 'warn' })).toEqual(['error', 'warn']);
  expect(found({ text: 'NO SUCH' })).toEqual(['error']);
  expect(found({ level: 'fatal' })).toEqual([]);
});
