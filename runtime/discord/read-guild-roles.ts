import * as z from 'zod';
import { askDiscord } from './ask-discord.ts';

const roles = z.array(
  z.object({ id: z.string(), name: z.string(), position: z.int(), managed: z.boolean().default(false) }),
);

/**
 * The roles that people of a Discord server can be given, the highest first. It connects directly, as the bot does.
 * @returns null when Discord does not answer
 */
export const readGuildRoles = async (
  { token, guildId }: { readonly token: string; readonly guildId: string },
  { apiUrl, timeoutMs = 10_000 }: { apiUrl?: string | undefined; timeoutMs?: number } = {},
): Promise<{ id: string; name: string }[] | null> => {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const { status, body } = await askDiscord({ token, apiUrl, signal }, `/guilds/${guildId}/roles`);
    if (status !== 200) return null;
    return (
      roles
        .parse(body)
        // `@everyone` has the id of its server. Managed roles belong to bots and boosts.
        .filter(({ id, managed }) => id !== guildId && !managed)
        .sort((one, other) => other.position - one.position)
        .map(({ id, name }) => ({ id, name }))
    );
  } catch {
    return null;
  }
};
