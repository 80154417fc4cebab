import type * as z from 'zod';
import type { localApiCall } from '#contracts/operations/stack.ts';
import { confirmationBy, confirmationHeader } from '#runtime/desktop-confirmation.ts';
import { StartupError } from '#runtime/program.ts';
import type { Secret } from '#runtime/secret.ts';

export type LocalApiCall = z.output<typeof localApiCall>;

export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

const deadlineMs = 30_000;

/** A request, and whether the person at this machine has confirmed it. */
export interface ConfirmableInit extends RequestInit {
  readonly isConfirmed?: boolean;
}

/** A request to the API with the owner's credential, which never leaves the supervisor. @throws when no answer comes */
export const fetchApi = (
  origin: string,
  credential: Secret,
  path: string,
  { headers, isConfirmed = false, ...init }: ConfirmableInit,
): Promise<Response> =>
  fetch(origin + path, {
    ...init,
    headers: {
      ...(headers as Record<string, string>),
      Authorization: `Bearer ${credential.reveal()}`,
      ...(isConfirmed && { [confirmationHeader]: confirmationBy(credential) }),
    },
    redirect: 'error',
  });

/**
 * One request to the API, answered in JSON. Its caller is never a page, but a person who has typed a command, or a step that
 * a person has started, so it counts as confirmed.
 */
export const callApi = async (
  origin: string,
  credential: Secret,
  { method, path, body }: LocalApiCall,
): Promise<ApiAnswer> => {
  try {
    const response = await fetchApi(origin, credential, path, {
      method,
      headers: { 'Content-Type': 'application/json' },
      isConfirmed: true,
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(deadlineMs),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  } catch (error) {
    throw new StartupError('The API does not answer. See: castellan status', { cause: error });
  }
};
