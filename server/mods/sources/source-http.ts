import type * as z from 'zod';
import type { ModSourceState } from '#contracts/mods/mods.ts';
import { backOffDelay } from '#runtime/back-off.ts';
import type { DelayClock } from '#runtime/clock.ts';
import { readRetryAfter } from '#runtime/http/retry-after.ts';
import { limitConcurrency } from '#runtime/limit-concurrency.ts';
import type { Log } from '#runtime/log.ts';
import { type OutsideInit, outside } from '#runtime/outside/outside.ts';
import { explainOutside, type OutsideReason } from '#runtime/outside/outside-failure.ts';
import { version } from '#runtime/version.ts';
import { createAnswerCache } from './answer-cache.ts';
import type { ModSourceClient, SourceFailure } from './mod-source.ts';
import { readSourceJson } from './source-json.ts';

/** Sources want to know who is calling and how to reach them. https://docs.modrinth.com/api/#user-agents */
const userAgent = `Castellan/${version} (game server control center)`;

/** Per answer; the versions of the largest projects are some 5 MiB. */
const mostBytes = 16 * 1024 * 1024;
const timeoutMs = 20_000;
const mostRunning = 4;
/** Beyond this, waiting is useless: the caller is told that the source wants a pause. */
const mostWaiting = 2000;
/** A pause up to this long is waited out here; longer ones are reported to the caller. */
const longestPauseMs = 5000;
/** Whatever a source says, it is asked again after this time. */
const longestBlockMs = 60 * 60_000;
/** Used when a 429 names no time. */
const usualBlockMs = 15_000;
/** When fewer requests remain, recent answers are reused: a large set gets through in several tries. */
const scarce = 100;
const lateMs = 10 * 60_000;
const tries = 3;
const backOff = { firstMs: 400, mostMs: 4000, jitter: 0.3 };

interface Question<Schema extends z.ZodType> {
  readonly schema: Schema;
  readonly signal: AbortSignal;
  /** Sent by POST: JSON, or a form. */
  readonly body?: object | URLSearchParams;
}

/** One source of mods; all callers share its budget. */
export interface SourceHttp {
  /**
   * Null: it does not exist (404).
   * @throws the signal's reason
   */
  ask<Schema extends z.ZodType>(
    path: string,
    question: Question<Schema>,
  ): Promise<z.output<Schema> | SourceFailure | null>;
}

type Received =
  | { readonly is: 'answer'; readonly body: string }
  | { readonly is: 'missing' }
  | { readonly is: 'blocked' }
  | { readonly is: 'refused' }
  | {
      readonly is: 'broken';
      readonly why: string;
      readonly canRetry: boolean;
      /** `why` is a sentence for people. */
      readonly isSentence: boolean;
    };

export const createSourceHttp = (options: {
  readonly source: ModSourceClient['source'];
  /** Without the API version. */
  readonly baseUrl: string;
  /** Additional headers, such as a key, which no log shows; the state when there is no key. */
  readonly headers?: () => Promise<Readonly<Record<string, string>> | 'no-key'>;
  /** What a 401 or 403 means; defaults to `away`. */
  readonly refusalOf?: (body: string) => 'limited' | 'key-refused';
  readonly clock: DelayClock;
  readonly log: Pick<Log, 'warn'>;
}): SourceHttp => {
  const { source, clock, log } = options;
  const cache = createAnswerCache();
  const few = limitConcurrency({
    maxRunning: mostRunning,
    maxWaiting: mostWaiting,
    tooManyWaiting: () => new TooManyWaiting('too many wait for this source'),
    isHopeless: () => false,
  });
  /** On the monotonic clock: the source is not asked earlier. */
  let blockedUntil = 0;
  /** The number of requests that the source says are left. */
  let remaining = Number.POSITIVE_INFINITY;

  const failure = (state: ModSourceState['state'], why?: string): SourceFailure => {
    const leftMs = Math.max(1000, blockedUntil - clock.monotonicMs());
    const againAt = state === 'limited' ? new Date(clock.now().getTime() + leftMs).toISOString() : null;
    return { failed: { source, state, againAt, ...(why !== undefined && { why }) } };
  };
  const block = (ms: number): void => {
    const until = clock.monotonicMs() + Math.min(longestBlockMs, Math.max(1000, ms));
    blockedUntil = Math.max(blockedUntil, until);
  };

  const heed = ({ status, headers }: Response): void => {
    const resetMs = 1000 * Number(headers.get('x-ratelimit-reset') ?? Number.NaN);
    const left = headers.get('x-ratelimit-remaining');
    remaining = left === null || left.trim() === '' ? Number.POSITIVE_INFINITY : Number(left);
    const isSpent = remaining === 0;
    const retryMs = readRetryAfter(headers.get('retry-after'), clock.now().getTime());
    if (status === 429) block(retryMs ?? (Number.isFinite(resetMs) ? resetMs : usualBlockMs));
    else if (status === 503 && retryMs !== null) block(retryMs);
    else if (isSpent && Number.isFinite(resetMs)) block(resetMs);
  };

  const receive = async (
    url: string,
    headers: Readonly<Record<string, string>>,
    { body, signal }: Pick<Question<z.ZodType>, 'body' | 'signal'>,
  ): Promise<Received> => {
    const kept = body ? null : cache.get(url);
    const init: OutsideInit = {
      headers: {
        'User-Agent': userAgent,
        Accept: 'application/json',
        ...(body && !(body instanceof URLSearchParams) ? { 'Content-Type': 'application/json' } : {}),
        ...(kept ? { 'If-None-Match': kept.etag } : {}),
        ...headers,
      },
      // A key must not follow a redirect of the source.
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      ...(body
        ? { method: 'POST', body: body instanceof URLSearchParams ? body : JSON.stringify(body) }
        : {}),
    };
    try {
      const response = await outside().fetch(new URL(url), init);
      heed(response);
      const { status } = response;
      if (status === 304 && kept) {
        await response.body?.cancel();
        cache.put(url, { ...kept, at: clock.monotonicMs() });
        return { is: 'answer', body: kept.body };
      }
      const text = await readBounded(response, mostBytes);
      if (text === null)
        return { is: 'broken', why: 'an answer without measure', canRetry: false, isSentence: false };
      if (response.ok) {
        const etag = response.headers.get('etag');
        if (etag && !body) cache.put(url, { etag, body: text, at: clock.monotonicMs() });
        return { is: 'answer', body: text };
      }
      if (status === 404) return { is: 'missing' };
      if (status === 429 || (status === 503 && response.headers.has('retry-after'))) return { is: 'blocked' };
      if ((status === 401 || status === 403) && options.refusalOf) {
        if (options.refusalOf(text) === 'key-refused') return { is: 'refused' };
        block(readRetryAfter(response.headers.get('retry-after'), clock.now().getTime()) ?? usualBlockMs);
        return { is: 'blocked' };
      }
      return { is: 'broken', why: `HTTP ${status}`, canRetry: status >= 500, isSentence: false };
    } catch (error) {
      signal.throwIfAborted();
      const { code, text } = await explainOutside(error, new URL(url));
      // A silent source stays silent, and people are waiting; a certificate or a proxy stays as it is.
      return { is: 'broken', why: text, canRetry: passing.has(code), isSentence: true };
    }
  };

  /** @returns false: the pause is longer than people wait */
  const waitForPause = async (signal: AbortSignal): Promise<boolean> => {
    const leftMs = blockedUntil - clock.monotonicMs();
    if (leftMs > longestPauseMs) return false;
    if (leftMs > 0) await clock.delay(leftMs, signal);
    signal.throwIfAborted();
    return true;
  };

  const askOften = async <Schema extends z.ZodType>(
    path: string,
    question: Question<Schema>,
  ): Promise<z.output<Schema> | SourceFailure | null> => {
    const { signal, schema } = question;
    const late = question.body || remaining > scarce ? null : cache.get(`${options.baseUrl}${path}`);
    if (late && clock.monotonicMs() - late.at < lateMs) {
      const answer = readSourceJson(schema, late.body);
      if (answer !== null) return answer;
    }
    for (let failures = 0; ; ) {
      if (!(await waitForPause(signal))) return failure('limited');
      const headers = (await options.headers?.()) ?? {};
      if (headers === 'no-key') return failure('no-key');
      const received = await receive(`${options.baseUrl}${path}`, headers, question);
      failures += 1;
      switch (received.is) {
        case 'answer': {
          const answer = readSourceJson(schema, received.body);
          if (answer !== null) return answer;
          log.warn({ source, path: pathOf(path) }, 'a mod source returned an invalid response');
          return failure('away');
        }
        case 'missing':
          return null;
        case 'refused':
          return failure('key-refused');
        case 'blocked':
          if (failures < tries) break;
          return failure('limited');
        case 'broken':
          if (!received.canRetry || failures >= tries) {
            log.warn({ source, path: pathOf(path), why: received.why }, 'a mod source is unavailable');
            return failure('away', received.isSentence ? received.why : undefined);
          }
          await clock.delay(backOffDelay(backOff, failures, Math.random()), signal);
          signal.throwIfAborted();
      }
    }
  };

  return {
    async ask(path, question) {
      question.signal.throwIfAborted();
      try {
        return await few(() => askOften(path, question));
      } catch (error) {
        if (error instanceof TooManyWaiting) return failure('limited');
        throw error;
      }
    },
  };
};

class TooManyWaiting extends Error {}

/** What may be over at the next try. */
const passing: ReadonlySet<OutsideReason> = new Set([
  'outside-reset',
  'outside-broken',
  'outside-refused',
  'outside-name-silent',
  'outside-name-unknown',
  'outside-no-route',
]);

/** What people search for is private: it appears in no log. */
const pathOf = (path: string): string => path.replace(/\?.*$/s, '');

/** Counted after decompression: a small answer can be a bomb. @returns null when it is too large */
const readBounded = async (response: Response, most: number): Promise<string | null> => {
  const { body, headers } = response;
  if (!body) return '';
  if (Number(headers.get('content-length') ?? 0) > most) {
    await body.cancel();
    return null;
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    // Leaving the loop cancels the rest.
    if (bytes > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};
