import { strikeNumberHeader } from '#contracts/key-succession.ts';

/** One answer, whole and bounded. */
export interface HttpAnswer {
  readonly status: number;
  /** Lower case, without parameters, cut where no real one is as long. */
  readonly contentType: string;
  readonly retryAfter: string | null;
  /** Of the newest strike of a signing key that the portal speaks of; 0 when it speaks of none. */
  readonly strikeNumber: number;
  readonly text: string;
}

const contentTypeMaxLength = 100;

/** Some times the largest token, and more than the longest succession of keys. */
const answerMaxBytes = 131_072;

export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
}

/**
 * Posts JSON, or fetches when there is no body, and reads the answer; redirects are not followed, the license key goes
 * nowhere else.
 * @throws what fetch throws, a TimeoutError, or {AnswerTooLargeError}
 */
export const exchange = async (
  url: URL,
  body: object | null,
  timeoutMs: number,
  stop?: AbortSignal,
): Promise<HttpAnswer> => {
  const timeout = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, {
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : { method: 'GET' }),
    headers: {
      ...(body ? { 'Content-Type': 'application/json' } : { 'Cache-Control': 'no-cache' }),
      Accept: 'application/json, application/problem+json',
    },
    redirect: 'manual',
    signal: stop ? AbortSignal.any([timeout, stop]) : timeout,
  });
  const [contentType = ''] = (response.headers.get('content-type') ?? '').split(';');
  return {
    status: response.status,
    contentType: contentType.trim().toLowerCase().slice(0, contentTypeMaxLength),
    retryAfter: response.headers.get('retry-after'),
    strikeNumber: Number(response.headers.get(strikeNumberHeader)) || 0,
    text: await readBounded(response),
  };
};

const readBounded = async (response: Response): Promise<string> => {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > answerMaxBytes) throw new AnswerTooLargeError(`more than ${answerMaxBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
};
