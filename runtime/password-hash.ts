import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { limitConcurrency } from './limit-concurrency.ts';
import { Problem } from './problem.ts';

const runArgon2 = promisify(argon2);

/** Argon2id as the OWASP Password Storage Cheat Sheet recommends: 19 MiB, two passes, one lane. */
const recommended = { memoryKib: 19 * 1024, passes: 2, parallelism: 1 };
const saltBytes = 16;
const tagBytes = 32;
const argon2Version = 19;

/** What a hash costs: memory, passes over it and lanes. */
export type PasswordCost = typeof recommended;

/** Never more at a time: each takes 19 MiB and a core. */
const parallelHashes = 2;
/** About a second's work; further callers are refused instead of waiting in memory. */
const waitingHashes = 40;

const phcPattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export interface PasswordHasher {
  /** In PHC format. @throws {Problem} RATE_LIMITED when too many wait */
  hash(password: string): Promise<string>;
  /**
   * @param stored null when the account does not exist: takes as long, and never matches
   * @throws {Problem} RATE_LIMITED when too many wait
   */
  verify(stored: string | null, password: string): Promise<boolean>;
}

/** @param cost of new hashes; only tests choose another than the recommended one */
export const createPasswordHasher = (cost: PasswordCost = recommended): PasswordHasher => {
  const nobody = encode(cost, randomBytes(saltBytes), randomBytes(tagBytes));
  const inTurn = limitConcurrency({
    maxRunning: parallelHashes,
    maxWaiting: waitingHashes,
    tooManyWaiting: () =>
      new Problem('RATE_LIMITED', {
        detail: 'Too many people sign in at this moment.',
        headers: { 'Retry-After': '2' },
      }),
    isHopeless: () => false,
  });
  return {
    hash: (password) =>
      inTurn(async () => {
        const salt = randomBytes(saltBytes);
        return encode(cost, salt, await derive(cost, password, salt));
      }),
    verify: (stored, password) =>
      inTurn(async () => {
        const { parameters, salt, tag } = decode(stored ?? nobody);
        return timingSafeEqual(await derive(parameters, password, salt, tag.length), tag) && stored !== null;
      }),
  };
};

const derive = (parameters: PasswordCost, password: string, salt: Buffer, tagLength = tagBytes) =>
  runArgon2('argon2id', {
    // It is the same password however a keyboard composes an accent.
    message: password.normalize('NFC'),
    nonce: salt,
    tagLength,
    memory: parameters.memoryKib,
    passes: parameters.passes,
    parallelism: parameters.parallelism,
  });

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

const encode = ({ memoryKib, passes, parallelism }: PasswordCost, salt: Buffer, tag: Buffer): string =>
  `$argon2id$v=${argon2Version}$m=${memoryKib},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;

const decode = (stored: string) => {
  const [, memory, passes, parallelism, salt, tag] = phcPattern.exec(stored) ?? [];
  if (!salt || !tag) throw new Error('a stored password hash is in no format that is known');
  return {
    parameters: { memoryKib: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
};
