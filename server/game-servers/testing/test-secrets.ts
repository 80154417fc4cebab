import { Secret } from '#runtime/secret.ts';
import { createSecrets, type Secrets } from '../../secrets/secrets.ts';

/** Seals with a key of a test's own; another digit is another key. */
export const testSecrets = (digit = '0'): Secrets => createSecrets([new Secret(digit.repeat(64))]);
