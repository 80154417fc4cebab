import { explainOutside } from '../../outside/outside-failure.ts';
import type { Secret } from '../../secret.ts';
import { AnswerTooLargeError, ShownToProxyError } from './exchange.ts';

/** Why an exchange failed, in words for people. @param proxy the one that it was made through, as `exchange` takes it */
export const explainFailure = async (error: unknown, url: URL, proxy?: Secret): Promise<string> => {
  if (error instanceof AnswerTooLargeError)
    return `What answers at ${url.host} is not the portal: its answer has no end.`;
  if (error instanceof ShownToProxyError)
    return `The portal at ${url.host} is asked over http, and a proxy would see the license: use its https address, or no proxy.`;
  return (await explainOutside(error, url, { proxy })).text;
};
