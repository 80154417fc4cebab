import { tokenDigest } from '#runtime/auth/secret-token.ts';
import { groupLength, isInAlphabet, newTypedCode, normalizeTypedCode } from '#runtime/auth/typed-code.ts';

/** 40 bits, and each code has five tries. */
const codeGroups = 2;
/** A code that is valid for everyone who asked for the mailbox can be guessed at by all of them: 60 bits. */
const sharedCodeGroups = 3;

/** For example `K7WD-3M9P`. */
export const newCode = (): string => newTypedCode(codeGroups);

/** For example `K7WD-3M9P-Q2XR`. */
export const newSharedCode = (): string => newTypedCode(sharedCodeGroups);

/** Whether the text could be a code at all; if not, it need not cost a try. */
export const isCodeShaped = (typed: string): boolean => {
  const bare = normalizeTypedCode(typed);
  const isLong = [codeGroups, sharedCodeGroups].includes(bare.length / groupLength);
  return isLong && isInAlphabet(bare);
};

/**
 * What is stored of a code. A code is too short for a plain hash; the holder's secret, which is not stored anywhere,
 * makes the hash worthless to anyone who reads the database.
 * @param use what the code is for: purpose and license
 */
export const codeDigest = (holderSecret: string, use: string, typed: string): Buffer =>
  tokenDigest(JSON.stringify([holderSecret, use, normalizeTypedCode(typed)]));
