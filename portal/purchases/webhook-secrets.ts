import * as z from 'zod';
import { Secret } from '#runtime/secret.ts';

/** A shorter one could be guessed from a single signed event. */
const minLength = 24;

/** Several, comma-separated, while a gateway changes from one to the next; each gateway may have its own. */
export const webhookSecretsField = z
  .string()
  .transform((text) => text.split(',').map((secret) => secret.trim()))
  .refine((secrets) => secrets.every((secret) => secret.length >= minLength), {
    error: `must be one secret or several, comma-separated, of at least ${minLength} characters each`,
  })
  .transform((secrets) => secrets.map((secret) => new Secret(secret)));
