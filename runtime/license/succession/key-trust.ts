import { StartupError } from '../../program.ts';
import type { TrustedKeys } from '../token.ts';
import { followSuccession, type Statements, type Succession } from './follow-succession.ts';
import { readPublicKey } from './public-key.ts';

/** The part of license.json that lets an offline start follow the portal's keys as far as they were known. */
interface KeptSuccession {
  /** Endorsements of the keys that follow the pinned one. */
  readonly successorKeys: string[];
  readonly strikes: string | null;
}

/** The keys that this process trusts. It never forgets what it has learned while it runs. */
export interface KeyTrust {
  readonly keys: TrustedKeys;
  readonly kept: KeptSuccession;
  /** Number of the newest revocation; 0 when there was none. */
  readonly revocationNumber: number;
  /** Learns what the portal published, or what license.json kept of it; invalid statements are skipped. */
  learn(statements: Statements): Promise<void>;
}

/**
 * @param publicKey the pinned key, 32 bytes in base64url
 * @throws {StartupError} when the text is no such key
 */
export const trustSuccessorsOf = async (publicKey: string): Promise<KeyTrust> => {
  const pinned = await readPublicKey(publicKey);
  if (pinned === null)
    throw new StartupError('LICENSE_SERVER_PUBLIC_KEY must be an Ed25519 public key: 32 bytes in base64url');
  let succession: Succession = await followSuccession(pinned, null, { endorsements: [], strikes: null });
  let last: Promise<void> = Promise.resolve();

  const successors = (): string[] =>
    [...succession.reached.values()].flatMap(({ endorsement }) => endorsement ?? []);

  const take = async ({ endorsements, strikes }: Statements): Promise<void> => {
    const known = successors();
    const isNews =
      endorsements.some((statement) => !known.includes(statement)) ||
      (strikes !== null && strikes !== succession.revocations?.statement);
    if (!isNews) return;
    const all = { endorsements: [...new Set([...known, ...endorsements])], strikes };
    succession = await followSuccession(pinned, succession.revocations, all);
  };

  return {
    get keys() {
      const struck = new Set(succession.revocations?.struck);
      // A revoked pinned key vouches for no one: its thief could have endorsed any key before the theft was noticed.
      const believed = struck.has(pinned.kid) ? [] : [...succession.reached];
      const verifiers = believed
        .filter(([kid]) => !struck.has(kid))
        .map(([kid, { key }]) => [kid, key] as const);
      return { pinned: pinned.kid, verifiers: new Map(verifiers), struck };
    },
    get kept() {
      return { successorKeys: successors(), strikes: succession.revocations?.statement ?? null };
    },
    get revocationNumber() {
      return succession.revocations?.number ?? 0;
    },
    learn(statements) {
      // One after the other: none may overwrite what another has learned.
      const learning = last.then(() => take(statements));
      last = learning.catch(() => undefined);
      return learning;
    },
  };
};
