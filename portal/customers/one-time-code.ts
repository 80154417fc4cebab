import { tokenDigest } from '#runtime/auth/secret-token.ts';
import { groupLength, isInAlphabet, newTypedCode, normalizeTypedCode } from '#runtime/auth/typed-code.ts';

/** 40 bits, and each code has five tries. */
const codeGroups = 2;
/** A code that is good for all who asked for the mailbox is guessed at by as many: 60 bits. */
const sharedCodeGroups = 3;

/** Such as `K7WD-3M9P`. */
export const newCode = (): string => newTypedCode(codeGroups);

/** Such as `K7WD-3M9P-Q2XR`. */
export const newSharedCode = (): string => newTypedCode(sharedCodeGroups);

/** Whether somebody has typed something that could be a code; anything else need not cost a try. */
export const isCodeShaped = (typed: string): boolean => {
  const bare = normalizeTypedCode(typed);
  const isLong = [codeGroups, sharedCodeGroups].includes(bare.length / groupLength);
  return isLong && isInAlphabet(bare);
};

/**
 * What is kept of a code. It is too short to be kept by its hash alone; the holder's secret, which is kept nowhere,
 * makes the hash worthless to whoever reads the database.
 * @param use what the code is good for: purpose and license
 */
export const codeDigest = (holderSecret: string, use: string, typed: string): Buffer =>
  tokenDigest(JSON.stringify([holderSecret, use, normalizeTypedCode(typed)]));
