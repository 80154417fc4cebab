import * as z from 'zod';

const roles = z.array(
  z.object({ id: z.string(), name: z.string(), position: z.int(), managed: z.boolean().default(false) }),
);

/**
 * The roles that people of a Discord server can be given, the highest first. By the direct way, as the bot itself.
 * @returns null when Discord does not tell
 */
export const readGuildRoles = async (
  { token, guildId }: { readonly token: string; readonly guildId: string },
  {
    apiUrl = 'https://discord.com/api',
    timeoutMs = 5000,
  }: { apiUrl?: string | undefined; timeoutMs?: number } = {},
): Promise<{ id: string; name: string }[] | null> => {
  try {
    const response = await fetch(`${apiUrl}/v10/guilds/${guildId}/roles`, {
      headers: { Authorization: `Bot ${token}`, 'User-Agent': 'DiscordBot (Castellan, 1)' },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return null;
    }
    return (
      roles
        .parse(await response.json())
        // `@everyone` has the id of its server. Managed ones belong to bots and boosts.
        .filter(({ id, managed }) => id !== guildId && !managed)
        .sort((one, other) => other.position - one.position)
        .map(({ id, name }) => ({ id, name }))
    );
  } catch {
    return null;
  }
};
