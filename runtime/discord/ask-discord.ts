import { outside } from '../outside/outside.ts';

/** Discord itself. */
export const discordApiUrl = 'https://discord.com/api';

/** GET of Discord's REST API, as the bot. @returns a null body where there is no JSON @throws when there is no answer */
export const askDiscord = async (
  {
    token,
    apiUrl = discordApiUrl,
    signal,
  }: {
    readonly token: string;
    /** The real Discord when undefined. */
    readonly apiUrl: string | undefined;
    readonly signal: AbortSignal;
  },
  path: string,
): Promise<{ readonly status: number; readonly body: unknown; readonly isPage: boolean }> => {
  const headers = { Authorization: `Bot ${token}`, 'User-Agent': 'DiscordBot (Castellan, 1)' };
  const url = new URL(`${apiUrl}/v10${path}`);
  const response = await outside().fetch(url, { headers, redirect: 'error', signal });
  const isPage = /^text\/html/i.test(response.headers.get('content-type') ?? '');
  return { status: response.status, body: await response.json().catch(() => null), isPage };
};
