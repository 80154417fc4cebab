const lengthOf = (length: number): readonly number[] => {
  if (length < 128) return [length];
  return length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
};

/** A value in DER, up to 64 KiB. */
export const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(body.length)]), body]);
};
export const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
/** Years from 1950 to 2049. */
export const time = (date: Date): Buffer =>
  der(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));
/** @param hex its content */
export const objectId = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
/** The name of a person or host, as the subject of a certificate. */
export const commonName = (name: string): Buffer =>
  sequence(der(0x31, sequence(objectId('550403'), der(0x0c, Buffer.from(name)))));
