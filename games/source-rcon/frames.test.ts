import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFrameDecoder, encodeFrame, type Frame } from './frames.ts';
import { rconFrame } from './testing/rcon-peer.ts';

const decodeInPieces = (bytes: Buffer, pieceBytes: readonly number[]): Frame[] => {
  const decoder = createFrameDecoder();
  const frames: Frame[] = [];
  let offset = 0;
  for (const size of pieceBytes) {
    frames.push(...decoder.push(bytes.subarray(offset, offset + size)));
    offset += size;
  }
  frames.push(...decoder.push(bytes.subarray(offset)));
  return frames;
};

// Guarantee: a frame follows the protocol byte for byte.
test('a frame is encoded as documented', () => {
  expect(encodeFrame(7, 2, 'list').toString('hex')).toBe(
    `${'0e000000'}${'07000000'}${'02000000'}6c6973740000`,
  );
  expect(encodeFrame(-1, 3, 'Grüße')).toEqual(rconFrame(-1, 3, 'Grüße'));
});

// Guarantee: frames come out whole and in order however the network splits them.
test('any frames cut anywhere come out as they went in', () => {
  const frame = fc.record({
    id: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    type: fc.integer({ min: -5, max: 200 }),
    // A body that ends in NUL cannot be told from the end of the frame.
    body: fc.uint8Array({ maxLength: 300 }).filter((bytes) => bytes.at(-1) !== 0),
  });
  let inputs = 0;
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 8 }), fc.array(fc.nat({ max: 90 })), (frames, pieces) => {
      inputs += 1;
      const bytes = Buffer.concat(frames.map(({ id, type, body }) => rconFrame(id, type, body)));
      const decoded = decodeInPieces(bytes, pieces);
      expect(decoded.map(({ id, type, body }) => ({ id, type, body: [...body] }))).toEqual(
        frames.map(({ id, type, body }) => ({ id, type, body: [...body] })),
      );
    }),
    { numRuns: 2000 },
  );
  expect(inputs).toBe(2000);
});

// Guarantee: every single cut of a frame gives the same frame.
test('each cut position of a frame', () => {
  const bytes = rconFrame(9, 0, 'Ünïcödé ⛏ 🐉');
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const [frame, ...others] = decodeInPieces(bytes, [cut]);
    expect(others).toEqual([]);
    expect(frame?.body.toString()).toBe('Ünïcödé ⛏ 🐉');
  }
});

// Guarantee: an impossible length is refused immediately, and nothing after it is read.
test.each([-4, -1, 0, 9, 128 * 1024 + 1, 2 ** 31 - 1, -(2 ** 31)])('a length of %i breaks it', (length) => {
  const decoder = createFrameDecoder();
  const head = Buffer.alloc(4);
  head.writeInt32LE(length);
  const frames = decoder.push(Buffer.concat([rconFrame(1, 0, 'before'), head, rconFrame(2, 0, 'after')]));
  expect(frames.map(({ body }) => body.toString())).toEqual(['before']);
  expect(decoder.isBroken()).toBe(true);
  expect(decoder.push(rconFrame(3, 0, 'later'))).toEqual([]);
});

// Guarantee: garbage never throws, never hangs and never yields frames that were not in its bytes.
test('10,000 pieces of garbage', () => {
  let inputs = 0;
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 64 }), { maxLength: 6 }), (pieces) => {
      inputs += 1;
      const decoder = createFrameDecoder();
      const frames = pieces.flatMap((piece) => decoder.push(Buffer.from(piece)));
      const total = pieces.reduce((sum, piece) => sum + piece.length, 0);
      expect(frames.length * 14).toBeLessThanOrEqual(total);
    }),
    { numRuns: 10_000 },
  );
  expect(inputs).toBe(10_000);
});

// Guarantee: time grows with the bytes and not with their square: a large frame sent byte by byte is not an attack.
test('a frame of 128 KiB in single bytes', () => {
  const decoder = createFrameDecoder();
  const bytes = rconFrame(1, 0, Buffer.alloc(128 * 1024 - 10, 'x'));
  let frames = 0;
  for (let offset = 0; offset < bytes.length; offset += 1)
    frames += decoder.push(bytes.subarray(offset, offset + 1)).length;
  expect(frames).toBe(1);
  expect(decoder.hasPartial()).toBe(false);
});
