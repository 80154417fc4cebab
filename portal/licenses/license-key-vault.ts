import { createHmac, hkdfSync } from 'node:crypto';
import type { Secret } from '#runtime/secret.ts';
import { createSecretBox, type SecretBox } from '#runtime/secret-box.ts';

/** Keeps license keys so that the database alone gives none away, and yet finds a license by its key. */
export interface LicenseKeyVault {
  readonly box: SecretBox;
  /** Keyed hash; the same key always has the same. */
  hash(licenseKey: string): Buffer;
  seal(licenseKey: string, licenseId: string): string;
  open(sealed: string, licenseId: string): string;
}

const placeOf = (licenseId: string): string => `licenses:${licenseId}:key`;

export const createLicenseKeyVault = (masterKey: Secret): LicenseKeyVault => {
  const box = createSecretBox([masterKey]);
  const hashKey = Buffer.from(
    hkdfSync('sha256', Buffer.from(masterKey.reveal(), 'hex'), '', 'castellan-portal license key hash', 32),
  );
  return {
    box,
    hash: (licenseKey) => createHmac('sha256', hashKey).update(licenseKey).digest(),
    seal: (licenseKey, licenseId) => box.seal(licenseKey, placeOf(licenseId)),
    open: (sealed, licenseId) => box.open(sealed, placeOf(licenseId)).toString(),
  };
};
