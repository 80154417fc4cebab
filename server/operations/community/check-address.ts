import { createHmac, randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import type { Request } from 'express';
import {
  type AddressCheck,
  type AddressFault,
  publicAddressHttp,
  type SeenRequest,
  seenRequest,
} from '#contracts/operations/public-address.ts';
import { isPageOf } from '#runtime/auth/same-origin.ts';
import { equalBytes } from '#runtime/auth/secret-token.ts';
import { outside } from '#runtime/outside/outside.ts';
import { explainOutside, type OutsideReason } from '#runtime/outside/outside-failure.ts';
import { isPublicAddress } from '#runtime/public-address.ts';
import type { Secret } from '#runtime/secret.ts';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import { type Actor, actorReference } from '../../kernel/access/actor.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';

/** Each check opens a connection to a host of the caller's choice. */
const checksPerMinute = 20;
const answerMs = 10_000;
/** Characters. */
const longestAnswer = 10_000;

const proofOf = (secret: Secret, nonce: string): string =>
  createHmac('sha256', secret.reveal()).update(`address-check ${nonce}`).digest('base64url');

export type SeeRequest = (nonce: string, request: Request) => SeenRequest;

/** What the API tells everyone about their own request. */
export const createSeeRequest =
  (secret: Secret): SeeRequest =>
  (nonce, request) => ({
    proof: proofOf(secret, nonce),
    host: request.host ?? '',
    protocol: request.protocol,
    believesProxy: request.get('x-forwarded-for') === undefined ? null : request.ips.length > 0,
  });

/** What is wrong with a certificate, and not with the way to it. */
const isOfCertificate = (code: OutsideReason): boolean =>
  /^outside-(?:intercepted|self-signed|chain|expired|not-yet-valid|other-name|certificate)$/.test(code);

type Found = Pick<AddressCheck, 'fault' | 'detail' | 'warnings'>;
const faulty = (fault: AddressFault, detail: string | null = null): Found => ({
  fault,
  detail,
  warnings: [],
});

/** The first bytes of an answer, which a stranger may never end. */
const readStart = async (response: Response): Promise<string> => {
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > longestAnswer) break;
  }
  return text;
};

interface AddressProbe {
  /** @throws an error with a code, as fetch does */
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** @throws when the name has no address */
  lookup(host: string): Promise<readonly string[]>;
}

const realProbe: AddressProbe = {
  fetch: (url, init) => outside().fetch(new URL(url), { ...init, redirect: 'manual' }),
  async lookup(host) {
    return (await lookup(host.replace(/^\[|\]$/g, ''), { all: true })).map(({ address }) => address);
  },
};

export type CheckAddress = (address: string, actor: Actor) => Promise<AddressCheck | Refusal>;

/** Asks an address for the proof that this API alone can give. */
export const createCheckAddress = (
  secret: Secret,
  { now = Date.now, probe = realProbe }: { readonly now?: () => number; readonly probe?: AddressProbe } = {},
): CheckAddress => {
  const tries = createTokenBuckets({ capacity: checksPerMinute, refillMs: 60_000 / checksPerMinute }, now);

  const ask = async (origin: string): Promise<Found> => {
    const nonce = randomBytes(24).toString('base64url');
    const signal = AbortSignal.timeout(answerMs);
    const path = publicAddressHttp.seen.path.replace(':nonce', nonce);
    const response = await probe.fetch(`${origin}${path}`, { redirect: 'manual', signal });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      return faulty('redirected', response.headers.get('location')?.slice(0, 200) ?? null);
    }
    const seen = seenRequest.safeParse(JSON.parse(await readStart(response)));
    const expected = Buffer.from(proofOf(secret, nonce));
    if (!seen.success || !equalBytes(Buffer.from(seen.data.proof), expected)) return faulty('someone-else');
    const { host, protocol, believesProxy } = seen.data;
    const wanted = new URL(origin);
    return {
      fault: null,
      detail: null,
      warnings: [
        ...(isPageOf(wanted, host) ? [] : (['host'] as const)),
        ...(`${protocol}:` === wanted.protocol ? [] : (['protocol'] as const)),
        ...(believesProxy === false ? (['senders'] as const) : []),
      ],
    };
  };

  const find = (origin: string): Promise<Found> =>
    ask(origin).catch(async (error: unknown) => {
      if (error instanceof SyntaxError) return faulty('someone-else');
      const { code, text } = await explainOutside(error, new URL(origin));
      return faulty(isOfCertificate(code) ? 'certificate' : 'no-answer', text);
    });

  return async (address, actor) => {
    const retryAfterMs = tries.tryTake(actorReference(actor));
    if (retryAfterMs > 0) return { ...refuse('RATE_LIMITED', 'Too many checks.'), retryAfterMs };
    const { origin, hostname, protocol } = new URL(address);
    const isEncrypted = protocol === 'https:';
    const addresses = await probe.lookup(hostname).catch(() => []);
    const found = addresses.length === 0 ? faulty('unknown-name') : await find(origin);
    return {
      ...{ address: origin, isEncrypted, ...found },
      isPublic: addresses.length > 0 && addresses.every(isPublicAddress),
    };
  };
};
