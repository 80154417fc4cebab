import { apiKeysHttp } from '#contracts/identity/api-keys.ts';
import { problemContentType } from '#contracts/kernel/problems.ts';
import { keyProofBySecret } from '#runtime/api-key-proof.ts';
import { isToken, newSecretText, tokenDigest } from '#runtime/auth/secret-token.ts';
import { readDesktopCredential } from '#runtime/desktop-confirmation.ts';
import { StartupError } from '#runtime/program.ts';
import type { Secret } from '#runtime/secret.ts';

const deadlineMs = 30_000;
/** A proof is far shorter. */
const longestAnswer = 1000;
const apiStatus = { proven: 200, unknownKey: 401 } as const;

/**
 * Makes the program at the API's address prove that it knows the key before the key is shown to it: while the service is
 * down, any program on this machine may hold the port.
 * @returns null when it is the API, which knows the key; else its answer, which is no proof: it does not know the key, or
 *   cannot look it up
 * @throws {StartupError} when it is not the API, or nothing answers
 */
export const askForProof = async (origin: string, key: Secret): Promise<Response | null> => {
  const { id, secret } = readDesktopCredential(key.reveal()) ?? {};
  if (id === undefined || secret === undefined)
    throw new StartupError('The key that this desktop keeps is damaged.');
  const nonce = newSecretText();
  const answer = await fetch(`${origin}${apiKeysHttp.prove.path.replace(':id', id)}?nonce=${nonce}`, {
    redirect: 'error',
    signal: AbortSignal.timeout(deadlineMs),
  }).catch((error: Error) => {
    throw new StartupError('The API does not answer.', { cause: error });
  });
  if (answer.status !== apiStatus.proven) return answer;
  const size = Number(answer.headers.get('Content-Length') ?? Number.POSITIVE_INFINITY);
  const said = size > longestAnswer ? null : await answer.json().catch(() => null);
  if (said === null) await answer.body?.cancel().catch(() => undefined);
  const shown = String(apiKeysHttp.prove.response.safeParse(said).data?.proof);
  if (isToken(shown, tokenDigest(keyProofBySecret(secret, nonce)))) return null;
  throw new StartupError('Another program answers at the address of the API. The key was not sent to it.');
};

/** Whether such an answer says that the key no longer opens anything; other servers refuse in other words. */
export const isKeyUnknown = ({ status, headers }: Response): boolean =>
  status === apiStatus.unknownKey && (headers.get('Content-Type') ?? '').startsWith(problemContentType);
