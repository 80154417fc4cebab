import { Secret } from '#runtime/secret.ts';
import { createSecrets, type Secrets } from '../../../kernel/secrets/secrets.ts';

/** Seals with a test key; another digit makes another key. */
export const testSecrets = (digit = '0'): Secrets => createSecrets([new Secret(digit.repeat(64))]);
