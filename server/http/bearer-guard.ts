import { createHash, timingSafeEqual } from 'node:crypto';
import type { Guard } from '#runtime/http/routes.ts';
import { Problem } from '#runtime/problem.ts';
import type { Secret } from '#runtime/secret.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Takes `Authorization: Bearer <secret>`; digests are compared, in a time that tells nothing about the secret. */
export const bearerGuard = (secret: Secret): Guard => {
  const expected = digest(secret.reveal());
  return (request) => {
    const [, presented = ''] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (timingSafeEqual(digest(presented), expected)) return null;
    return new Problem('UNAUTHENTICATED', { headers: { 'WWW-Authenticate': 'Bearer' } });
  };
};
