const utf16Mark = Buffer.from([0xff, 0xfe]);

/** Text of a file written by `reg export`: UTF-16, so that a path in any script survives. */
const decode = (file: Buffer): string =>
  file.subarray(0, 2).equals(utf16Mark) ? file.subarray(2).toString('utf16le') : file.toString('utf8');

/** Reads a text value from a file written by `reg export`; null when it is not there. */
export const readExportedText = (file: Buffer, name: string): string | null => {
  // A long value continues on the next line.
  const lines = decode(file)
    .replace(/\\\r?\n\s*/g, '')
    .split(/\r?\n/);
  const start = `"${name}"=`.toLowerCase();
  const value = lines.find((line) => line.toLowerCase().startsWith(start))?.slice(start.length);
  if (value === undefined) return null;
  if (value.startsWith('"')) return value.slice(1, value.lastIndexOf('"')).replace(/\\(.)/g, '$1');
  const bytes = /^hex\([12]\):([0-9a-f,]*)/i.exec(value)?.[1];
  if (bytes === undefined) return null;
  return Buffer.from(bytes.replaceAll(',', ''), 'hex').toString('utf16le').replace(/\0+$/, '');
};
