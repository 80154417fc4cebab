import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import * as https from 'node:https';
import { Readable } from 'node:stream';

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
export const fetchThrough = async (agent: https.Agent, url: URL, init: OutsideInit): Promise<Response> => {
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
