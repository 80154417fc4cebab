import { type DiscordUser, decodeDiscordUser, discordUserHeader } from '#contracts/discord/discord-users.ts';
import { botPermissions } from '#contracts/identity/permissions.ts';
import { isToken, tokenDigest } from '#runtime/auth/secret-token.ts';
import { Problem } from '#runtime/problem.ts';
import type { Secret } from '#runtime/secret.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { Authenticate } from '../../kernel/access/authorize.ts';

const bot: Actor = {
  kind: 'bot',
  id: 'discord',
  name: 'Discord bot',
  permissions: new Set(botPermissions),
  serverPermissions: new Map(),
};

/**
 * Takes INTERNAL_API_SECRET as the bearer; compares digests in constant time.
 * @param actFor the person whom the bot names; what they may do is looked up here, never told by the bot
 */
export const authenticateBot = (
  secret: Secret,
  actFor: (user: DiscordUser) => Promise<Actor>,
): Authenticate => {
  const expected = tokenDigest(secret.reveal());
  return ({ bearer, request }) => {
    if (bearer === null || !isToken(bearer, expected)) return null;
    const header = request.get(discordUserHeader);
    if (header === undefined) return bot;
    const user = decodeDiscordUser(header);
    // Never the bot itself: it may do more than the person.
    if (!user) throw new Problem('INVALID_REQUEST', { detail: `${discordUserHeader} names no one.` });
    return actFor(user);
  };
};
