import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { calculateJwkThumbprint } from 'jose';
import { type ProblemCode, problemContentType, problems } from '#contracts/kernel/problems.ts';
import { product } from '#contracts/kernel/product.ts';
import {
  type KeySuccession,
  keySuccessionHttp,
  revocationNumberHeader,
} from '#contracts/license/key-succession.ts';
import {
  activateRequest,
  licenseEndHeader,
  licensesHttp,
  type TokenClaims,
  tokenLifetimeSeconds,
  validateRequest,
} from '#contracts/license/licenses.ts';

/** What a test makes the portal answer. */
export type Reply =
  | { readonly say: 'token'; readonly claims?: Partial<TokenClaims>; readonly signedBy?: SigningKey }
  | { readonly say: 'refuse'; readonly code: ProblemCode; readonly detail?: string }
  | {
      readonly say: 'http';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    }
  /** Accepts the request and never answers. */
  | { readonly say: 'nothing' };

export const away = (): Reply => ({ say: 'http', status: 503 });
export const refuseWith = (code: ProblemCode) => (): Reply => ({ say: 'refuse', code });

export interface SigningKey {
  readonly kid: string;
  /** 32 bytes in base64url. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

export interface Asked {
  readonly path: string;
  readonly contentType: string | undefined;
  readonly body: Record<string, unknown>;
}

export interface FakePortal extends AsyncDisposable {
  readonly url: string;
  readonly key: SigningKey;
  readonly asked: Asked[];
  /** Can be replaced; may wait, so that a test acts while a request is under way. */
  activate: () => Reply | Promise<Reply>;
  validate: () => Reply | Promise<Reply>;
  /** The published keys; can be replaced. */
  succession: KeySuccession;
  /** Number of the newest revocation, sent in a header of its answers. */
  revocationNumber: number;
  /** End of the license, sent in a header of its answers; null: not sent, as by older portals. */
  licenseEnd: string | null;
}

export const newSigningKey = async (): Promise<SigningKey> => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const kid = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x });
  return { kid, publicKey: x, privateKey };
};

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export const signToken = (claims: object, { kid, privateKey }: SigningKey, alg = 'EdDSA'): string => {
  const signed = `${encode({ alg, kid, typ: 'JWT' })}.${encode(claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
};

export const claimsFor = (hwid: string, nowMs: number, more: Partial<TokenClaims> = {}): TokenClaims => {
  const iat = Math.floor(nowMs / 1000);
  return {
    iss: product.issuer,
    aud: product.audience,
    sub: 'license-1',
    iat,
    exp: iat + tokenLifetimeSeconds,
    tier: 'pro',
    tenantId: `c${'0a'.repeat(12)}`,
    hwid,
    features: ['*'],
    maxClusters: null,
    buyerEmail: 'buyer@example.com',
    purchaseId: 'order-1',
    ...more,
  };
};

/** Speaks the documented wire format; replaces the real portal in the license client's tests. */
export const startFakePortal = async (now: () => number): Promise<FakePortal> => {
  const key = await newSigningKey();
  const asked: Asked[] = [];

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === keySuccessionHttp.succession.path) {
      asked.push({ path: request.url, contentType: undefined, body: {} });
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(portal.succession));
      return;
    }
    if (request.url === licensesHttp.jwks.path) {
      const shown = { kty: 'OKP', crv: 'Ed25519', x: key.publicKey, kid: key.kid, alg: 'EdDSA', use: 'sig' };
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ keys: [shown] }));
      return;
    }
    const text = await Array.fromAsync(request as AsyncIterable<Buffer>).then((parts) =>
      Buffer.concat(parts),
    );
    const body: Record<string, unknown> = JSON.parse(text.toString());
    const path = request.url ?? '';
    asked.push({ path, contentType: request.headers['content-type'], body });
    const isActivation = path === licensesHttp.activate.path;
    (isActivation ? activateRequest : validateRequest).parse(body);
    const reply = await (isActivation ? portal.activate() : portal.validate());
    if (reply.say !== 'nothing') send(response, reply, String(body.hwid));
  };

  const send = (response: ServerResponse, reply: Exclude<Reply, { say: 'nothing' }>, hwid: string): void => {
    if (reply.say === 'http') {
      response.writeHead(reply.status, reply.headers).end(reply.body);
    } else if (reply.say === 'refuse') {
      const { status, title } = problems[reply.code];
      const { code, detail } = reply;
      response.writeHead(status, { 'Content-Type': `${problemContentType}; charset=utf-8` });
      response.end(JSON.stringify({ type: `urn:castellan:problem:${code}`, title, status, code, detail }));
    } else {
      const signer = reply.signedBy ?? key;
      const token = signToken(claimsFor(hwid, now(), reply.claims), signer);
      const strikes =
        portal.revocationNumber > 0 ? { [revocationNumberHeader]: String(portal.revocationNumber) } : {};
      const ends = portal.licenseEnd === null ? {} : { [licenseEndHeader]: portal.licenseEnd };
      response.writeHead(200, { 'Content-Type': 'application/json', ...strikes, ...ends });
      response.end(JSON.stringify({ token, signingKeyId: signer.kid }));
    }
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const portal: FakePortal = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key,
    asked,
    activate: () => ({ say: 'token' }),
    validate: () => ({ say: 'token' }),
    succession: { endorsements: [], strikes: null },
    revocationNumber: 0,
    licenseEnd: null,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return portal;
};
