/** Offsets in Microsoft's PE format: https://learn.microsoft.com/windows/win32/debug/pe-format */
const headerAt = 0x3c;
const optionalHeaderAt = 24;
const pe32PlusMagic = 0x20b;
const checksumAt = 64;
/** In PE32+: the data directory's fifth entry, the certificates. */
const certificatesAt = 112 + 4 * 8;

/** Where a program's optional header is. @throws when it is no 64-bit Windows program */
const optionalHeaderOf = (program: Buffer): number => {
  const header = program.readUInt32LE(headerAt);
  const optional = header + optionalHeaderAt;
  if (
    program.toString('latin1', header, header + 4) !== 'PE\0\0' ||
    program.readUInt16LE(optional) !== pe32PlusMagic
  )
    throw new Error('It is no 64-bit Windows program.');
  return optional;
};

/** Whether a Windows program has a signature, valid or not. @throws when it is no 64-bit Windows program */
export const hasSignature = (program: Buffer): boolean =>
  program.readUInt32LE(optionalHeaderOf(program) + certificatesAt + 4) > 0;

/**
 * Removes a Windows program's signature: a change to the program would make it invalid, which Windows treats worse
 * than none.
 * @throws when it is no 64-bit Windows program, or something follows its signature
 */
export const withoutSignature = (program: Buffer): Buffer => {
  const optional = optionalHeaderOf(program);
  const start = program.readUInt32LE(optional + certificatesAt);
  const length = program.readUInt32LE(optional + certificatesAt + 4);
  if (length === 0) return program;
  if (start + length !== program.length) throw new Error('Something follows its signature.');
  const unsigned = Buffer.from(program.subarray(0, start));
  unsigned.writeUInt32LE(0, optional + checksumAt);
  unsigned.writeUInt32LE(0, optional + certificatesAt);
  unsigned.writeUInt32LE(0, optional + certificatesAt + 4);
  return unsigned;
};
