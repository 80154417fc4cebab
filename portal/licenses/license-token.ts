import { type KeyObject, sign as signInline, verify as verifyInline } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { product } from '#contracts/kernel/product.ts';
import { type TokenClaims, type TokenResponse, tokenLifetimeSeconds } from '#contracts/license/licenses.ts';
import { equalBytes } from '#runtime/auth/secret-token.ts';
import type { KeyRing } from '../signing-keys/key-ring.ts';

/** What a token says about its license; the times and the fixed claims are added when it is signed. */
type TokenSubject = Pick<
  TokenClaims,
  'sub' | 'tier' | 'tenantId' | 'hwid' | 'features' | 'maxClusters' | 'buyerEmail' | 'purchaseId'
>;

/** A token with our signature, expired or not. */
interface ProvenToken {
  readonly kid: string;
  readonly claims: Pick<TokenClaims, 'sub' | 'tenantId'>;
}

/** License tokens: compact JWS with EdDSA. node:crypto instead of jose, because this is the hottest path of the portal. */
export interface LicenseTokens {
  sign(subject: TokenSubject, now: Date): Promise<TokenResponse>;
  /** Null unless one of our keys signed it as a token. The expiry is ignored: an expired token still proves identity. */
  read(token: string): Promise<ProvenToken | null>;
  /** For a token that `read` rejected: another process may just have created its key, so the keys are loaded again. */
  readWithNewKey(token: string): Promise<ProvenToken | null>;
}

const signInThread = promisify(signInline);
const verify = promisify(verifyInline);

/**
 * A thread of libuv takes a signature off the main thread, but costs up to half as much again. If the database uses the
 * second core, that gains nothing.
 */
const threadsPay = availableParallelism() > 2;

/** Requests with made-up key ids must not cause a database query each. */
const lookPauseMs = 100;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string): Buffer => Buffer.from(part, 'base64url');

const parseObject = (part: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(decode(part).toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    // Not one of our tokens; whatever else it is does not matter.
    return null;
  }
};

export const createLicenseTokens = (keyRing: KeyRing, inThreads = threadsPay): LicenseTokens => {
  const sign = async (text: string, key: KeyObject): Promise<Buffer> =>
    inThreads ? signInThread(null, Buffer.from(text), key) : signInline(null, Buffer.from(text), key);
  let header = { kid: '', text: '' };
  const headerFor = (kid: string): string => {
    if (header.kid !== kid) header = { kid, text: encode({ alg: 'EdDSA', typ: 'JWT', kid }) };
    return header.text;
  };
  /**
   * For the active key, by signing again: an Ed25519 signature is the same each time (RFC 8032, 5.1.6) and costs less
   * than half of a verification. A signature of a stranger's text must never leave this function, not even through the
   * time of the comparison.
   */
  const isSigned = async (text: string, kid: string, signature: Buffer): Promise<boolean> => {
    const { active } = keyRing;
    if (kid === active.kid) {
      const own = await sign(text, active.signer);
      return equalBytes(signature, own);
    }
    const key = keyRing.verifiers.get(kid);
    return key !== undefined && verify(null, Buffer.from(text), key, signature);
  };

  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let waiting: Promise<void> | null = null;
  /** All callers that ask before it begins share one query. */
  const lookForKeys = (): Promise<void> => {
    waiting ??= delay(Math.max(0, lookedAtMs + lookPauseMs - performance.now())).then(() => {
      waiting = null;
      lookedAtMs = performance.now();
      return keyRing.refresh();
    });
    return waiting;
  };

  const tokens: LicenseTokens = {
    async sign(subject, now) {
      const { active } = keyRing;
      const iat = Math.floor(now.getTime() / 1000);
      const claims: TokenClaims = {
        iss: product.issuer,
        aud: product.audience,
        sub: subject.sub,
        iat,
        exp: iat + tokenLifetimeSeconds,
        tier: subject.tier,
        tenantId: subject.tenantId,
        hwid: subject.hwid,
        features: subject.features,
        maxClusters: subject.maxClusters,
        buyerEmail: subject.buyerEmail,
        purchaseId: subject.purchaseId,
      };
      const signed = `${headerFor(active.kid)}.${encode(claims)}`;
      const signature = await sign(signed, active.signer);
      return { token: `${signed}.${signature.toString('base64url')}`, signingKeyId: active.kid };
    },

    async read(token) {
      const [head = '', payload = '', signature = ''] = token.split('.');
      const { alg, kid, crit } = parseObject(head) ?? {};
      // RFC 7515: an implementation that does not understand `crit` must refuse it.
      if (alg !== 'EdDSA' || typeof kid !== 'string' || crit !== undefined) return null;
      if (!(await isSigned(`${head}.${payload}`, kid, decode(signature)))) return null;
      // Our signature vouches for the rest.
      const { iss, aud, sub, tenantId } = parseObject(payload) ?? {};
      const isToken = iss === product.issuer && aud === product.audience;
      return isToken && typeof sub === 'string' && typeof tenantId === 'string'
        ? { kid, claims: { sub, tenantId } }
        : null;
    },

    async readWithNewKey(token) {
      const { alg, kid } = parseObject(token.split('.', 1)[0] ?? '') ?? {};
      if (alg !== 'EdDSA' || typeof kid !== 'string' || keyRing.verifiers.has(kid)) return null;
      await lookForKeys();
      return tokens.read(token);
    },
  };
  return tokens;
};
