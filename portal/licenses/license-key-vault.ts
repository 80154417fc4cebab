import { createHmac, createSecretKey } from 'node:crypto';
import type { SealedColumn } from '#runtime/sealed/sealed-column.ts';
import type { Secret } from '#runtime/secret.ts';
import { createSecretBox, type SecretBox } from '#runtime/secret-box.ts';
import { deriveHashKey } from '../master-key/vault-keys.ts';

/** Stores license keys so that the database alone reveals none, but a license can be found by its key. */
export interface LicenseKeyVault {
  readonly box: SecretBox;
  /** Keyed hash; the same key always has the same hash. */
  hash(licenseKey: string): Buffer;
  seal(licenseKey: string, licenseId: string): string;
  open(sealed: string, licenseId: string): string;
}

interface VaultParts {
  readonly box: SecretBox;
  /** Stored in the database, so that it outlives every master key. */
  readonly hashKey: Buffer;
}

export const licenseKeyColumn: SealedColumn = {
  table: 'licenses',
  key: ['id'],
  column: 'key_sealed',
  placeOf: (licenseId) => `licenses:${licenseId}:key`,
};

/** The parts of a database that was created with this master key and never got another. */
export const firstVaultParts = (masterKey: Secret): VaultParts => ({
  box: createSecretBox([masterKey]),
  hashKey: deriveHashKey(masterKey),
});

export const createLicenseKeyVault = ({ box, hashKey }: VaultParts): LicenseKeyVault => {
  const { placeOf } = licenseKeyColumn;
  // Given bytes, Node would create a key object for each hash, which takes longer than the hash.
  const hashSecret = createSecretKey(hashKey);
  return {
    box,
    hash: (licenseKey) => createHmac('sha256', hashSecret).update(licenseKey).digest(),
    seal: (licenseKey, licenseId) => box.seal(licenseKey, placeOf(licenseId)),
    open: (sealed, licenseId) => box.open(sealed, placeOf(licenseId)).toString(),
  };
};
