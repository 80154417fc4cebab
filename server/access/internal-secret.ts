import { botPermissions } from '#contracts/permissions.ts';
import { isToken, tokenDigest } from '#runtime/auth/secret-token.ts';
import type { Secret } from '#runtime/secret.ts';
import type { Actor } from './actor.ts';
import type { Authenticate } from './authorize.ts';

const bot: Actor = {
  kind: 'bot',
  id: 'discord',
  name: 'Discord bot',
  permissions: new Set(botPermissions),
  serverPermissions: new Map(),
};

/** Takes INTERNAL_API_SECRET as the bearer; digests are compared, in a time that tells nothing about the secret. */
export const authenticateBot = (secret: Secret): Authenticate => {
  const expected = tokenDigest(secret.reveal());
  return ({ bearer }) => (bearer !== null && isToken(bearer, expected) ? bot : null);
};
