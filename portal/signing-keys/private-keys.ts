import type { KeyObject } from 'node:crypto';
import type { SealedColumn } from '#runtime/sealed/sealed-column.ts';
import type { SecretBox } from '#runtime/secret-box.ts';
import type { SigningKeyRow } from '../database/rows.ts';
import { signingKey } from './raw-key.ts';

export const privateKeyColumn: SealedColumn = {
  table: 'signing_keys',
  key: ['kid'],
  column: 'private_key_sealed',
  placeOf: (kid) => `signing_keys:${kid}:private_key`,
};

export const sealPrivateKey = (box: SecretBox, kid: string, privateKey: string): string =>
  box.seal(privateKey, privateKeyColumn.placeOf(kid));

/**
 * Null if the private key was destroyed.
 * @throws {UnknownKeyError} if it is sealed under another master key
 */
export const openPrivateKey = (
  box: SecretBox,
  { kid, public_key, private_key_sealed }: SigningKeyRow,
): KeyObject | null => {
  if (private_key_sealed === null) return null;
  return signingKey(public_key, box.open(private_key_sealed, privateKeyColumn.placeOf(kid)).toString());
};
