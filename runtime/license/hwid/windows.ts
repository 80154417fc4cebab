import { windowsLister } from '../../windows/listing.ts';
import { type RunSystemProgram, runSystemProgram } from '../../windows/system-program.ts';
import { type IdentifierName, usableIdentifier } from './identifier.ts';

/**
 * From the system drive to its partition to its disk, by classes that every account may query. No double quotes: they do not
 * survive every way of passing arguments.
 */
const systemDiskSerial = [
  "$ErrorActionPreference = 'Stop';",
  "function Next-Of($class, $id, $by) { Get-CimInstance -Query ('ASSOCIATORS OF {{{0}.DeviceID=''{1}''}} WHERE AssocClass={2}' -f $class, $id, $by) };",
  'Next-Of Win32_LogicalDisk $env:SystemDrive Win32_LogicalDiskToPartition |',
  'ForEach-Object { Next-Of Win32_DiskPartition $_.DeviceID Win32_DiskDriveToDiskPartition } |',
  'Select-Object -First 1 -ExpandProperty SerialNumber',
].join(' ');

export const readWindowsIdentifier = async (
  name: IdentifierName,
  runProgram: RunSystemProgram = runSystemProgram,
): Promise<string | null> => {
  try {
    return usableIdentifier(await readers[name](runProgram));
  } catch {
    // Missing, forbidden or too slow: this machine does not have the identifier.
    return null;
  }
};

/** `    <name>    REG_SZ    <value>`: the third column, in whatever language Windows runs. */
const readRegistry = async (runProgram: RunSystemProgram, key: string, value: string): Promise<string> => {
  const printed = await runProgram('reg.exe', ['query', key, '/v', value]);
  return /^\s+\S+\s+REG_SZ\s+(.+)$/m.exec(printed)?.[1] ?? '';
};

const powershell = 'WindowsPowerShell\\v1.0\\powershell.exe';

const readers: Record<IdentifierName, (runProgram: RunSystemProgram) => Promise<string>> = {
  machineId: (runProgram) =>
    readRegistry(runProgram, 'HKLM\\SOFTWARE\\Microsoft\\Cryptography', 'MachineGuid'),
  smbiosUuid: (runProgram) => readRegistry(runProgram, 'HKLM\\SYSTEM\\HardwareConfig', 'LastConfig'),
  diskSerial: async (runProgram) => {
    const way = [powershell, ['-NoProfile', '-NonInteractive', '-Command', systemDiskSerial]] as const;
    const printed = await windowsLister.list([way], (text) => text, runProgram);
    // One word is a serial, also before the number of an NVMe namespace (glpi-project/glpi-agent#680); a sentence is an error.
    return /^\s*(\S+)(?:\s+_[0-9A-F]{8}\.)?\s*$/i.exec(printed)?.[1] ?? '';
  },
};
