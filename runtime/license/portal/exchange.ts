/** One answer, whole and bounded. */
export interface HttpAnswer {
  readonly status: number;
  /** Lower case, without parameters, cut where no real one is as long. */
  readonly contentType: string;
  readonly retryAfter: string | null;
  readonly text: string;
}

const contentTypeMaxLength = 100;

/** Some times the largest token. */
const answerMaxBytes = 65_536;

export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
}

/**
 * Posts JSON and reads the answer; redirects are not followed, the license key goes nowhere else.
 * @throws what fetch throws, a TimeoutError, or {AnswerTooLargeError}
 */
export const exchange = async (
  url: URL,
  body: object,
  timeoutMs: number,
  stop?: AbortSignal,
): Promise<HttpAnswer> => {
  const timeout = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, application/problem+json' },
    body: JSON.stringify(body),
    redirect: 'manual',
    signal: stop ? AbortSignal.any([timeout, stop]) : timeout,
  });
  const [contentType = ''] = (response.headers.get('content-type') ?? '').split(';');
  return {
    status: response.status,
    contentType: contentType.trim().toLowerCase().slice(0, contentTypeMaxLength),
    retryAfter: response.headers.get('retry-after'),
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
