import { createHash } from 'node:crypto';

const numbersInHash = 5;

/**
 * The account `NT SERVICE\<name>` by number, so that permissions can be given before Windows knows the name: S-1-5-80 and the
 * SHA-1 of the service's name in capitals, UTF-16, as five numbers of 32 bits (Windows's own rule for service SIDs).
 */
export const serviceSid = (service: string): string => {
  const hash = createHash('sha1').update(service.toUpperCase(), 'utf16le').digest();
  const numbers = Array.from({ length: numbersInHash }, (_, index) => hash.readUInt32LE(index * 4));
  return ['S-1-5-80', ...numbers].join('-');
};
