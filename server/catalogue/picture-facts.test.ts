import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mostPictureBytes } from '#contracts/store-http.ts';
import { readPicture } from './picture-facts.ts';

/** Three pixels by two, as Chromium writes them. */
const pictures = {
  png: 'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAEklEQVR4AWL6z8DwH4aZGJAAAAAA//+GpNPhAAAABklEQVQDAHTzBf+1yIrkAAAAAElFTkSuQmCC',
  jpeg: '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAACAAMDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABQb/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCKALXj/9k=',
  webp: 'UklGRjgAAABXRUJQVlA4ICwAAACQAQCdASoDAAIAAsBMJaACdLoAA5gA/u5DH+5sc4twV/9tD/9aH/60P+lAAA==',
  'lossless webp': 'UklGRhwAAABXRUJQVlA4TA8AAAAvAkAAAAcQ/Y/+ByKi/wEA',
  'extended webp':
    'UklGRloAAABXRUJQVlA4WAoAAAAQAAAAAgAAAQAAQUxQSAcAAAAAgICAgICAAFZQOCAsAAAAkAEAnQEqAwACAALATCWgAnS6AAOYAP7uQx/ubHOLcFf/bQ//Wh/+tD/pQAA=',
};
const bytesOf = (name: keyof typeof pictures): Buffer => Buffer.from(pictures[name], 'base64');
const names = Object.keys(pictures) as (keyof typeof pictures)[];

const pngOf = (width: number, height: number): Buffer => {
  const bytes = bytesOf('png');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
};

// Guarantee: what a picture is comes from its own bytes.
test.each(names)('%s', (name) => {
  const mediaType = `image/${name.split(' ').at(-1)}`;
  expect(readPicture(bytesOf(name))).toEqual({ mediaType, width: 3, height: 2 });
});

// Guarantee: what is no picture, is cut off, or is too large is refused with its reason.
test('pictures that are none', () => {
  const unfit = (bytes: Buffer) => {
    const facts = readPicture(bytes);
    return 'unfit' in facts ? facts.unfit : facts;
  };
  for (const text of ['', 'GIF89a', '<svg xmlns="http://www.w3.org/2000/svg"/>', '<html><script>', 'RIFF'])
    expect(unfit(Buffer.from(text))).toBe('The file is no PNG, JPEG or WebP.');
  for (const name of names)
    expect([name, unfit(bytesOf(name).subarray(0, -3))]).toEqual([
      name,
      'The picture is damaged or cut off.',
    ]);
  expect(unfit(Buffer.concat([bytesOf('png'), Buffer.from('<script>')]))).toMatch(/damaged/);
  expect(unfit(pngOf(0, 2))).toMatch(/damaged/);
  // Of two frames one decoder draws the first, another the last: neither size is believed.
  const jpeg = bytesOf('jpeg');
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  const header = jpeg.subarray(frame, frame + 2 + jpeg.readUInt16BE(frame + 2));
  const huge = Buffer.from(header);
  huge.writeUInt16BE(60_000, 5);
  for (const first of [huge, header])
    expect(unfit(Buffer.concat([jpeg.subarray(0, frame), first, jpeg.subarray(frame)]))).toMatch(/damaged/);
  expect(readPicture(pngOf(2048, 2048))).toMatchObject({ width: 2048, height: 2048 });
  expect(unfit(pngOf(2049, 1))).toBe('The picture has more than 2048 pixels a side.');
  expect(unfit(pngOf(1, 0xffffffff))).toBe('The picture has more than 2048 pixels a side.');
  expect(unfit(Buffer.alloc(mostPictureBytes + 1))).toBe('The picture has more than 512 KiB.');
});

const numRuns = 3000;
// Guarantee: no bytes whatever make the reader throw.
test(`damaged pictures (${numRuns} runs)`, () => {
  const damage = fc.record({
    name: fc.constantFrom(...names),
    changes: fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 6 }),
    length: fc.nat(),
  });
  fc.assert(
    fc.property(damage, ({ name, changes, length }) => {
      const whole = bytesOf(name);
      for (const [at, value] of changes) whole[at % whole.length] = value;
      const facts = readPicture(whole.subarray(0, length % (whole.length + 1)));
      expect('unfit' in facts || (facts.width >= 1 && facts.height >= 1)).toBe(true);
    }),
    { numRuns },
  );
});
