import type { IdentifierName } from './identifier.ts';
import { isMachineIdOfImage, readLinuxIdentifier } from './linux.ts';
import { readWindowsIdentifier } from './windows.ts';

/** A machine's identifiers; each is read at most once, when first needed. Null: not usable. */
export interface Machine {
  identifier(name: IdentifierName): Promise<string | null>;
  /** Whether other machines have the same: it opens what was bound to it, and nothing more is bound to it. */
  isShared(name: IdentifierName): Promise<boolean>;
}

type ReadIdentifier = (name: IdentifierName) => Promise<string | null>;

export const createMachine = (
  read: ReadIdentifier,
  isShared: Machine['isShared'] = async () => false,
): Machine => {
  const readings = new Map<IdentifierName, Promise<string | null>>();
  return {
    identifier(name) {
      const reading = readings.get(name) ?? read(name);
      readings.set(name, reading);
      return reading;
    },
    isShared,
  };
};

/** This machine, read from now on. On unsupported systems it has no identifier. */
export const thisMachine = (): Machine =>
  createMachine(
    async (name) => {
      if (process.platform === 'win32') return readWindowsIdentifier(name);
      return process.platform === 'linux' ? readLinuxIdentifier(name, '/') : null;
    },
    async (name) => name === 'machineId' && process.platform === 'linux' && isMachineIdOfImage('/'),
  );
