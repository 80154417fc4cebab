import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runCount } from '#harness/kill-count.ts';
import { readPicture as read } from './read-picture.ts';

/** Three by two pixels, as Chromium writes them. */
const pictures = {
  png: 'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAEklEQVR4AWL6z8DwH4aZGJAAAAAA//+GpNPhAAAABklEQVQDAHTzBf+1yIrkAAAAAElFTkSuQmCC',
  jpeg: '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAACAAMDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABQb/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCKALXj/9k=',
  webp: 'UklGRjgAAABXRUJQVlA4ICwAAACQAQCdASoDAAIAAsBMJaACdLoAA5gA/u5DH+5sc4twV/9tD/9aH/60P+lAAA==',
  'lossless webp': 'UklGRhwAAABXRUJQVlA4TA8AAAAvAkAAAAcQ/Y/+ByKi/wEA',
  'extended webp':
    'UklGRloAAABXRUJQVlA4WAoAAAAQAAAAAgAAAQAAQUxQSAcAAAAAgICAgICAAFZQOCAsAAAAkAEAnQEqAwACAALATCWgAnS6AAOYAP7uQx/ubHOLcFf/bQ//Wh/+tD/pQAA=',
};
const limits = { bytes: 512 * 1024, pixels: 2048 };
const readPicture = (bytes: Buffer) => read(bytes, limits);
const bytesOf = (name: keyof typeof pictures): Buffer => Buffer.from(pictures[name], 'base64');
const names = Object.keys(pictures) as (keyof typeof pictures)[];

const pngOf = (width: number, height: number): Buffer => {
  const bytes = bytesOf('png');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
};

// Guarantee: the type and size of a picture come from its own bytes.
test.each(names)('%s', (name) => {
  const mediaType = `image/${name.split(' ').at(-1)}`;
  expect(readPicture(bytesOf(name))).toMatchObject({ mediaType, width: 3, height: 2 });
});

// Guarantee: a file that is not a picture, is cut off, or is too large is refused with its reason.
test('pictures that are none', () => {
  const unfit = (bytes: Buffer) => {
    const facts = readPicture(bytes);
    return 'unfit' in facts ? facts.unfit : facts;
  };
  // HEIC and AVIF, also with the name of a JPEG; BMP, TIFF, JPEG XL.
  const others = ['\0\0\0\x18ftypheic', '\0\0\0\x1cftypavif', 'BM', 'II*\0', '\xff\x0a'];
  for (const text of [
    ...others,
    '',
    'GIF89a',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<html><script>',
    'RIFF',
  ])
    expect(unfit(Buffer.from(text))).toBe('The file is not a PNG, JPEG or WebP picture.');
  for (const name of names)
    expect([name, unfit(bytesOf(name).subarray(0, -3))]).toEqual([
      name,
      'The picture is damaged or incomplete.',
    ]);
  expect(unfit(pngOf(0, 2))).toMatch(/damaged/);
  // Of two frames, one decoder draws the first and another the last, so neither size is trusted.
  const jpeg = bytesOf('jpeg');
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  const header = jpeg.subarray(frame, frame + 2 + jpeg.readUInt16BE(frame + 2));
  const huge = Buffer.from(header);
  huge.writeUInt16BE(60_000, 5);
  for (const first of [huge, header])
    expect(unfit(Buffer.concat([jpeg.subarray(0, frame), first, jpeg.subarray(frame)]))).toMatch(/damaged/);
  expect(readPicture(pngOf(2048, 2048))).toMatchObject({ width: 2048, height: 2048 });
  expect(unfit(pngOf(2049, 1))).toBe('The picture is wider or taller than 2048 pixels.');
  expect(unfit(pngOf(1, 0xffffffff))).toBe('The picture is wider or taller than 2048 pixels.');
  expect(unfit(Buffer.alloc(limits.bytes + 1))).toBe('The picture is larger than 512 KiB.');
});

const secret = 'taken at 52.5N 13.4E by a person';
const pngChunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};
const jpegSegment = (marker: number, text: string): Buffer => {
  const segment = Buffer.from(`....${text}`, 'latin1');
  segment.writeUInt16BE(0xff00 | marker);
  segment.writeUInt16BE(text.length + 2, 2);
  return segment;
};
const webpChunk = (type: string, text: string): Buffer => {
  const chunk = Buffer.from(`${type}....${text}${text.length % 2 === 1 ? '\0' : ''}`, 'latin1');
  chunk.writeUInt32LE(text.length, 4);
  return chunk;
};
const insert = (bytes: Buffer, at: number, part: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]);
const withMetadata = (name: keyof typeof pictures): Buffer => {
  const bytes = bytesOf(name);
  if (name === 'png') return insert(bytes, 33, pngChunk('eXIf', Buffer.from(secret)));
  if (name === 'jpeg')
    return Buffer.concat([
      insert(insert(bytes, 2, jpegSegment(0xe1, `Exif\0\0${secret}`)), 2, jpegSegment(0xfe, secret)),
      Buffer.from(secret),
    ]);
  const longer = Buffer.concat([bytes, webpChunk('EXIF', secret), webpChunk('XMP ', `${secret}.`)]);
  longer.writeUInt32LE(longer.length - 8, 4);
  if (name === 'extended webp') longer[20] = (longer[20] ?? 0) | 0x0c;
  return longer;
};

// Guarantee: nothing stored in a picture beside its pixels is kept, and the pixels are unchanged.
test.each(names)('metadata of a %s', (name) => {
  const bytes = withMetadata(name);
  expect(bytes.includes(secret)).toBe(true);
  const picture = readPicture(bytes);
  if ('unfit' in picture) throw new Error(picture.unfit);
  expect(picture).toMatchObject({ width: 3, height: 2 });
  const plain = readPicture(bytesOf(name));
  expect([picture.bytes, picture.sha256]).toEqual('unfit' in plain ? [] : [plain.bytes, plain.sha256]);
  expect(picture.bytes).toEqual(bytesOf(name));
});

// Guarantee: what programs leave behind a picture's end (acropalypse: the part that was cropped away) is cut off.
test.each(names)('remains behind a %s', (name) => {
  const whole = bytesOf(name);
  expect(readPicture(Buffer.concat([whole, Buffer.from(secret)]))).toMatchObject({ bytes: whole });
});

// Guarantee: a photo stands upright and keeps its colours, with nothing else of what the camera has stored.
test.each(['II', 'MM'])('a photo of a phone, %s', (order) => {
  const isLittle = order === 'II';
  const number = (bytes: number, value: number) => {
    const buffer = Buffer.alloc(bytes);
    if (isLittle) buffer.writeUIntLE(value, 0, bytes);
    else buffer.writeUIntBE(value, 0, bytes);
    return buffer;
  };
  const entry = (tag: number, type: number, count: number, value: Buffer) =>
    Buffer.concat([number(2, tag), number(2, type), number(4, count), value, Buffer.alloc(4 - value.length)]);
  const exif = (turned: number) =>
    Buffer.concat([
      ...[Buffer.from(order), number(2, 42), number(4, 8), number(2, 3)],
      entry(0x010f, 2, secret.length, number(4, 50)),
      entry(0x0112, 3, 1, number(2, turned)),
      entry(0x8825, 4, 1, number(4, 50)),
      ...[number(4, 0), Buffer.from(secret)],
    ]).toString('latin1');
  const profile = jpegSegment(0xe2, `ICC_PROFILE\0\u0001\u0001Display P3`);
  const photo = (turned: number) => {
    const marked = insert(bytesOf('jpeg'), 2, profile);
    return readPicture(insert(marked, 2, jpegSegment(0xe1, `Exif\0\0${exif(turned)}`)));
  };
  const lying = photo(6);
  if ('unfit' in lying) throw new Error(lying.unfit);
  expect(lying).toMatchObject({ width: 2, height: 3 });
  expect(lying.bytes.includes('Display P3')).toBe(true);
  expect(lying.bytes.includes(secret)).toBe(false);
  expect(lying.bytes.length).toBe(bytesOf('jpeg').length + profile.length + 36);
  expect(readPicture(lying.bytes)).toEqual(lying);
  for (const turned of [2, 3, 4, 5, 6, 7, 8]) {
    const sides = turned < 5 ? { width: 3, height: 2 } : { width: 2, height: 3 };
    expect(photo(turned)).toMatchObject(sides);
    // Chromium turns PNG by eXIf, too (superseriousbusiness/exif-terminator#7); WebP it does not.
    const chunk = pngChunk('eXIf', Buffer.from(exif(turned), 'latin1'));
    const shot = readPicture(insert(bytesOf('png'), 33, chunk));
    if ('unfit' in shot) throw new Error(shot.unfit);
    expect(shot).toMatchObject(sides);
    expect(shot.bytes.length).toBe(bytesOf('png').length + 38);
    expect(shot.bytes.includes(secret)).toBe(false);
    expect(readPicture(shot.bytes)).toEqual(shot);
  }
  for (const turned of [0, 1, 9])
    expect(photo(turned)).toMatchObject({ bytes: insert(bytesOf('jpeg'), 2, profile) });
});

test.each(['png', 'extended webp'] as const)('the colours of a %s', (name) => {
  const bytes = bytesOf(name);
  const profile =
    name === 'png' ? pngChunk('iCCP', Buffer.from('Display P3')) : webpChunk('ICCP', 'Display P3');
  const coloured = insert(bytes, name === 'png' ? 33 : 30, profile);
  if (name !== 'png') {
    coloured.writeUInt32LE(coloured.length - 8, 4);
    coloured[20] = (coloured[20] ?? 0) | 0x20;
  }
  expect(readPicture(coloured)).toMatchObject({ bytes: coloured });
});

const numRuns = runCount({ day: 800, night: 3000 });
// Guarantee: no bytes make the reader throw.
test(`damaged pictures (${numRuns} runs)`, { tags: 'kills' }, () => {
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
      // The kept bytes are read as the same picture again.
      if (!('unfit' in facts)) expect(readPicture(facts.bytes)).toEqual(facts);
    }),
    { numRuns },
  );
});
