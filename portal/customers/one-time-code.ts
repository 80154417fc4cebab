import { createHash, randomBytes } from 'node:crypto';

/** Crockford's base32: no letters that look like digits. 8 characters are 40 bits, and each code has five tries. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const groupLength = 4;
const codeGroups = 2;
/** A code that is good for all who asked for the mailbox is guessed at by as many: 60 bits. */
const sharedCodeGroups = 3;

/** Such as `K7WD-3M9P`. */
export const newCode = (groups = codeGroups): string =>
  Array.from({ length: groups }, () =>
    Array.from(randomBytes(groupLength), (byte) => alphabet.charAt(byte & 31)).join(''),
  ).join('-');

/** Such as `K7WD-3M9P-Q2XR`. */
export const newSharedCode = (): string => newCode(sharedCodeGroups);

/** What a person typed, without what they may get wrong: spaces, hyphens, capitals, O for 0, I and L for 1. */
const bareCode = (typed: string): string =>
  typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');

/** Whether somebody has typed something that could be a code; anything else need not cost a try. */
export const isCodeShaped = (typed: string): boolean => {
  const bare = bareCode(typed);
  const isLong = [codeGroups, sharedCodeGroups].includes(bare.length / groupLength);
  return isLong && [...bare].every((letter) => alphabet.includes(letter));
};

/**
 * What is kept of a code. It is too short to be kept by its hash alone; the holder's secret, which is kept nowhere,
 * makes the hash worthless to whoever reads the database.
 * @param use what the code is good for: purpose and license
 */
export const codeDigest = (holderSecret: string, use: string, typed: string): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([holderSecret, use, bareCode(typed)]))
    .digest();
