import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { TLSSocket } from 'node:tls';
import { outsideReasons } from '#contracts/kernel/outside-reasons.ts';
import type { AddressTest, OutsideAddressKind } from '#contracts/operations/outside-addresses.ts';
import type { Secret } from '../secret.ts';
import { unusedMachineProxy } from '../system-env.ts';
import { version } from '../version.ts';
import { isDirect } from './direct-hosts.ts';
import { type Outside, outside, type Route } from './outside.ts';
import { explainOutside } from './outside-failure.ts';
import { type ProxyAddress, shownProxy, unusedProxyText } from './proxy-address.ts';
import { TunnelAgent } from './proxy-tunnel.ts';
import { signingAuthority } from './signing-authority.ts';

/** An address that is tested by a request without any secret. */
export interface TestedAddress {
  readonly kind: OutsideAddressKind;
  /** Asked by GET; that of a WebSocket begins with `wss:`. That of a proxy is connected to. */
  readonly url: URL;
  /** The proxy for this address alone. */
  readonly own?: Secret | undefined;
}

/** For an attempt, connecting included. */
const attemptMs = 9500;
/** For all attempts; the explanation of a certificate takes up to 4 s more. */
const testMs = 11_000;
/** Of an answer, which is only recognized. */
const longestAnswer = 64 * 1024;

/** These answer anyone with JSON; others with whatever a server says to strangers. */
const speakJson: ReadonlySet<OutsideAddressKind> = new Set([
  'license-portal',
  'discord',
  'modrinth',
  'steam',
  'public-address',
]);

/** The test asks these for something that is there for everyone. */
const mustSucceed: ReadonlySet<OutsideAddressKind> = new Set(['license-portal', 'discord', 'updates']);

interface Found extends Pick<AddressTest, 'signedBy' | 'clockAheadS'> {
  readonly fault: string | null;
}

/** @returns the first bytes, which a stranger may never end */
const readStart = async (answer: http.IncomingMessage): Promise<string> => {
  let text = '';
  answer.setEncoding('utf8');
  for await (const part of answer) {
    text += part as string;
    if (text.length > longestAnswer) break;
  }
  return text;
};

const isJson = (text: string): boolean => {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    // What it is instead does not matter.
    return false;
  }
};

const faultOf = async (
  { kind, url }: TestedAddress,
  answer: http.IncomingMessage,
): Promise<string | null> => {
  const { statusCode: status = 0, headers } = answer;
  const text = await readStart(answer);
  if (status >= 500 && status !== 511) return outsideReasons['outside-trouble'](url.host, status);
  const isPage = /^text\/html/i.test(headers['content-type'] ?? '') || /^\s*<(?:!doctype|html)/i.test(text);
  // 511: the sign-in page of a network, by RFC 6585.
  if (status === 511 || (status >= 300 && status < 400) || (isPage && (status < 400 || speakJson.has(kind))))
    return outsideReasons['outside-page'](url.host);
  if (/^wss?:$/.test(url.protocol)) return outsideReasons['outside-no-websocket'](url.host, status);
  const isOdd = speakJson.has(kind) && !isJson(text);
  if (isOdd || (mustSucceed.has(kind) && status !== 200))
    return outsideReasons['outside-strange'](url.host, status);
  return null;
};

/** By the second, as the header has it. */
const clockAhead = (date: string | undefined, atMs: number): number | null => {
  const ms = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(ms) ? null : Math.round((atMs - ms) / 1000);
};

const webSocketHeaders = () => ({
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
});

/** @throws what a request throws */
const ask = async (
  address: TestedAddress,
  agentOf: (isEncrypted: boolean) => http.Agent,
  { settings }: Outside,
  deadline: AbortSignal,
): Promise<Found> => {
  const { url } = address;
  const isSocket = /^wss?:$/.test(url.protocol);
  const isEncrypted = /^(?:https|wss):$/.test(url.protocol);
  const asked = new URL(url);
  asked.protocol = isEncrypted ? 'https:' : 'http:';
  const agent = agentOf(isEncrypted);
  const signal = AbortSignal.any([deadline, AbortSignal.timeout(attemptMs)]);
  const request = (isEncrypted ? https : http).request(asked, {
    agent,
    signal,
    headers: {
      Accept: 'application/json',
      'User-Agent': `Castellan/${version} (connection test)`,
      ...(isSocket ? webSocketHeaders() : {}),
    },
  });
  try {
    const answered = new Promise<readonly [http.IncomingMessage, boolean]>((resolve, reject) => {
      request.once('response', (answer) => resolve([answer, false]));
      request.once('upgrade', (answer) => resolve([answer, true]));
      request.once('error', (error) => reject(signal.aborted ? signal.reason : error));
    });
    request.end();
    const [answer, isUpgraded] = await answered;
    const { socket } = answer;
    const seen = {
      signedBy: socket instanceof TLSSocket ? signingAuthority(socket, settings.trustedCaFile) : null,
      clockAheadS: clockAhead(answer.headers.date, Date.now()),
    };
    return { ...seen, fault: isUpgraded ? null : await faultOf(address, answer) };
  } finally {
    request.on('error', () => undefined).destroy();
    agent.destroy();
  }
};

/** @throws what a socket throws */
const reachProxy = async ({ host, port }: ProxyAddress): Promise<Found> => {
  const socket: Socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(attemptMs) });
    return { fault: null, signedBy: null, clockAheadS: null };
  } catch (error) {
    const { code, name } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    const shown = shownProxy({ host, port } as ProxyAddress);
    const isUnknown = code === 'ENOTFOUND' || code?.startsWith('EAI_');
    const fault = isUnknown
      ? outsideReasons['proxy-unknown'](shown)
      : outsideReasons['proxy-away'](shown, code ?? name);
    return { fault, signedBy: null, clockAheadS: null };
  } finally {
    socket.on('error', () => undefined).destroy();
  }
};

const explained = async (
  error: unknown,
  { url, own }: TestedAddress,
  way: Outside,
  isOfOptional = false,
): Promise<Found> => ({
  fault: (await explainOutside(error, url, { way, proxy: own, isOfOptional })).text,
  ...{ signedBy: null, clockAheadS: null },
});

/** Why a proxy that is named for this address is not used; null: none is. */
const unusedFault = ({ kind, url }: TestedAddress, { settings }: Outside): string | null => {
  const { unused = [], noProxy } = settings;
  if (kind === 'proxy' || isDirect(url, noProxy)) return null;
  const [found] = [...unused, unusedMachineProxy() ?? []]
    .flat()
    .filter(({ setting }) => kind === 'license-portal' || setting !== 'LICENSE_PROXY');
  return found ? unusedProxyText(found) : null;
};

/** What people may see of an address. */
export const shownAddress = ({ kind, url }: TestedAddress): string =>
  kind === 'proxy' ? url.host : `${url.protocol}//${url.host}`;

/**
 * Reaches an address as this process does, and says how, or what stands in the way. Never rejects; no secret is sent, and none is in
 * the result.
 */
export const testAddress = async (address: TestedAddress, way: Outside = outside()): Promise<AddressTest> => {
  const { kind, url, own } = address;
  const began = performance.now();
  const deadline = AbortSignal.timeout(testMs);
  // Loads what is trusted.
  way.agentFor(url);
  const route: Route | null = kind === 'proxy' ? null : way.routeTo(url, own);
  let passedOver: { readonly error: unknown } | null = null;
  const onPassedOver = (error: unknown) => {
    passedOver = { error };
  };
  // A kept connection, and a resumed session, would hide the certificate and the way.
  const agentOf = (isEncrypted: boolean) =>
    route
      ? new TunnelAgent(route.proxy, route.isOptional ? { onPassedOver } : null)
      : new (isEncrypted ? https : http).Agent();
  const proxyItself = kind === 'proxy' ? way.proxy() : null;
  const found = proxyItself
    ? await reachProxy(proxyItself)
    : await ask(address, agentOf, way, deadline).catch((error: unknown) => explained(error, address, way));
  const over = passedOver as { readonly error: unknown } | null;
  return {
    kind,
    address: shownAddress(address),
    proxy: route && over === null ? shownProxy(route.proxy) : null,
    passedOver: over
      ? (await explained(over.error, address, way, true)).fault
      : route
        ? null
        : unusedFault(address, way),
    ...found,
    tookMs: Math.round(performance.now() - began),
  };
};
