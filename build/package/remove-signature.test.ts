import { expect, test } from 'vitest';
import { hasSignature, withoutSignature } from './remove-signature.ts';

const header = 0x80;
const optional = header + 24;
const certificates = optional + 112 + 32;

/** The smallest Windows program that has room for a signature. */
const program = (start: number, length: number, magic = 0x20b): Buffer => {
  const bytes = Buffer.alloc(1024, 7);
  bytes.writeUInt32LE(header, 0x3c);
  bytes.write('PE\0\0', header, 'latin1');
  bytes.writeUInt16LE(magic, optional);
  bytes.writeUInt32LE(0xabcd, optional + 64);
  bytes.writeUInt32LE(start, certificates);
  bytes.writeUInt32LE(length, certificates + 4);
  return bytes;
};

// Guarantee: the signature and its directory entry are removed and nothing else changes; an unexpected layout is refused.
test('a signed program', () => {
  const signed = program(1000, 24);
  const unsigned = withoutSignature(signed);
  expect([hasSignature(signed), hasSignature(unsigned)]).toEqual([true, false]);
  expect(unsigned.length).toBe(1000);
  expect(unsigned.readBigUInt64LE(certificates)).toBe(0n);
  expect(unsigned.readUInt32LE(optional + 64)).toBe(0);
  const rest = Buffer.from(signed.subarray(0, 1000));
  rest.writeUInt32LE(0, optional + 64);
  rest.writeBigUInt64LE(0n, certificates);
  expect(unsigned.equals(rest)).toBe(true);
  const never = program(0, 0);
  expect(withoutSignature(never)).toBe(never);
  expect(() => withoutSignature(program(900, 24))).toThrow('Something follows its signature.');
  expect(() => withoutSignature(program(1000, 24, 0x10b))).toThrow('It is no 64-bit Windows program.');
});
