import type { IncomingMessage } from 'node:http';
import type * as z from 'zod';
import { largestAgentFrame } from '#contracts/servers/agent-protocol.ts';
import { requestApi } from './api-transport.ts';
import type { ConnectionEnd } from './connection-verdict.ts';
import { readProblem, unreachableBy } from './problem-answer.ts';

/** The answer to a poll holds many frames. */
const mostAnswerBytes = 16 * largestAgentFrame;

/** Sends a POST and reads the answer. Never rejects; redirects are not followed. */
export const askApi = async <Schema extends z.ZodType>({
  url,
  body,
  headers = { 'Content-Type': 'application/json' },
  answer,
  pins,
  timeoutMs,
  signal,
}: {
  readonly url: URL;
  /** JSON, unless the headers say otherwise. */
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly answer: Schema;
  /** Pins of the API's certificate. */
  readonly pins: readonly string[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}): Promise<{ readonly answer: z.output<Schema> } | { readonly end: ConnectionEnd }> => {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await requestApi(url, {
      method: 'POST',
      headers,
      body,
      pins,
      signal: AbortSignal.any([signal, timeout]),
    });
    const text = await readBounded(response);
    if (text === null) return misunderstood('an endless answer');
    const { statusCode: status = 0 } = response;
    if (status < 200 || status > 299)
      return { end: readProblem(status, text, response.headers['retry-after']) };
    return readAnswer(text, answer);
  } catch (error) {
    if (signal.aborted) return { end: { cause: 'stopped' } };
    return { end: unreachableBy(timeout.aborted ? timeout.reason : error, url) };
  }
};

const readAnswer = <Schema extends z.ZodType>(text: string, answer: Schema) => {
  try {
    const read = answer.safeParse(JSON.parse(text));
    return read.success ? { answer: read.data } : misunderstood('an answer that is none of the protocol');
  } catch {
    return misunderstood('an answer that is no JSON');
  }
};

const misunderstood = (detail: string): { end: ConnectionEnd } => ({
  end: { cause: 'misunderstood', detail },
});

const readBounded = async (response: IncomingMessage): Promise<string | null> => {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    // Leaving the loop ends the connection.
    if (bytes > mostAnswerBytes) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
};
