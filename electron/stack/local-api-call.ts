import type * as z from 'zod';
import type { localApiCall } from '#contracts/stack.ts';
import { StartupError } from '#runtime/program.ts';
import type { Secret } from '#runtime/secret.ts';

export type LocalApiCall = z.output<typeof localApiCall>;

export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

const deadlineMs = 30_000;

/** One request to the API with the credential of the machine's owner, which never leaves the supervisor. */
export const callApi = async (
  origin: string,
  credential: Secret,
  { method, path, body }: LocalApiCall,
): Promise<ApiAnswer> => {
  const headers = { Authorization: `Bearer ${credential.reveal()}`, 'Content-Type': 'application/json' };
  try {
    const response = await fetch(origin + path, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(deadlineMs),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  } catch (error) {
    throw new StartupError('The API does not answer. See: castellan status', { cause: error });
  }
};
