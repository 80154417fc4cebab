import { EventEmitter, once } from 'node:events';
import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { DetailedPeerCertificate } from 'node:tls';
import * as tls from 'node:tls';
import { outsideReasons } from '#contracts/kernel/outside-reasons.ts';
import type { Secret } from '../secret.ts';
import { type Outside, outside } from './outside.ts';
import { openTunnel, ProxyError } from './proxy-tunnel.ts';
import { nameIn } from './signing-authority.ts';

export type OutsideReason = keyof typeof outsideReasons;

/** Why an address could not be reached; `reasonOf` finds the sentence again, for other languages. */
interface OutsideFailure {
  readonly code: OutsideReason;
  readonly text: string;
}

const failure = (code: OutsideReason, ...values: readonly (string | number)[]): OutsideFailure => ({
  code,
  text: (outsideReasons[code] as (...values: readonly (string | number)[]) => string)(...values),
});

/** What an error and all its causes say: fetch hides the reason in a cause; when it tried several addresses, in a list. */
const errorsOf = (error: unknown): readonly Error[] => {
  if (!(error instanceof Error)) return [];
  const inner = error instanceof AggregateError ? error.errors : [];
  return [error, ...[...inner, error.cause].flatMap(errorsOf)].slice(0, 20);
};

const codeOf = (errors: readonly Error[]): string =>
  errors
    .map((error) => ('code' in error && typeof error.code === 'string' ? error.code : ''))
    .find(Boolean) ??
  /\bnet::ERR_(\w+)/.exec(errors[0]?.message ?? '')?.[1] ??
  '';

/** Codes of Node, OpenSSL, undici, nodemailer and, without `net::ERR_`, of Chromium. */
const byCode: readonly (readonly [RegExp, OutsideReason])[] = [
  [/^INTERNET_DISCONNECTED$|^ENETDOWN$/, 'outside-offline'],
  [/^(?:ENOTFOUND|EAI_NODATA|EAI_NONAME|ENODATA|NAME_NOT_RESOLVED)$/, 'outside-name-unknown'],
  [/^(?:EAI_AGAIN|EAI_FAIL|ETIMEOUT|ESERVFAIL|NAME_RESOLUTION_FAILED)$|^DNS_/, 'outside-name-silent'],
  [
    /^(?:ENETUNREACH|EHOSTUNREACH|EHOSTDOWN|EADDRNOTAVAIL|ADDRESS_UNREACHABLE|NETWORK_ACCESS_DENIED|EACCES|EPERM)$/,
    'outside-no-route',
  ],
  [/^(?:ECONNREFUSED|CONNECTION_REFUSED)$/, 'outside-refused'],
  [/TIME(?:D_?)?OUT/, 'outside-timeout'],
  [
    /^(?:ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|CONNECTION_(?:RESET|CLOSED|ABORTED)|EMPTY_RESPONSE|NETWORK_CHANGED)$/,
    'outside-reset',
  ],
];

/** Answers of a proxy that Chromium found by itself. */
const chromiumProxy: Readonly<Record<string, OutsideReason>> = {
  PROXY_CONNECTION_FAILED: 'proxy-away',
  TUNNEL_CONNECTION_FAILED: 'proxy-forbids',
  PROXY_AUTH_REQUESTED: 'proxy-sign-in',
  PROXY_AUTH_UNSUPPORTED: 'proxy-sign-in-unsupported',
};

const untrusted =
  /^(?:SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE|CERT_UNTRUSTED|CERT_AUTHORITY_INVALID)$/;
const outOfTime = /^(?:CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|CERT_DATE_INVALID)$/;
const otherName = /^(?:ERR_TLS_CERT_ALTNAME_INVALID|CERT_COMMON_NAME_INVALID|HOSTNAME_MISMATCH)$/;
const certificate = /CERT|INVALID_CA|SIGNATURE|CRL|INVALID_PURPOSE|PATH_LENGTH/;

/** A look at a certificate that was not accepted; nothing is sent to its owner. */
const lookMs = 4000;

interface Asked {
  readonly way: Outside;
  readonly proxy?: Secret | undefined;
  readonly lookup?: LookupFunction | undefined;
  /** The error is that of an optional proxy, and not of the connection that was made without it. */
  readonly isOfOptional?: boolean | undefined;
}

const chainAt = async (
  url: URL,
  { way, proxy, lookup, isOfOptional = false }: Asked,
): Promise<readonly DetailedPeerCertificate[]> => {
  const signal = AbortSignal.timeout(lookMs);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || 443;
  const route = way.routeTo(url, proxy);
  const isThrough = route && (!route.isOptional || isOfOptional);
  const tunnel = isThrough ? await openTunnel(route.proxy, { host, port }, signal).catch(() => null) : null;
  const socket = tls.connect({
    ...(tunnel ? { socket: tunnel.socket as tls.TLSSocket } : { host, port }),
    servername: isIP(host) === 0 ? host : '',
    rejectUnauthorized: false,
    ...(lookup && { lookup }),
  });
  try {
    await once(socket, 'secureConnect', { signal });
    const chain: DetailedPeerCertificate[] = [];
    let next: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
    while (next?.raw && !chain.some(({ fingerprint256 }) => fingerprint256 === next?.fingerprint256)) {
      chain.push(next);
      next = next.issuerCertificate;
    }
    return chain;
  } catch {
    // Nothing more is known than the error itself says.
    return [];
  } finally {
    socket.on('error', () => undefined).destroy();
    tunnel?.socket.destroy();
  }
};

const isSelfIssued = ({ subject, issuer }: DetailedPeerCertificate): boolean =>
  JSON.stringify(subject) === JSON.stringify(issuer);

const untrustedFailure = (
  host: string,
  code: string,
  chain: readonly DetailedPeerCertificate[],
): OutsideFailure => {
  const [leaf] = chain;
  const top = chain.at(-1);
  if (!leaf || !top) return failure('outside-certificate', host, code);
  if (chain.length === 1 && isSelfIssued(leaf))
    return failure('outside-self-signed', host, nameIn(leaf.subject));
  // Authorities of the internet say where their own certificate is; what antiviruses and proxies make does not.
  const isPublic = leaf.infoAccess?.['CA Issuers - URI'] !== undefined;
  return failure(
    chain.length === 1 && isPublic ? 'outside-chain' : 'outside-intercepted',
    host,
    nameIn(top.issuer),
  );
};

const day = (date: Date): string => date.toISOString().slice(0, 10);

const timeFailure = (
  host: string,
  code: string,
  chain: readonly DetailedPeerCertificate[],
): OutsideFailure => {
  const now = new Date();
  for (const { valid_from: from, valid_to: to } of chain) {
    const [start, end] = [new Date(from), new Date(to)];
    if (end < now) return failure('outside-expired', host, day(end), day(now));
    if (start > now) return failure('outside-not-yet-valid', host, day(start), day(now));
  }
  return failure('outside-certificate', host, code);
};

const namesIn = (errors: readonly Error[], chain: readonly DetailedPeerCertificate[]): string => {
  const shown =
    errors.flatMap((error) => ('cert' in error ? [error.cert as DetailedPeerCertificate] : []))[0] ??
    chain[0];
  const names = shown?.subjectaltname?.replace(/(?:DNS|IP Address):/g, '').split(', ') ?? [];
  return (names.length > 0 ? names : [nameIn(shown?.subject ?? {})]).slice(0, 3).join(', ').slice(0, 120);
};

const isOffline = (): boolean =>
  Object.values(networkInterfaces())
    .flat()
    .every((address) => address === undefined || address.internal);

/** Why a request failed, where that needs no look at a certificate: a proxy, a name, a route, a port, time; null: something else. */
export const explainWithoutLook = (error: unknown, { host }: URL): OutsideFailure | null => {
  const errors = errorsOf(error);
  const proxy = errors.find((one) => one instanceof ProxyError);
  if (proxy) return { code: proxy.reason, text: proxy.message };
  if (errors.some(({ name }) => name === 'TimeoutError')) return failure('outside-timeout', host);
  const code = codeOf(errors);
  const found = byCode.find(([codes]) => codes.test(code))?.[1];
  if (found !== undefined) {
    const isAway = /name|route/.test(found) && isOffline();
    return failure(isAway ? 'outside-offline' : found, host);
  }
  const ofProxy = chromiumProxy[code];
  return ofProxy ? failure(ofProxy, '?', host, code) : null;
};

const failures = new EventEmitter<{ failed: [] }>();

/** Called after each request of this process that failed, which may be because this computer is in another network now. */
export const onOutsideFailure = (listener: () => void): Disposable => {
  failures.on('failed', listener);
  return { [Symbol.dispose]: () => void failures.off('failed', listener) };
};

/**
 * Why a request failed, whichever client made it: a code and a sentence that says what to do. After a certificate that was not
 * accepted, it looks at that certificate once more, for up to 4 s.
 * @param error what `fetch`, `node:https`, `ws`, nodemailer or Electron's `net.fetch` threw
 * @param proxy the one that was used in place of that in the settings
 * @param lookup as the request had it: the second look must not reach what the request must not
 */
export const explainOutside = async (
  error: unknown,
  url: URL,
  { way = outside(), ...more }: Partial<Asked> = {},
): Promise<OutsideFailure> => {
  failures.emit('failed');
  const known = explainWithoutLook(error, url);
  if (known) return known;
  const asked: Asked = { ...more, way };
  const errors = errorsOf(error);
  const { host } = url;
  const code = codeOf(errors);
  if (untrusted.test(code)) return untrustedFailure(host, code, await chainAt(url, asked));
  if (outOfTime.test(code)) return timeFailure(host, code, await chainAt(url, asked));
  if (otherName.test(code)) {
    const isKnown = errors.some((one) => 'cert' in one);
    return failure('outside-other-name', host, namesIn(errors, isKnown ? [] : await chainAt(url, asked)));
  }
  if (certificate.test(code)) return failure('outside-certificate', host, code);
  if (/SSL|TLS|EPROTO/.test(code)) return failure('outside-no-tls', host, code);
  return failure('outside-broken', host, code || 'no code');
};
