import { newSecretToken, tokenDigest } from '#runtime/auth/secret-token.ts';
import { isAhead } from '#runtime/is-ahead.ts';

/** A sign-in with the right password that still requires a code. */
interface Challenge {
  readonly adminId: string;
  readonly name: string;
  readonly account: string;
  /** The hash that the password matched: if it has changed, the challenge is void. */
  readonly passwordHash: string;
}

interface Held extends Challenge {
  readonly expiresAtMs: number;
  readonly triesLeft: number;
}

export const challengeSeconds = 300;
const triesPerChallenge = 5;
const maxChallenges = 1000;

interface Challenges {
  open(challenge: Challenge): string;
  /** Reads it without using it up; null when it is unknown, used up or too old. */
  peek(token: string): Challenge | null;
  /** Takes it out, so that no one else can use it at the same time. */
  take(token: string): TakenChallenge | null;
}

interface TakenChallenge extends Challenge {
  /** The code was wrong: the challenge remains valid for the remaining tries. */
  putBack(): void;
}

/** They live in memory, for minutes: after a restart of the API, people sign in again. */
export const createChallenges = (now: () => number): Challenges => {
  const held = new Map<string, Held>();
  const find = (token: string): Held | null => {
    const challenge = held.get(keyOf(token));
    if (!challenge || challenge.expiresAtMs <= now()) return null;
    // The clock was set back since: how old it is cannot be told.
    return isAhead(challenge.expiresAtMs - challengeSeconds * 1000, now()) ? null : challenge;
  };
  return {
    open(challenge) {
      const token = newSecretToken('csh');
      held.set(keyOf(token), {
        ...challenge,
        expiresAtMs: now() + challengeSeconds * 1000,
        triesLeft: triesPerChallenge,
      });
      const [oldest] = held.keys();
      if (held.size > maxChallenges && oldest !== undefined) held.delete(oldest);
      return token;
    },
    peek: find,
    take(token) {
      const challenge = find(token);
      held.delete(keyOf(token));
      if (!challenge) return null;
      return {
        ...challenge,
        putBack() {
          const triesLeft = challenge.triesLeft - 1;
          if (triesLeft > 0) held.set(keyOf(token), { ...challenge, triesLeft });
        },
      };
    },
  };
};

const keyOf = (token: string): string => tokenDigest(token).toString('base64');
