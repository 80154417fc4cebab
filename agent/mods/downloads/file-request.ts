import { lookup } from 'node:dns';
import { lookup as lookupAll } from 'node:dns/promises';
import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { outside } from '#runtime/outside/outside.ts';
import { explainOutside, type OutsideReason } from '#runtime/outside/outside-failure.ts';
import { isPublicAddress } from '#runtime/public-address.ts';
import { ModFileError } from '../mod-files.ts';
import { PassingFault } from './download-fault.ts';

const mostRedirects = 5;

interface FileRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Headers that only the first host receives. */
  readonly secretHeaders: Readonly<Record<string, string>>;
  /** Time without a byte, and the limit for the head of each answer. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

export interface FileRequests {
  isAllowedHost(url: URL): boolean;
  /** Follows redirects; the caller must read the answer, or destroy it. @throws {PassingFault} or {ModFileError} */
  get(request: FileRequest): Promise<http.IncomingMessage>;
}

/** GET over https from public addresses; plain HTTP and private addresses only for `allowHosts`. */
export const createFileRequests = (allowHosts: readonly string[]): FileRequests => {
  const agents = {
    'http:': new http.Agent({ keepAlive: true }),
    'https:': new https.Agent({ keepAlive: true }),
  };
  const isAllowedHost = (url: URL) => allowHosts.includes(`${url.hostname}:${url.port || usualPort(url)}`);

  const ask = async (url: URL, request: FileRequest, isFirstHost: boolean) => {
    const isAllowed = isAllowedHost(url);
    if (!isAllowed) demandPublic(url);
    const { request: send } = url.protocol === 'http:' ? http : https;
    const tunnel = outside().agentFor(url);
    if (tunnel && !isAllowed) await demandPublicName(url);
    const asking = send(url, {
      headers: { ...request.headers, ...(isFirstHost ? request.secretHeaders : {}) },
      agent: tunnel ?? agents[url.protocol as keyof typeof agents],
      signal: request.signal,
      ...(isAllowed ? {} : { lookup: lookupPublic }),
    });
    asking.setTimeout(request.idleMs, () => asking.destroy(new Error('nothing came for too long')));
    // A head that arrives letter by letter is never idle, and a connection that is still being made has no idle timer yet.
    const late = setTimeout(() => asking.destroy(new Error('no answer came in time')), request.idleMs);
    const answered = once(asking, 'response') as Promise<[http.IncomingMessage]>;
    asking.end();
    const [answer] = await answered.finally(() => clearTimeout(late));
    // Errors after the answer are reported by its stream.
    asking.on('error', () => undefined);
    return answer;
  };

  return {
    isAllowedHost,
    async get(request) {
      let { url } = request;
      for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
        const answer = await ask(url, request, url.origin === request.url.origin).catch(
          async (error: unknown) => {
            throw request.signal.aborted || error instanceof ModFileError
              ? error
              : await unreachable(url, error, isAllowedHost(url));
          },
        );
        const { location } = answer.headers;
        if (![301, 302, 303, 307, 308].includes(answer.statusCode ?? 0) || location === undefined)
          return answer;
        answer.destroy();
        if (!URL.canParse(location, url.href))
          throw new PassingFault('away', `${url.host} redirects to what is no address.`);
        url = new URL(location, url);
      }
      throw new ModFileError('gone', `${request.url.host} redirects more than ${mostRedirects} times.`);
    },
  };
};

/** Waiting helps with none of them. */
const lasting = (code: OutsideReason): boolean =>
  /^outside-(?:intercepted|self-signed|chain|expired|not-yet-valid|other-name|certificate)$|^proxy-(?:sign-in|page|odd|forbids)/.test(
    code,
  );

const unreachable = async (url: URL, cause: unknown, isAllowed: boolean) => {
  const { code, text } = await explainOutside(cause, url, isAllowed ? {} : { lookup: lookupPublic });
  return lasting(code)
    ? new ModFileError('away', text, { cause })
    : new PassingFault('away', text, { cause });
};

const usualPort = ({ protocol }: URL): number => (protocol === 'http:' ? 80 : 443);

/** A name is checked when it is looked up for the connection. @throws {ModFileError} */
const demandPublic = (url: URL): void => {
  if (url.protocol !== 'https:') throw forbidden(`${url.origin} is not an https address`, url);
  const address = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0 && !isPublicAddress(address)) throw forbidden(notPublic(url.hostname), url);
};

const notPublic = (host: string): string => `${host} is not a host of the public internet`;

const forbidden = (why: string, url: URL) =>
  new ModFileError(
    'forbidden-address',
    `${why}. If you trust it, add "${url.hostname}:${url.port || usualPort(url)}" to mods.allowHosts in the agent's config.json.`,
  );

/** Behind a proxy, which looks up names itself, this machine may know none of the internet. @throws {ModFileError} */
const demandPublicName = async ({ hostname }: URL): Promise<void> => {
  const found = await lookupAll(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
  if (found.length > 0 && !found.some(({ address }) => isPublicAddress(address)))
    throw new ModFileError('forbidden-address', `${notPublic(hostname)}.`);
};

/** The connection uses the address that was checked: a second look-up could return another one. */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, '');
    const [first, ...others] = found.filter(({ address }) => isPublicAddress(address));
    if (first === undefined)
      return callback(new ModFileError('forbidden-address', `${notPublic(hostname)}.`), '');
    if (options.all) return callback(null, [first, ...others]);
    return callback(null, first.address, first.family);
  });
};
