import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Agent } from 'node:https';
import * as https from 'node:https';
import { Readable } from 'node:stream';
import { outsideReasons } from '#contracts/kernel/outside-reasons.ts';
import type { Log } from '../log.ts';
import { Secret } from '../secret.ts';
import { machineProxyEnv } from '../system-env.ts';
import { isDirect } from './direct-hosts.ts';
import { type ProxyAddress, readProxyAddress, type UnusedProxy, unusedProxyText } from './proxy-address.ts';
import { TunnelAgent } from './proxy-tunnel.ts';
import { authoritiesFault, trustAuthorities } from './trusted-authorities.ts';

export interface OutsideSettings {
  /** Absolute. */
  readonly trustedCaFile: string | undefined;
  readonly proxy: Secret | undefined;
  readonly noProxy: string;
  /** Settings that name a proxy which cannot be used; absent: none. */
  readonly unused?: readonly UnusedProxy[];
}

/** Through which proxy an address is asked. */
export interface Route {
  readonly proxy: ProxyAddress;
  /** The machine's environment names it, and no setting: what it refuses is tried without it. */
  readonly isOptional: boolean;
}

/** The way of this process to everything outside. */
export interface Outside {
  readonly settings: OutsideSettings;
  /** The one on the way to everything that needs one; null: there is none. */
  proxy(): ProxyAddress | null;
  /** Null: directly. @param own a proxy in place of the one in the settings */
  routeTo(url: URL, own?: Secret): Route | null;
  /** For requests of `node:https` and connections of `ws`; undefined: directly. Loads what is trusted. */
  agentFor(url: URL): Agent | undefined;
  /** Like the global one; redirects are not followed. @param own as for `routeTo` */
  fetch(url: URL, init: OutsideInit, own?: Secret): Promise<Response>;
  /** Another one has taken its place. */
  retire(): void;
}

/** Unlike a setting, a variable of the whole machine may be meant for others, or be left over. */
const machineProxy = ({ HTTPS_PROXY: text }: Readonly<Record<string, string>>): Secret | undefined =>
  text && readProxyAddress(text) ? new Secret(text) : undefined;

export const createOutside = (
  settings: OutsideSettings,
  machine: Readonly<Record<string, string>> = machineProxyEnv(),
): Outside => {
  const fromMachine = settings.proxy ? undefined : machineProxy(machine);
  const usual = settings.proxy ?? fromMachine;
  const noProxy = [settings.noProxy, ...(fromMachine ? [machine.NO_PROXY ?? ''] : [])].join();
  const agents = new Map<string, TunnelAgent>();

  const routeTo = (url: URL, own?: Secret): Route | null => {
    const proxy = own ?? usual;
    if (!proxy || !/^(?:https|wss):$/.test(url.protocol) || isDirect(url, own ? '' : noProxy)) return null;
    const address = readProxyAddress(proxy.reveal());
    return address && { proxy: address, isOptional: proxy === fromMachine };
  };

  const agentFor = (url: URL, own?: Secret): Agent | undefined => {
    trustAuthorities(settings.trustedCaFile);
    const route = routeTo(url, own);
    if (!route) return undefined;
    const key = (own ?? usual)?.reveal() ?? '';
    const agent = agents.get(key) ?? new TunnelAgent(route.proxy, route.isOptional ? {} : null);
    agents.set(key, agent);
    return agent;
  };

  return {
    settings,
    proxy: () => (usual ? readProxyAddress(usual.reveal()) : null),
    routeTo,
    agentFor: (url) => agentFor(url),
    async fetch(url, init, own) {
      const agent = agentFor(url, own);
      return agent ? fetchThrough(agent, url, init) : fetch(url, init);
    },
    retire() {
      for (const agent of agents.values()) agent.retire();
    },
  };
};

export const nothingSet: OutsideSettings = { trustedCaFile: undefined, proxy: undefined, noProxy: '' };

let current: { readonly way: Outside; readonly key: string } | undefined;

const keyOf = ({ trustedCaFile, proxy, noProxy, unused = [] }: OutsideSettings, machine: object): string =>
  JSON.stringify([
    trustedCaFile,
    proxy?.reveal(),
    noProxy,
    unused.map(({ setting, value }) => [setting, value.reveal()]),
    machine,
  ]);

/** Equal settings change nothing: open connections stay, and silent proxies stay known. */
const wayWith = (settings: OutsideSettings): Outside => {
  const machine = machineProxyEnv();
  const key = keyOf(settings, machine);
  if (current?.key !== key) {
    current?.way.retire();
    current = { way: createOutside(settings, machine), key };
  }
  return current.way;
};

/** The way outside of this process, as `setUpOutside` made it; before that, with what the machine has. */
export const outside = (): Outside => current?.way ?? wayWith(nothingSet);

/** What is wrong with what leads outside, in sentences; it does not keep a program from working within the network. */
export const outsideFaults = ({ trustedCaFile, unused = [] }: OutsideSettings): readonly string[] => {
  const fault = trustedCaFile === undefined ? null : authoritiesFault(trustedCaFile);
  return [
    ...unused.map(unusedProxyText),
    ...(fault === null ? [] : [outsideReasons['authorities-unused'](`${trustedCaFile} ${fault}`)]),
  ];
};

/** Called when a program has read its settings, and again when they have changed. */
export const setUpOutside = (settings: OutsideSettings, log?: Pick<Log, 'warn'>): void => {
  wayWith(settings);
  if (log) for (const fault of outsideFaults(settings)) log.warn(fault);
};

/** As `fetch` takes it; redirects are not followed, so that nothing secret goes elsewhere. */
export interface OutsideInit extends RequestInit {
  readonly redirect: 'manual' | 'error';
}

/** Statuses whose answers must not have a body, or `Response` throws. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Like `fetch`, over connections of an agent.
 * @throws what `node:https` or the agent throws; an abort throws the signal's reason
 */
const fetchThrough = async (agent: https.Agent, url: URL, init: OutsideInit): Promise<Response> => {
  const request = new Request(url, { ...init, redirect: 'manual' });
  const signal = init.signal ?? undefined;
  signal?.throwIfAborted();
  const body = request.body === null ? null : Buffer.from(await request.arrayBuffer());
  const headers = { ...Object.fromEntries(request.headers), ...(body && { 'content-length': body.length }) };
  const asking = https.request(url, { method: request.method, headers, agent, ...(signal && { signal }) });
  try {
    const answered = once(asking, 'response') as Promise<[IncomingMessage]>;
    asking.end(body ?? undefined);
    const [answer] = await answered;
    // Errors after the answer are reported by its stream.
    asking.on('error', () => undefined);
    return toResponse(answer, init);
  } catch (error) {
    asking.on('error', () => undefined).destroy();
    throw signal?.aborted ? signal.reason : error;
  }
};

/** @throws {RangeError} for a status that `Response` does not know */
const toResponse = (answer: IncomingMessage, { redirect }: OutsideInit): Response => {
  const { statusCode: status = 0 } = answer;
  if (redirect === 'error' && status >= 300 && status < 400 && status !== 304)
    throw new TypeError(`redirected (HTTP ${status})`);
  const headers = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
    [value ?? []].flat().map((one) => [name, one]),
  );
  if (!bodiless.has(status))
    return new Response(Readable.toWeb(answer) as ReadableStream, { status, headers });
  answer.on('error', () => undefined).resume();
  return new Response(null, { status, headers });
};
