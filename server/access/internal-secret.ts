import { createHash, timingSafeEqual } from 'node:crypto';
import { botPermissions } from '#contracts/permissions.ts';
import type { Secret } from '#runtime/secret.ts';
import type { Actor } from './actor.ts';
import type { Authenticate } from './authorize.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const bot: Actor = {
  kind: 'bot',
  id: 'discord',
  name: 'Discord bot',
  permissions: new Set(botPermissions),
  serverPermissions: new Map(),
};

/** Takes INTERNAL_API_SECRET as the bearer; digests are compared, in a time that tells nothing about the secret. */
export const authenticateBot = (secret: Secret): Authenticate => {
  const expected = digest(secret.reveal());
  return ({ bearer }) => (bearer !== null && timingSafeEqual(digest(bearer), expected) ? bot : null);
};
