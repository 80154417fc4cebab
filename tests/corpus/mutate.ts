import fc from 'fast-check';

/** A change of a file: some of its bytes are replaced by others. */
interface Mutation {
  /** Between 0 and 1, of the length. */
  readonly at: number;
  readonly removed: number;
  readonly put: Uint8Array;
}

const pieces = [
  '\n',
  '\r\n',
  '\0',
  ' ',
  '\\',
  '"',
  '(',
  ')',
  '[',
  ']',
  '<',
  '>',
  ': ',
  '=',
  ',',
  '\uFEFF',
  '§a',
  'é',
  '\u2028',
];

/** A few changes to one file. */
export const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.nat({ max: 12 }),
    put: fc.oneof(
      fc.constantFrom(...pieces).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 4 }),
    ),
  }),
  { minLength: 1, maxLength: 4 },
);

export const mutated = (content: Buffer, changes: readonly Mutation[]): Buffer =>
  changes.reduce((bytes, { at, removed, put }) => {
    const start = Math.floor(at * bytes.length);
    return Buffer.concat([bytes.subarray(0, start), put, bytes.subarray(start + removed)]);
  }, content);
