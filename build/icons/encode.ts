/** Encodes pictures as files: PNG, and icons for Windows, which hold one picture of each size. */
import { deflateSync } from 'node:zlib';
import type { Colour } from './raster.ts';

/** Square, with 4 bytes per pixel: red, green, blue, alpha. */
export interface Picture {
  readonly side: number;
  readonly pixels: Buffer;
}

export const emptyPicture = (side: number): Picture => ({ side, pixels: Buffer.alloc(side * side * 4) });

/** Lays a colour over the picture, in each pixel as much as the shape covers. */
export const paint = ({ pixels }: Picture, covered: Float64Array, [red, green, blue]: Colour): void => {
  for (const [index, cover] of covered.entries()) {
    const share = Math.min(1, cover);
    if (share <= 0) continue;
    const at = index * 4;
    const below = ((pixels[at + 3] ?? 0) / 255) * (1 - share);
    const alpha = share + below;
    for (const [channel, value] of [red, green, blue].entries())
      pixels[at + channel] = Math.round((value * share + (pixels[at + channel] ?? 0) * below) / alpha);
    pixels[at + 3] = Math.round(alpha * 255);
  }
};

/** Removes what the shape covers. */
export const erase = ({ pixels }: Picture, covered: Float64Array): void => {
  for (const [index, cover] of covered.entries()) {
    const at = index * 4 + 3;
    pixels[at] = Math.round((pixels[at] ?? 0) * (1 - Math.min(1, cover)));
  }
};

const crcTable = Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

const crc = (bytes: Buffer): number => {
  let value = 0xffffffff;
  for (const byte of bytes) value = (crcTable[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
};

const chunk = (type: string, content: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(content.length, 0);
  named.copy(whole, 4);
  whole.writeUInt32BE(crc(named), named.length + 4);
  return whole;
};

export const toPng = ({ side, pixels }: Picture): Buffer => {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  // 8 bits per channel, with alpha.
  head.set([8, 6], 8);
  const rows = Array.from({ length: side }, (_, y) =>
    Buffer.concat([Buffer.from([0]), pixels.subarray(y * side * 4, (y + 1) * side * 4)]),
  );
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

/** The form that every Windows reads: bottom row first, blue first, followed by an empty mask. */
const toBitmap = ({ side, pixels }: Picture): Buffer => {
  const maskBytes = Math.ceil(side / 32) * 4 * side;
  const headBytes = 40;
  const bitmap = Buffer.alloc(headBytes + side * side * 4 + maskBytes);
  bitmap.writeUInt32LE(headBytes, 0);
  bitmap.writeInt32LE(side, 4);
  // The height includes the rows of the mask.
  bitmap.writeInt32LE(side * 2, 8);
  bitmap.writeUInt16LE(1, 12);
  bitmap.writeUInt16LE(32, 14);
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1) {
      const from = ((side - 1 - y) * side + x) * 4;
      const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray(from, from + 4);
      bitmap.set([blue, green, red, alpha], headBytes + (y * side + x) * 4);
    }
  return bitmap;
};

/** Every program that reads icons reads smaller pictures as bitmaps. */
const leastOfPng = 256;

export const toIco = (pictures: readonly Picture[]): Buffer => {
  const contents = pictures.map((picture) =>
    picture.side < leastOfPng ? toBitmap(picture) : toPng(picture),
  );
  const head = Buffer.alloc(6 + pictures.length * 16);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let at = head.length;
  for (const [index, { side }] of pictures.entries()) {
    const entry = 6 + index * 16;
    const { length = 0 } = contents[index] ?? {};
    // Zero means 256.
    head.set([side % 256, side % 256], entry);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(length, entry + 8);
    head.writeUInt32LE(at, entry + 12);
    at += length;
  }
  return Buffer.concat([head, ...contents]);
};
