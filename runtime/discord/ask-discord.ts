export interface DiscordAccess {
  readonly token: string;
  /** The real Discord when undefined. */
  readonly apiUrl: string | undefined;
  readonly signal: AbortSignal;
}

/** GET of Discord's REST API, as the bot. @returns a null body where there is no JSON @throws when there is no answer */
export const askDiscord = async (
  { token, apiUrl = 'https://discord.com/api', signal }: DiscordAccess,
  path: string,
): Promise<{ readonly status: number; readonly body: unknown }> => {
  const headers = { Authorization: `Bot ${token}`, 'User-Agent': 'DiscordBot (Castellan, 1)' };
  const response = await fetch(`${apiUrl}/v10${path}`, { headers, redirect: 'error', signal });
  return { status: response.status, body: await response.json().catch(() => null) };
};
