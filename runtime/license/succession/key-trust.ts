import type { KeyObject } from 'node:crypto';
import { compactVerify, decodeProtectedHeader, errors } from 'jose';
import type * as z from 'zod';
import {
  type EndorsementClaims,
  endorsementClaims,
  endorsementType,
  maxEndorsements,
  type RevocationClaims,
  revocationClaims,
  revocationsType,
} from '#contracts/license/key-succession.ts';
import { StartupError } from '../../program.ts';
import type { TrustedKeys } from '../token.ts';
import { type PublicKey, readPublicKey } from './public-key.ts';

/** The `kid` of the claimed signer; null when the text is not a statement of this kind at all. */
const claimedSigner = (statement: string, typ: string): string | null => {
  try {
    const header = decodeProtectedHeader(statement);
    return header.typ === typ && typeof header.kid === 'string' ? header.kid : null;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
};

/** The claims of a statement, if `key` signed it and they have the shape of its kind; else null. */
const readStatement = async <Claims>(
  statement: string,
  key: KeyObject,
  {
    typ,
    schema,
  }: {
    readonly typ: string;
    readonly schema: z.ZodType<Claims>;
  },
): Promise<Claims | null> => {
  try {
    const { payload, protectedHeader } = await compactVerify(statement, key, { algorithms: ['EdDSA'] });
    if (protectedHeader.typ !== typ) return null;
    return schema.safeParse(JSON.parse(new TextDecoder().decode(payload))).data ?? null;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof SyntaxError || error instanceof TypeError)
      return null;
    throw error;
  }
};

/** Statements of the portal as received: compact JWS. */
interface Statements {
  readonly endorsements: readonly string[];
  readonly strikes: string | null;
}

interface KnownRevocations extends RevocationClaims {
  readonly statement: string;
}

interface ReachedKey {
  readonly key: KeyObject;
  /** Null for the pinned key, which does not state its own place. */
  readonly sequence: number | null;
  readonly endorsement: string | null;
}

/** By `kid`, in the order in which they were reached; the pinned key is the first. */
type ReachedKeys = ReadonlyMap<string, ReachedKey>;

interface Succession {
  readonly reached: ReachedKeys;
  readonly revocations: KnownRevocations | null;
}

/**
 * Follows the endorsements from the pinned key. It accepts a revocation if it is signed by a key that is reached under the
 * revocations known so far, and that is later than the keys it revokes. An endorsement by a revoked key, old or new, counts only
 * if the revocation calls it genuine: a thief may have endorsed their own key.
 * @param endorsements known ones first: of two keys that claim the same place, the first one gets it
 */
const followSuccession = async (
  pinned: PublicKey,
  known: KnownRevocations | null,
  { endorsements, strikes: offered }: Statements,
): Promise<Succession> => {
  const before = await walk(pinned, endorsements, known);
  const revocations = (offered !== null && (await acceptRevocations(offered, before, known))) || known;
  if (revocations === null || revocations === known) return { reached: before, revocations };
  const reached = await walk(pinned, endorsements, revocations);
  // After the next start, a revocation of its own signer could not be told from a forged one.
  const signer = claimedSigner(revocations.statement, revocationsType) ?? '';
  return reached.has(signer) ? { reached, revocations } : { reached: before, revocations: known };
};

const walk = async (
  pinned: PublicKey,
  endorsements: readonly string[],
  revocations: KnownRevocations | null,
): Promise<ReachedKeys> => {
  const reached = new Map<string, ReachedKey>([
    [pinned.kid, { key: pinned.key, sequence: null, endorsement: null }],
  ]);
  const waiting = new Set(endorsements);
  for (let before = -1; before !== reached.size && reached.size <= maxEndorsements; ) {
    before = reached.size;
    for (const statement of waiting) {
      const by = claimedSigner(statement, endorsementType);
      const endorser = by === null ? undefined : reached.get(by);
      if (by !== null && !endorser) continue;
      waiting.delete(statement);
      if (!endorser || by === null || reached.size > maxEndorsements) continue;
      const claims = await readEndorsement(statement, endorser.key);
      if (claims === null || !mayFollow(claims, endorser, reached)) continue;
      if (revocations?.struck.includes(by) && !revocations.genuine.includes(claims.kid)) continue;
      reached.set(claims.kid, { key: claims.keyObject, sequence: claims.sequence, endorsement: statement });
    }
  }
  return reached;
};

const mayFollow = (claims: EndorsementClaims, endorser: ReachedKey, reached: ReachedKeys): boolean =>
  !reached.has(claims.kid) &&
  claims.sequence > (endorser.sequence ?? 0) &&
  ![...reached.values()].some(({ sequence }) => sequence === claims.sequence);

const readEndorsement = async (statement: string, by: KeyObject) => {
  const claims = await readStatement(statement, by, { typ: endorsementType, schema: endorsementClaims });
  if (claims === null) return null;
  const endorsed = await readPublicKey(claims.key);
  return endorsed?.kid === claims.kid ? { ...claims, keyObject: endorsed.key } : null;
};

const acceptRevocations = async (
  statement: string,
  reached: ReachedKeys,
  known: KnownRevocations | null,
): Promise<KnownRevocations | null> => {
  const by = claimedSigner(statement, revocationsType);
  const signer = by === null ? undefined : reached.get(by);
  if (by === null || !signer || known?.struck.includes(by)) return null;
  const claims = await readStatement(statement, signer.key, {
    typ: revocationsType,
    schema: revocationClaims,
  });
  if (claims === null || claims.number <= (known?.number ?? 0) || claims.struck.includes(by)) return null;
  const sequenceOf = (kid: string) => reached.get(kid)?.sequence ?? 0;
  const isLater = claims.struck.every((kid) => sequenceOf(kid) <= sequenceOf(by));
  // A revoked key stays revoked.
  const keepsAll = (known?.struck ?? []).every((kid) => claims.struck.includes(kid));
  return isLater && keepsAll ? { ...claims, statement } : null;
};

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
