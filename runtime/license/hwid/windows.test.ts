import { expect, test } from 'vitest';
import type { RunSystemProgram } from '../../windows/system-program.ts';
import { readWindowsIdentifier } from './windows.ts';

const guid = '8a1f0c9e-52b7-4d3e-9c61-7f0e2d4b6a85';
const bare = guid.replaceAll('-', '');

const printing =
  (text: string): RunSystemProgram =>
  async () =>
    text;

// Guarantee: values are read by position, so that Windows gives the same ones in any language.
test('registry values', async () => {
  const german = `\r\nHKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Cryptography\r\n    MachineGuid    REG_SZ    ${guid}\r\n\r\nEnde der Suche: 1 Übereinstimmungen gefunden.\r\n`;
  expect(await readWindowsIdentifier('machineId', printing(german))).toBe(bare);
  const braces = `\r\nHKEY_LOCAL_MACHINE\\SYSTEM\\HardwareConfig\r\n    LastConfig    REG_SZ    {${guid.toUpperCase()}}\r\n\r\n`;
  expect(await readWindowsIdentifier('smbiosUuid', printing(braces))).toBe(bare);
});

test('the disk serial', async () => {
  expect(await readWindowsIdentifier('diskSerial', printing('     WD-WCC4N0123456\r\n'))).toBe(
    'wdwcc4n0123456',
  );
  expect(await readWindowsIdentifier('diskSerial', printing('0025_3851_01B1_2C4D.\r\n'))).toBe(
    '0025385101b12c4d',
  );
  // glpi-project/glpi-agent#680
  const withNamespace = printing('S4EVNX0N123456X     _00000001.\r\n');
  expect(await readWindowsIdentifier('diskSerial', withNamespace)).toBe('s4evnx0n123456x');
});

// Guarantee: a program that is missing, forbidden, too slow or silent (a stub) means "not usable", never a failed start.
test('no value where a program fails or prints nothing of use', async () => {
  const failing: RunSystemProgram = async () => {
    throw new Error('timed out');
  };
  for (const name of ['machineId', 'smbiosUuid', 'diskSerial'] as const) {
    for (const run of [
      failing,
      printing(''),
      printing('ERROR: not found\r\n'),
      printing('    X    REG_SZ    \r\n'),
    ])
      expect(await readWindowsIdentifier(name, run)).toBeNull();
  }
});
