import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineReader } from './lines.ts';

const text = 'Ünïcödé ⛏ 🐉\r\nzwei\n\nvier';
/** The text with everything that telnet may insert. */
const dressed = Buffer.concat([
  Buffer.from([255, 251, 1, 0, 255, 253, 34]),
  Buffer.from('Ünïcödé '),
  Buffer.from([255, 250, 24, 1, 255, 255, 10, 255, 240]),
  Buffer.from('⛏ 🐉\r\nzwei\n'),
  Buffer.from([255, 249, 0, 0]),
  Buffer.from('\nvier'),
]);

// Guarantee: telnet's own bytes and NULs never appear in the lines, wherever the pieces are split.
test('lines from every pair of cuts', () => {
  let inputs = 0;
  for (let first = 0; first <= dressed.length; first += 1)
    for (let second = first; second <= dressed.length; second += 1) {
      const reader = createLineReader();
      const pieces = [dressed.subarray(0, first), dressed.subarray(first, second), dressed.subarray(second)];
      expect(pieces.flatMap((piece) => reader.push(piece))).toEqual(text.split(/\r?\n/).slice(0, -1));
      expect(reader.partial()).toBe('vier');
      inputs += 1;
    }
  expect(inputs).toBeGreaterThan(1000);
});

// Guarantee: an endless line takes no more memory than a long one, and no more time than its bytes.
test('60 MB without a line break', () => {
  const reader = createLineReader();
  const piece = Buffer.alloc(60_000, 'x');
  for (let times = 0; times < 1000; times += 1) expect(reader.push(piece)).toEqual([]);
  expect(reader.partial()).toBe('');
  const [line, ...others] = reader.push(Buffer.from('\nnext\n'));
  expect(line).toHaveLength(256 * 1024);
  expect(others).toEqual(['next']);
});

// Guarantee: a long line that arrives byte by byte is whole.
test('a line in 5,000 pieces', () => {
  const reader = createLineReader();
  const bytes = Buffer.from('ünï'.repeat(1000));
  for (const byte of bytes) expect(reader.push(Buffer.of(byte))).toEqual([]);
  expect(reader.partialBytes()).toBe(5000);
  expect(reader.push(Buffer.from('\n'))).toEqual(['ünï'.repeat(1000)]);
});

// Guarantee: garbage never throws, and never yields more than what arrived.
test('10,000 pieces of garbage', () => {
  let inputs = 0;
  const bytes = fc.array(fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(255, 250, 240, 10, 0)), {
    maxLength: 80,
  });
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 5 }), (pieces) => {
      inputs += 1;
      const reader = createLineReader();
      const lines = pieces.flatMap((piece) => reader.push(Buffer.from(piece)));
      const total = pieces.reduce((sum, piece) => sum + piece.length, 0);
      expect(lines.join('\n').length + reader.partial().length).toBeLessThanOrEqual(total);
      expect(lines.join()).not.toContain('\0');
    }),
    { numRuns: 10_000 },
  );
  expect(inputs).toBe(10_000);
});
