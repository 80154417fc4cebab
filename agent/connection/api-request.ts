import type * as z from 'zod';
import { largestAgentFrame } from '#contracts/agent-protocol.ts';
import type { ConnectionEnd } from './connection-verdict.ts';
import { readProblem, reasonOf } from './problem-answer.ts';

/** A poll's answer holds many frames. */
const mostAnswerBytes = 16 * largestAgentFrame;

export interface ApiRequest<Schema extends z.ZodType> {
  readonly url: URL;
  /** JSON, unless the headers say otherwise. */
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly answer: Schema;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Posts, and reads the answer. Never rejects; redirects are not followed. */
export const askApi = async <Schema extends z.ZodType>({
  url,
  body,
  headers = { 'Content-Type': 'application/json' },
  answer,
  timeoutMs,
  signal,
}: ApiRequest<Schema>): Promise<{ readonly answer: z.output<Schema> } | { readonly end: ConnectionEnd }> => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const text = await readBounded(response);
    if (text === null) return misunderstood('an endless answer');
    if (!response.ok) return { end: readProblem(response.status, text, response.headers.get('retry-after')) };
    return readAnswer(text, answer);
  } catch (error) {
    if (signal.aborted) return { end: { cause: 'stopped' } };
    return { end: { cause: 'unreachable', detail: reasonOf(error) } };
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

const readBounded = async (response: Response): Promise<string | null> => {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > mostAnswerBytes) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
};
