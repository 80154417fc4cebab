import { StartupError } from '../../program.ts';
import type { TrustedKeys } from '../token.ts';
import { followSuccession, type Statements, type Succession } from './follow-succession.ts';
import { readPublicKey } from './public-key.ts';

/** The part of license.json that lets an offline start follow the portal's keys as far as they were known. */
export interface KeptSuccession {
  /** Endorsements of the keys that follow the pinned one. */
  readonly successorKeys: string[];
  readonly strikes: string | null;
}

/** Whom this process believes. What it has learned it never unlearns while it runs. */
export interface KeyTrust {
  readonly keys: TrustedKeys;
  readonly kept: KeptSuccession;
  /** Of the newest strike; 0 as long as there was none. */
  readonly revocationNumber: number;
  /** Takes in what the portal published, or what license.json kept of it; what does not hold is passed over. */
  learn(statements: Statements): Promise<void>;
}

/**
 * @param publicKey the pinned key, 32 bytes in base64url
 * @throws {StartupError} when it is not one
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
      (strikes !== null && strikes !== succession.strikes?.statement);
    if (!isNews) return;
    const all = { endorsements: [...new Set([...known, ...endorsements])], strikes };
    succession = await followSuccession(pinned, succession.strikes, all);
  };

  return {
    get keys() {
      const struck = new Set(succession.strikes?.struck);
      // A struck pin vouches for nobody: its thief could have endorsed whom they liked, before anybody noticed.
      const believed = struck.has(pinned.kid) ? [] : [...succession.reached];
      const verifiers = believed
        .filter(([kid]) => !struck.has(kid))
        .map(([kid, { key }]) => [kid, key] as const);
      return { pinned: pinned.kid, verifiers: new Map(verifiers), struck };
    },
    get kept() {
      return { successorKeys: successors(), strikes: succession.strikes?.statement ?? null };
    },
    get revocationNumber() {
      return succession.strikes?.number ?? 0;
    },
    learn(statements) {
      // One after the other: none must overwrite what another one has learned.
      const learning = last.then(() => take(statements));
      last = learning.catch(() => undefined);
      return learning;
    },
  };
};
