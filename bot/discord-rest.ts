import { DefaultRestOptions, type RESTOptions, type ResponseLike } from 'discord.js';
import { discordCode } from './discord-request.ts';

type MakeRequest = RESTOptions['makeRequest'];

export interface RequestHooks {
  /** The client's connection has ended: what still waits is not sent. */
  readonly hasEnded: () => boolean;
  /** Discord answered 401 to the bot's token; discord.js then forgets the token and sends nothing more. */
  readonly onTokenRefused: () => void;
}

/** Sends requests as discord.js does, and corrects answers that it would misread. */
export const createMakeRequest =
  ({ hasEnded, onTokenRefused }: RequestHooks): MakeRequest =>
  async (url, init) => {
    if (hasEnded()) throw new Error('the connection to Discord has ended');
    const response = await DefaultRestOptions.makeRequest(url, init);
    if (response.status === 401 && 'Authorization' in { ...(init.headers as object) }) onTokenRefused();
    return response.status === 429 ? readThrottle(response) : response;
  };

/**
 * Discord answers 429 when a message is too old to be edited again, and discord.js would then delay every edit in the
 * channel for minutes. It is a refusal: https://github.com/discord/discord-api-docs/issues/4413
 */
const readThrottle = async (response: ResponseLike): Promise<ResponseLike> => {
  const text = await response.text();
  const headers = new Headers([...response.headers]);
  const isRefusal = codeOf(text) === discordCode.tooManyOldEdits;
  if (isRefusal) headers.delete('Retry-After');
  // discord.js types the answer as undici's Response, which Node's own is.
  return new Response(text, { status: isRefusal ? 400 : 429, headers }) as unknown as ResponseLike;
};

const codeOf = (text: string): unknown => {
  try {
    return (JSON.parse(text) as { code?: unknown }).code;
  } catch {
    // A page from a proxy in front of Discord.
    return undefined;
  }
};
