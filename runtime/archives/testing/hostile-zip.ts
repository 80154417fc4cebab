import type { ArchiveFault } from '../archive.ts';

export interface HostileZip {
  readonly name: string;
  readonly fault: ArchiveFault;
  readonly bytes: () => Buffer;
}

export const file = (name: string | Buffer, data: string | Buffer = 'harmless') => ({ name, data });
/** An entry that could be written, were the archive not refused as a whole. */
export const good = file('mods/good.jar');

export const whole = (what: string, fault: ArchiveFault, bytes: () => Buffer): HostileZip => ({
  name: what,
  fault,
  bytes,
});
