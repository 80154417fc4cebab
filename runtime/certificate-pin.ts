import { createHash, type X509Certificate } from 'node:crypto';

/** Identifies a self-signed certificate: `sha256//` and the SHA-256 of its public key in base64, as curl writes it. */
export const certificatePinPattern = /^sha256\/\/[A-Za-z0-9+/]{43}=$/;

/** The same for every certificate of one key, so that it survives a renewal that keeps the key. */
export const certificatePin = ({ publicKey }: Pick<X509Certificate, 'publicKey'>): string =>
  `sha256//${createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64')}`;
