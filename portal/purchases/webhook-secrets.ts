import * as z from 'zod';
import { type Gateway, gateways } from '#contracts/portal/purchases.ts';
import { Secret } from '#runtime/secret.ts';

/** A shorter one could be guessed from a single signed event. */
const minLength = 24;

/** Several, comma-separated, while a gateway switches from one to the next. */
export const webhookSecretsField = z
  .string()
  .transform((text) => text.split(',').map((secret) => secret.trim()))
  .refine((secrets) => secrets.every((secret) => secret.length >= minLength), {
    error: `must be one secret or several, comma-separated, of at least ${minLength} characters each`,
  })
  .transform((secrets) => secrets.map((secret) => new Secret(secret)));

/** The secrets that sign each gateway's events; without one, its events are refused. */
export type WebhookSecrets = Readonly<Record<Gateway, readonly Secret[]>>;

const isStripes = (secret: Secret): boolean => secret.reveal().startsWith('whsec_');

/**
 * A secret proves the events of one gateway. Secrets without a gateway (PURCHASE_WEBHOOK_SECRET) serve each gateway
 * that has none under its own name; if they are of both kinds, each serves the gateway that its format indicates.
 */
export const webhookSecretsOf = (
  unnamed: readonly Secret[] = [],
  named: Partial<Readonly<Record<Gateway, readonly Secret[] | undefined>>> = {},
): WebhookSecrets => {
  const stripes = unnamed.filter(isStripes);
  const others = unnamed.filter((secret) => !isStripes(secret));
  const isMixed = stripes.length > 0 && others.length > 0;
  return {
    generic: named.generic ?? (isMixed ? others : unnamed),
    stripe: named.stripe ?? (isMixed ? stripes : unnamed),
  };
};

/** Whether one secret proves the events of several gateways. */
export const hasSharedSecret = (secrets: WebhookSecrets): boolean => {
  const texts = gateways.flatMap((gateway) => [
    ...new Set(secrets[gateway].map((secret) => secret.reveal())),
  ]);
  return new Set(texts).size < texts.length;
};
