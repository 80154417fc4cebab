import { createHash, type X509Certificate } from 'node:crypto';

/** By what a certificate of one's own is known: `sha256//` and the SHA-256 of its public key in base64, as curl writes it. */
export const certificatePinPattern = /^sha256\/\/[A-Za-z0-9+/]{43}=$/;

/** The same for each certificate of one key, so that it outlives a renewal that keeps the key. */
export const certificatePin = ({ publicKey }: Pick<X509Certificate, 'publicKey'>): string =>
  `sha256//${createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64')}`;
