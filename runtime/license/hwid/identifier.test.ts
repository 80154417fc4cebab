import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { usableIdentifier } from './identifier.ts';

// Guarantee: placeholders that boards and disks report in place of a value never become a machine's identity.
test.each([
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  'deaddead-dead-dead-dead-deaddeaddead',
  'DEADBEEF-DEAD-BEEF-DEAD-BEEFDEADBEEF',
  '{03000200-0400-0500-0006-000700080009}',
  '00020003-0004-0005-0006-000700080009',
  '01234567-89ab-cdef-0123-456789abcdef',
  '12345678901234567890',
  '11111111-1111-1111-1111-111111111111',
  'xxxxxxxxxxxxxxxxxxxxxxxxx',
  'To be filled by O.E.M.',
  'To Be Filled By O.E.M. To Be Filled By O.E.M.',
  'Default string',
  'None',
  'Not Specified',
  'Not Applicable',
  'System Serial Number',
  'uninitialized',
  'QM00001',
  'overlayblk',
  '00000000-0000-0000-0000-ac1f6b123456',
  '4294967296123456789',
  '0000_0000_0000_0001.',
  '0000_0000_0000_0000.',
  '0025_3800_0000_0001.',
  '0000_0000_0000_0000_0000_0000_0000_0001.',
  '0025 3851 01B1 2C4D',
  '5000000000000001',
  'eui.0000000000000001',
  '0000_0000_0000_0001_0000_0000_0000_0001.',
  // The same in each virtual machine: VirtualBox (VirtualBox/virtualbox#828) and QEMU (hw/nvme/ns.c).
  'VB1234-56789',
  'eui.5254000000000001',
  // What Windows made of different disks (sebhildebrandt/systeminformation#1039).
  '0000000005\u0006\u0018',
  '\u00030',
  '',
  '   \n',
])('%j is not usable', (raw) => {
  expect(usableIdentifier(raw)).toBeNull();
});

// Guarantee: real values count, and their spelling (case, braces, hyphens, spaces) does not.
test.each([
  ['4C4C4544-0044-3510-8056-B7C04F4E3532', '4c4c4544004435108056b7c04f4e3532'],
  ['  {4c4c4544-0044-3510-8056-b7c04f4e3532}\r\n', '4c4c4544004435108056b7c04f4e3532'],
  ['S3Z9NB0K123456X', 's3z9nb0k123456x'],
  ['     WD-WCC4N0123456  ', 'wdwcc4n0123456'],
  ['5002538e40b0a1b2', '5002538e40b0a1b2'],
  // Registered numbers, whose zeros are the maker's: Samsung, Micron, WD, Seagate (SAS), and the forms of Linux.
  ['0025_3851_01B1_2C4D.', '0025385101b12c4d'],
  ['00A0_7501_2C4F_8E70.', '00a075012c4f8e70'],
  ['0000_0000_0000_0000_0025_3851_01B1_2C4D.', '00000000000000000025385101b12c4d'],
  ['E823_8FA6_BF53_0001_001B_444A_4647_E4D8.', 'e8238fa6bf530001001b444a4647e4d8'],
  // Micron counts namespaces before its number.
  ['0000_0000_0000_0001_00A0_7501_2C4F_8E00.', '000000000000000100a075012c4f8e00'],
  ['eui.000000000000000100a075012c4f8e00', '000000000000000100a075012c4f8e00'],
  // systemd/systemd#3136
  ['eui.3825004235000591', '3825004235000591'],
  ['5000C500A1B2C300', '5000c500a1b2c300'],
  ['eui.0025385101b12c4d', '0025385101b12c4d'],
  ['naa.5000c500a1b2c300', '5000c500a1b2c300'],
  ['uuid.8a1f0c9e-52b7-4d3e-9c61-7f0e2d4b6a85', '8a1f0c9e52b74d3e9c617f0e2d4b6a85'],
])('%j is read as %s', (raw, value) => {
  expect(usableIdentifier(raw)).toBe(value);
});

test('random ids are usable', () => {
  fc.assert(
    fc.property(fc.constant(null), () => {
      expect(usableIdentifier(randomUUID())).not.toBeNull();
    }),
    { numRuns: 500 },
  );
});
