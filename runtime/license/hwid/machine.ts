import type { IdentifierName } from './identifier.ts';
import { readLinuxIdentifier } from './linux.ts';
import { readWindowsIdentifier } from './windows.ts';

/** A machine's identifiers; each is read at most once, when first needed. Null: not usable. */
export interface Machine {
  identifier(name: IdentifierName): Promise<string | null>;
}

type ReadIdentifier = (name: IdentifierName) => Promise<string | null>;

export const createMachine = (read: ReadIdentifier): Machine => {
  const readings = new Map<IdentifierName, Promise<string | null>>();
  return {
    identifier(name) {
      const reading = readings.get(name) ?? read(name);
      readings.set(name, reading);
      return reading;
    },
  };
};

/** This machine, read from now on. On unsupported systems it has no identifier. */
export const thisMachine = (): Machine =>
  createMachine(async (name) => {
    if (process.platform === 'win32') return readWindowsIdentifier(name);
    return process.platform === 'linux' ? readLinuxIdentifier(name, '/') : null;
  });
