import { createCipheriv } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import type { ArchiveFault } from '../archive.ts';
import { hostilePaths } from './hostile-paths.ts';
import { file, good, type HostileZip, whole } from './hostile-zip.ts';
import { extraField, zipByBytes } from './zip-by-bytes.ts';

const linkMode = 0o120_777;
const ofKind = (what: string, fault: ArchiveFault, mode: number): HostileZip => ({
  name: what,
  fault,
  bytes: () => zipByBytes([good, { ...file('mods/odd'), mode }]),
});

/** Packed to a thousandth of its size. */
const zeros = (bytes: number): Buffer => deflateRawSync(Buffer.alloc(bytes), { level: 9 });

/** Incompressible, and the same each time. */
const noise = (bytes: number): Buffer =>
  createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(bytes));

const wide = (...values: readonly bigint[]): Buffer => {
  const data = Buffer.alloc(values.length * 8);
  values.forEach((value, at) => {
    data.writeBigUInt64LE(value, at * 8);
  });
  return extraField(1, data);
};

const unicodePath = (raw: string, name: string): Buffer => {
  const head = Buffer.alloc(5);
  head[0] = 1;
  head.writeUInt32LE(crc32(raw), 1);
  return extraField(0x7075, Buffer.concat([head, Buffer.from(name)]));
};

const kinds: readonly HostileZip[] = [
  whole('a symbolic link', 'link', () =>
    zipByBytes([good, { ...file('mods/link', '/etc/passwd'), mode: linkMode }]),
  ),
  whole('a symbolic link and a file through it', 'link', () =>
    zipByBytes([{ ...file('mods/link', '/tmp'), mode: linkMode }, file('mods/link/evil')]),
  ),
  whole('a link in the field of ASi', 'link', () => {
    const data = Buffer.alloc(14 + 4);
    data.writeUInt16LE(linkMode, 4);
    return zipByBytes([good, { ...file('mods/link', ''), extra: extraField(0x756e, data) }]);
  }),
  whole('a hard link in the field of PKWARE', 'link', () => {
    const data = Buffer.concat([Buffer.alloc(12), Buffer.from('/etc/passwd')]);
    return zipByBytes([good, { ...file('mods/link', ''), extra: extraField(0x000d, data) }]);
  }),
  ofKind('a named pipe', 'special-file', 0o010_644),
  ofKind('a character device', 'special-file', 0o020_644),
  ofKind('a block device', 'special-file', 0o060_644),
  ofKind('a socket', 'special-file', 0o140_644),
  whole('a folder with content', 'damaged', () => zipByBytes([good, file('mods/folder/')])),
  whole('a file by its mode with the name of a folder', 'damaged', () =>
    zipByBytes([good, { name: 'mods/folder/', mode: 0o100_644 }]),
  ),
  whole('an encrypted file', 'encrypted', () => zipByBytes([good, { ...file('mods/x'), flags: 0x801 }])),
  whole('strong encryption', 'encrypted', () => zipByBytes([good, { ...file('mods/x'), flags: 0x841 }])),
  whole('an encrypted file by its own header', 'encrypted', () =>
    zipByBytes([good, { ...file('mods/x'), local: { flags: 0x801 } }]),
  ),
  whole('an encrypted list of files', 'encrypted', () =>
    zipByBytes([good, { ...file('mods/x'), flags: 0x2800 }]),
  ),
  ...[1, 6, 9, 12, 14, 93, 95, 98, 99].map((method) =>
    whole(`compression method ${method}`, 'method', () => zipByBytes([good, { ...file('mods/x'), method }])),
  ),
];

const lies: readonly HostileZip[] = [
  whole('another name in its own header', 'damaged', () =>
    zipByBytes([good, { ...file('mods/x.jar'), local: { name: '../../evil' } }]),
  ),
  whole('another name in a Unicode field', 'damaged', () =>
    zipByBytes([good, { ...file('mods/x.jar'), extra: unicodePath('mods/x.jar', '../../evil') }]),
  ),
  whole('a path out of the folder in a Unicode field alone', 'path-outside', () =>
    zipByBytes([good, { ...file('mods/\u00fc'), flags: 0, extra: unicodePath('mods/\u00fc', '../../evil') }]),
  ),
  whole('another method in its own header', 'damaged', () =>
    zipByBytes([good, { ...file('mods/x'), local: { method: 0 } }]),
  ),
  whole('another size in its own header', 'damaged', () =>
    zipByBytes([good, { ...file('mods/x'), local: { bytes: 7 } }]),
  ),
  whole('another checksum in its own header', 'damaged', () =>
    zipByBytes([good, { ...file('mods/x'), local: { crc: 7 } }]),
  ),
  whole('a wrong checksum', 'crc', () =>
    zipByBytes([good, { ...file('mods/x'), local: { crc: 7 }, central: { crc: 7 } }]),
  ),
  whole('a wrong checksum of a stored file', 'crc', () =>
    zipByBytes([good, { ...file('mods/x'), method: 0, local: { crc: 7 }, central: { crc: 7 } }]),
  ),
  whole('a wrong checksum of a large file', 'crc', () =>
    zipByBytes([
      good,
      {
        ...file('mods/x', Buffer.alloc(2_000_000, 'abcdefg')),
        method: 0,
        local: { crc: 7 },
        central: { crc: 7 },
      },
    ]),
  ),
  ...[3, 3_000_000].flatMap((bytes) => [
    whole(`more bytes than ${bytes} as it says`, 'size', () =>
      zipByBytes([
        good,
        {
          ...file('mods/x'),
          packed: deflateRawSync(noise(bytes + 1)),
          local: { bytes },
          central: { bytes },
        },
      ]),
    ),
    whole(`fewer bytes than ${bytes} as it says`, 'size', () =>
      zipByBytes([
        good,
        {
          ...file('mods/x'),
          packed: deflateRawSync(noise(bytes - 1)),
          local: { bytes },
          central: { bytes },
        },
      ]),
    ),
  ]),
  whole('a stored file with another size', 'size', () =>
    zipByBytes([good, { ...file('mods/x'), method: 0, local: { bytes: 7 }, central: { bytes: 7 } }]),
  ),
  whole('data that deflate did not write', 'damaged', () =>
    zipByBytes([good, { ...file('mods/x'), packed: Buffer.alloc(64, 0xff) }]),
  ),
  whole('deflated data that is cut off', 'damaged', () =>
    zipByBytes([
      good,
      {
        ...file('mods/x', 'much more text than what is left of it'),
        packed: deflateRawSync('much more text').subarray(0, 5),
      },
    ]),
  ),
  whole('two files in the same bytes', 'overlap', () =>
    zipByBytes([file('mods/x'), { ...file('mods/x'), central: { offset: 0 } }]),
  ),
  whole('a file within another', 'overlap', () => {
    const inner = zipByBytes([{ ...file('mods/y'), method: 0 }]);
    const offset = 30 + 'mods/x'.length;
    return zipByBytes([
      { ...file('mods/x', inner), method: 0 },
      { ...file('mods/y'), method: 0, central: { offset } },
    ]);
  }),
  whole('a file that reaches into the list of files', 'overlap', () =>
    zipByBytes([
      {
        ...file('mods/x'),
        method: 0,
        local: { packedBytes: 40, bytes: 40 },
        central: { packedBytes: 40, bytes: 40 },
      },
    ]),
  ),
  whole('a file beyond the end', 'damaged', () =>
    zipByBytes([good, { ...file('mods/x'), central: { offset: 0x7fff_ffff } }]),
  ),
  whole('a header that is none', 'damaged', () =>
    zipByBytes([{ ...file('mods/x'), central: { offset: 3 } }]),
  ),
  whole('an extra field longer than its room', 'damaged', () =>
    zipByBytes([good, { ...file('mods/x'), extra: Buffer.from([1, 0, 0xff, 0xff, 0]) }]),
  ),
];

const bombs: readonly HostileZip[] = [
  whole('100 MB of zeros', 'bomb', () => zipByBytes([good, file('mods/x', Buffer.alloc(100_000_000))])),
  whole('4 GB of zeros that say 4 GB', 'bomb', () =>
    zipByBytes([
      good,
      {
        ...file('mods/x'),
        packed: zeros(1_000_000),
        local: { bytes: 4_000_000_000 },
        central: { bytes: 4_000_000_000 },
      },
    ]),
  ),
  whole('zeros that say they are few', 'size', () =>
    zipByBytes([
      good,
      {
        ...file('mods/x'),
        packed: zeros(200_000_000),
        local: { bytes: 900_000 },
        central: { bytes: 900_000 },
      },
    ]),
  ),
  whole('zeros that say they are few, in a stream', 'size', () =>
    zipByBytes([
      good,
      {
        ...file('mods/x'),
        packed: zeros(200_000_000),
        local: { bytes: 2_000_000 },
        central: { bytes: 2_000_000 },
      },
    ]),
  ),
  whole('9 GB by what it says', 'too-large', () =>
    zipByBytes([
      good,
      {
        ...file('mods/x'),
        local: { bytes: 0xffff_ffff, extra: wide(9_000_000_000n) },
        central: { bytes: 0xffff_ffff, extra: wide(9_000_000_000n) },
      },
    ]),
  ),
  whole('sizes of zip64 that no file has', 'too-large', () =>
    zipByBytes([
      good,
      {
        ...file('mods/x'),
        central: { bytes: 0xffff_ffff, packedBytes: 0xffff_ffff, extra: wide(2n ** 63n, 2n ** 63n) },
      },
    ]),
  ),
  whole('a list of files of 36 MB', 'too-large', () =>
    zipByBytes(
      Array.from({ length: 600 }, (_, at) => ({
        ...file(`mods/${at}`),
        central: { extra: extraField(0x9999, Buffer.alloc(60_000)) },
      })),
    ),
  ),
  whole('1,000,000 entries', 'too-many-entries', () => {
    const one = zipByBytes([good]);
    const start = one.readUInt32LE(one.length - 22 + 16);
    const header = one.subarray(start, one.length - 22);
    const directory = Buffer.concat(Array.from({ length: 1_000_000 }, () => header));
    const entries = 1_000_000;
    const tail = zipByBytes([], {
      zip64: {
        entriesHere: entries,
        entries,
        directoryBytes: directory.length,
        directoryStart: start,
        offset: start + directory.length,
      },
      end: { entriesHere: 0xffff, entries: 0xffff, directoryBytes: 0xffff_ffff, directoryStart: 0xffff_ffff },
    });
    return Buffer.concat([one.subarray(0, start), directory, tail]);
  }),
];

const wholes: readonly HostileZip[] = [
  whole('an empty file', 'not-an-archive', () => Buffer.alloc(0)),
  whole('a file of one byte', 'not-an-archive', () => Buffer.from('P')),
  whole('a page of a web server', 'not-an-archive', () =>
    Buffer.from('<!doctype html><title>404</title>'.repeat(99)),
  ),
  whole('a RAR archive', 'not-an-archive', () =>
    Buffer.concat([Buffer.from('Rar!\x1a\x07\x01\0', 'latin1'), Buffer.alloc(999)]),
  ),
  whole('a zip that is cut off', 'damaged', () => zipByBytes([good, file('mods/x')]).subarray(0, 90)),
  whole('a zip without its last byte', 'damaged', () => zipByBytes([good]).subarray(0, -1)),
  whole('bytes behind the end', 'damaged', () => zipByBytes([good], { suffix: Buffer.from('trailing') })),
  whole('a comment longer than the file', 'damaged', () => zipByBytes([good], { commentBytes: 999 })),
  whole('another archive in its comment', 'damaged', () =>
    zipByBytes([good], { comment: zipByBytes([file('mods/evil.jar')]) }),
  ),
  whole('the first part of several', 'damaged', () =>
    zipByBytes([good], { end: { disk: 1, directoryDisk: 1 } }),
  ),
  whole('a list of files on another disk', 'damaged', () =>
    zipByBytes([good], { end: { directoryDisk: 2 } }),
  ),
  whole('other entries on other disks', 'damaged', () => zipByBytes([good], { end: { entries: 9 } })),
  whole('fewer entries than the list has', 'damaged', () =>
    zipByBytes([good, file('mods/x')], { end: { entriesHere: 1, entries: 1 } }),
  ),
  whole('more entries than the list has', 'damaged', () =>
    zipByBytes([good], { end: { entriesHere: 2, entries: 2 } }),
  ),
  whole('a list of files that begins elsewhere', 'damaged', () =>
    zipByBytes([good], { end: { directoryStart: 7 } }),
  ),
  whole('a list of files beyond the end', 'damaged', () =>
    zipByBytes([good], { end: { directoryStart: 0x7fff_ffff } }),
  ),
  whole('a list of files that is shorter', 'damaged', () =>
    zipByBytes([good], { end: { directoryBytes: 3 } }),
  ),
  whole('bytes before the archive that no record counts', 'damaged', () =>
    Buffer.concat([Buffer.from('#!/bin/sh\n'), zipByBytes([good])]),
  ),
  whole('a zip64 end that says otherwise', 'damaged', () =>
    zipByBytes([good, file('mods/x')], { zip64: {}, end: { entriesHere: 1, entries: 1 } }),
  ),
  whole('a zip64 end elsewhere', 'damaged', () => zipByBytes([good], { zip64: { offset: 3 } })),
  whole('a zip64 end beyond the end', 'damaged', () => zipByBytes([good], { zip64: { offset: 2 ** 52 } })),
  whole('a zip64 end with another signature', 'damaged', () =>
    zipByBytes([good], { zip64: { signature: 7 } }),
  ),
  whole('a zip64 end of another length', 'damaged', () =>
    zipByBytes([good], { zip64: { recordBytes: 4000 } }),
  ),
  whole('a zip64 end on another disk', 'damaged', () =>
    zipByBytes([good], { zip64: { disk: 3 }, end: { disk: 0xffff } }),
  ),
];

export const hostileZips: readonly HostileZip[] = [...hostilePaths, ...kinds, ...lies, ...bombs, ...wholes];
