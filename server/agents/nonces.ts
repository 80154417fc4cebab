import { createHmac, randomBytes } from 'node:crypto';
import { equalBytes } from '#runtime/auth/secret-token.ts';

/** Nonces for polling agents. They are not stored: each carries its time and a MAC under a key of this process alone. */
export interface Nonces {
  issue(): string;
  /** Whether it was issued here, and not too long ago. */
  isFresh(nonce: string): boolean;
  /** False when it was used before. Only for a fresh nonce that comes with a proof: others must cost no memory. */
  use(nonce: string): boolean;
}

const randomLength = 12;
const timeLength = 6;
const macLength = 16;
const length = randomLength + timeLength + macLength;
/** Some 20 MB; an agent that fills it knows the secret, and then no one gets in by polling for the life of a nonce. */
const mostUsed = 200_000;

/** @param now milliseconds on a monotonic clock */
export const createNonces = (lifeMs: number, now: () => number): Nonces => {
  const key = randomBytes(32);
  /** When they would have expired, by nonce; the oldest use comes first. */
  const used = new Map<string, number>();

  const macOf = (head: Buffer) => createHmac('sha256', key).update(head).digest().subarray(0, macLength);
  const forgetExpired = () => {
    for (const [nonce, usedAtMs] of used) {
      if (now() - usedAtMs <= lifeMs) return;
      used.delete(nonce);
    }
  };

  return {
    issue() {
      const head = Buffer.alloc(randomLength + timeLength);
      randomBytes(randomLength).copy(head);
      head.writeUIntBE(Math.floor(now()), randomLength, timeLength);
      return Buffer.concat([head, macOf(head)]).toString('base64url');
    },
    isFresh(nonce) {
      const bytes = Buffer.from(nonce, 'base64url');
      // One spelling each: another spelling of the same bytes would count as unused.
      if (bytes.length !== length || bytes.toString('base64url') !== nonce) return false;
      const head = bytes.subarray(0, randomLength + timeLength);
      if (!equalBytes(bytes.subarray(head.length), macOf(head))) return false;
      return now() - head.readUIntBE(randomLength, timeLength) <= lifeMs;
    },
    use(nonce) {
      forgetExpired();
      if (used.has(nonce) || used.size >= mostUsed) return false;
      used.set(nonce, now());
      return true;
    },
  };
};
