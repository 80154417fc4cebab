import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { reasons } from '#contracts/kernel/reasons.ts';
import { orientationOf, type PictureMediaType, withoutMetadata } from './without-metadata.ts';

interface PictureFacts {
  readonly mediaType: PictureMediaType;
  readonly width: number;
  readonly height: number;
}

/** A picture in the form in which it is stored. */
export interface Picture extends PictureFacts {
  /** Without metadata. */
  readonly bytes: Buffer;
  /** Of these bytes, in hex. */
  readonly sha256: string;
}

type Size = Pick<PictureFacts, 'width' | 'height'>;

/** Reads type and size from the bytes and removes the metadata, or says why the picture cannot be used. */
export const readPicture = (
  bytes: Buffer,
  limits: {
    /** Whole KiB. */
    readonly bytes: number;
    /** Per side. */
    readonly pixels: number;
  },
): Picture | { readonly unfit: string } => {
  if (bytes.length > limits.bytes) return { unfit: reasons['picture-too-large'](limits.bytes / 1024) };
  for (const { mediaType, begins, read } of formats) {
    if (!begins(bytes)) continue;
    const size = read(bytes);
    if (!size || size.width < 1 || size.height < 1) return { unfit: reasons['picture-damaged'] };
    if (size.width > limits.pixels || size.height > limits.pixels)
      return { unfit: reasons['picture-too-many-pixels'](limits.pixels) };
    const kept = withoutMetadata(bytes, mediaType);
    if (!kept) return { unfit: reasons['picture-damaged'] };
    const isOnItsSide = orientationOf(kept, mediaType) >= 5;
    const upright = isOnItsSide ? { width: size.height, height: size.width } : size;
    const sha256 = createHash('sha256').update(kept).digest('hex');
    return { mediaType, ...upright, bytes: kept, sha256 };
  }
  return { unfit: reasons['picture-kind'] };
};

const ascii = (bytes: Buffer, start: number, end: number): string => bytes.toString('latin1', start, end);

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** https://www.w3.org/TR/png-3/: chunks of length, type, data and checksum; the first is IHDR, the last IEND. */
const readPng = (bytes: Buffer): Size | null => {
  let size: Size | null = null;
  let hasData = false;
  for (let at = pngSignature.length; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return null;
    const type = ascii(bytes, at + 4, at + 8);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return null;
    if (size === null) {
      if (type !== 'IHDR' || end !== at + 25) return null;
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    }
    if (type === 'IDAT') hasData = true;
    if (type === 'IEND') return hasData ? size : null;
    at = end;
  }
  return null;
};

/** ITU-T T.81, table B.1: the frame headers of all compressions that browsers may meet. */
const frameHeaders = new Set([0xc0, 0xc1, 0xc2]);
/** DHT, JPG and DAC are in the same range and are not frames. */
const otherFrameHeaders = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);
const jpegSignature = Buffer.from([0xff, 0xd8, 0xff]);
const startOfScan = 0xda;
const endOfImage = Buffer.from([0xff, 0xd9]);

/** ITU-T T.81: markers with lengths up to the scan; the rest ends with EOI. */
const readJpeg = (bytes: Buffer): Size | null => {
  let size: Size | null = null;
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    // Any number of fill bytes may precede a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    const next = at + 2 + length;
    if (length < 2 || next > bytes.length) return null;
    if (marker === startOfScan) return size && bytes.lastIndexOf(endOfImage) >= next ? size : null;
    if (otherFrameHeaders.has(marker)) return null;
    if (frameHeaders.has(marker)) {
      // A second frame could claim another size than the one that is drawn.
      if (length < 8 || size) return null;
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    at = next;
  }
  return null;
};

/** RFC 9649: a RIFF file whose first chunk gives the size, in one of three ways. */
const readWebp = (bytes: Buffer): Size | null => {
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 > bytes.length) return null;
  if (20 + bytes.readUInt32LE(16) > bytes.length) return null;
  const kind = ascii(bytes, 12, 16);
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (kind === 'VP8L' && bytes[20] === 0x2f) {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (kind === 'VP8 ' && bytes.readUIntBE(23, 3) === 0x9d012a)
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  return null;
};

const formats = [
  {
    mediaType: 'image/png',
    begins: (bytes: Buffer) => bytes.subarray(0, 8).equals(pngSignature),
    read: readPng,
  },
  {
    mediaType: 'image/jpeg',
    begins: (bytes: Buffer) => bytes.subarray(0, 3).equals(jpegSignature),
    read: readJpeg,
  },
  {
    mediaType: 'image/webp',
    begins: (bytes: Buffer) => ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP',
    read: readWebp,
  },
] as const satisfies readonly {
  readonly mediaType: PictureMediaType;
  begins(bytes: Buffer): boolean;
  read(bytes: Buffer): Size | null;
}[];
