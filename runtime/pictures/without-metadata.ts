import { crc32 } from 'node:zlib';

export type PictureMediaType = 'image/png' | 'image/jpeg' | 'image/webp';

/**
 * A picture without anything that does not draw it: where a photo was taken and by whom, comments, thumbnails, bytes after its
 * end. The drawn pixels stay unchanged, and so do their colours (the ICC profile) and which side is up. Null when the bytes are not a complete picture of this kind.
 */
export const withoutMetadata = (bytes: Buffer, mediaType: PictureMediaType): Buffer | null =>
  rewrites[mediaType](bytes);

const ascii = (bytes: Buffer, at: number, length: number): string =>
  bytes.toString('latin1', at, at + length);

/** https://www.w3.org/TR/png-3/: chunks of length, type, data and checksum after 8 bytes. */
const drawingChunks = new Set([
  'IHDR',
  'PLTE',
  'tRNS',
  'cHRM',
  'gAMA',
  'sRGB',
  'iCCP',
  'cICP',
  'sBIT',
  'mDCV',
  'cLLI',
  'acTL',
  'fcTL',
  'fdAT',
  'IDAT',
  'IEND',
]);

/** An eXIf chunk that holds the orientation and nothing else. */
const orientationChunk = (turned: number): Buffer => {
  const body = Buffer.concat([Buffer.from('eXIf', 'latin1'), orientationTiff(turned)]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
};

/** Ends with IEND: programs that crop in place leave the rest of the former picture behind it. */
const rewritePng = (bytes: Buffer): Buffer | null => {
  const kept = [bytes.subarray(0, 8)];
  const turned = pngOrientation(bytes);
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return null;
    const type = ascii(bytes, at + 4, 4);
    if (drawingChunks.has(type)) kept.push(bytes.subarray(at, end));
    if (type === 'IHDR' && turned !== 1) kept.push(orientationChunk(turned));
    if (type === 'IEND') return Buffer.concat(kept);
    at = end;
  }
  return null;
};

/** ITU-T T.81, table B.1. */
const jpeg = { endOfImage: 0xd9, startOfScan: 0xda, comment: 0xfe } as const;
const isApplication = (marker: number): boolean => marker >= 0xe0 && marker <= 0xef;
const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7;

/** JFIF's header, and Adobe's and the ICC profile, without which files show wrong colours. */
const drawsJpeg = (bytes: Buffer, at: number, marker: number): boolean =>
  (marker === 0xe0 && ascii(bytes, at + 4, 5) === 'JFIF\0') ||
  (marker === 0xe2 && ascii(bytes, at + 4, 12) === 'ICC_PROFILE\0') ||
  (marker === 0xee && ascii(bytes, at + 4, 5) === 'Adobe') ||
  (marker !== jpeg.comment && !isApplication(marker));

/**
 * Exif 2.32: how a picture has to be turned to be upright, from a TIFF header and its first directory; cameras do not turn the
 * pixels. 1 to 8; 1 if nothing says so.
 */
const tiffOrientation = (tiff: Buffer): number => {
  if (tiff.length < 8) return 1;
  const isLittle = ascii(tiff, 0, 2) === 'II';
  if (!isLittle && ascii(tiff, 0, 2) !== 'MM') return 1;
  const read16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return 1;
  for (let entry = 0; entry < read16(directory); entry += 1) {
    const at = directory + 2 + entry * 12;
    if (at + 12 > tiff.length) return 1;
    if (read16(at) !== 0x0112) continue;
    const turned = read16(at + 8);
    return read16(at + 2) === 3 && turned >= 1 && turned <= 8 ? turned : 1;
  }
  return 1;
};

const orientationTiff = (turned: number): Buffer => {
  const tiff = Buffer.from('4d4d002a00000008' + '0001' + '0112000300000001' + '00000000' + '00000000', 'hex');
  tiff.writeUInt16BE(turned, 18);
  return tiff;
};

/** An Exif segment that holds the orientation and nothing else. */
const orientationSegment = (turned: number): Buffer => {
  const tiff = orientationTiff(turned);
  const head = Buffer.from('ffe10000', 'hex');
  head.writeUInt16BE(2 + 6 + tiff.length, 2);
  return Buffer.concat([head, Buffer.from('Exif\0\0', 'latin1'), tiff]);
};

/** By the first eXIf chunk, which browsers heed as in a JPEG; that of a WebP file they do not. */
const pngOrientation = (bytes: Buffer): number => {
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const type = ascii(bytes, at + 4, 4);
    if (type === 'eXIf' && end <= bytes.length) return tiffOrientation(bytes.subarray(at + 8, end - 4));
    if (type === 'IEND') return 1;
    at = end;
  }
  return 1;
};

/** By the first Exif segment that says so. */
const jpegOrientation = (bytes: Buffer): number => {
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === jpeg.startOfScan || marker === jpeg.endOfImage) return 1;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    const isExif = marker === 0xe1 && ascii(bytes, at + 4, 6) === 'Exif\0\0';
    const turned = isExif ? tiffOrientation(bytes.subarray(at + 10, end)) : 1;
    if (turned !== 1) return turned;
    at = end;
  }
  return 1;
};

/** How browsers turn the picture to show it upright, as Exif counts: 1 to 8. */
export const orientationOf = (bytes: Buffer, mediaType: PictureMediaType): number => {
  if (mediaType === 'image/jpeg') return jpegOrientation(bytes);
  return mediaType === 'image/png' ? pngOrientation(bytes) : 1;
};

/** The end of coded data: the next marker that is neither a restart nor a byte of the data. */
const scanEnd = (bytes: Buffer, from: number): number => {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !isRestart(next)) return at;
  }
  return bytes.length;
};

const rewriteJpeg = (bytes: Buffer): Buffer | null => {
  const turned = jpegOrientation(bytes);
  const kept = [bytes.subarray(0, 2), ...(turned === 1 ? [] : [orientationSegment(turned)])];
  for (let at = 2; at + 2 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return null;
    // Any number of fill bytes may precede a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === jpeg.endOfImage) return Buffer.concat([...kept, bytes.subarray(at, at + 2)]);
    if (at + 4 > bytes.length) return null;
    const length = bytes.readUInt16BE(at + 2);
    let end = at + 2 + length;
    if (length < 2 || end > bytes.length) return null;
    if (marker === jpeg.startOfScan) end = scanEnd(bytes, end);
    if (drawsJpeg(bytes, at, marker)) kept.push(bytes.subarray(at, end));
    at = end;
  }
  return null;
};

/** RFC 9649: chunks of type, length and data, padded to even lengths, after 12 bytes. */
const drawingWebpChunks = new Set(['VP8X', 'ICCP', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF']);
/** Flags of VP8X: Exif and XMP are present. */
const metadataFlags = 0x08 | 0x04;

const rewriteWebp = (bytes: Buffer): Buffer | null => {
  const kept: Buffer[] = [];
  const whole = bytes.readUInt32LE(4) + 8;
  for (let at = 12; at < whole; ) {
    if (at + 8 > whole) return null;
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (end > bytes.length) return null;
    const type = ascii(bytes, at, 4);
    if (drawingWebpChunks.has(type)) {
      const chunk = Buffer.from(bytes.subarray(at, end));
      if (type === 'VP8X' && length > 0) chunk[8] = (chunk[8] ?? 0) & ~metadataFlags;
      kept.push(chunk);
    }
    at = end;
  }
  const body = Buffer.concat(kept);
  const head = Buffer.from('RIFF....WEBP', 'latin1');
  head.writeUInt32LE(body.length + 4, 4);
  return body.length === 0 ? null : Buffer.concat([head, body]);
};

const rewrites: Readonly<Record<PictureMediaType, (bytes: Buffer) => Buffer | null>> = {
  'image/png': rewritePng,
  'image/jpeg': rewriteJpeg,
  'image/webp': rewriteWebp,
};
