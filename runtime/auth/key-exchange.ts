import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';

/** An X25519 key for a single exchange. */
export interface ExchangeKey {
  /** Raw public key in base64url. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

const asExchangeKey = (privateKey: KeyObject): ExchangeKey => {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  if (x === undefined || privateKey.asymmetricKeyType !== 'x25519') throw new Error('no X25519 key');
  return { publicKey: x, privateKey };
};

export const newExchangeKey = (): ExchangeKey => asExchangeKey(generateKeyPairSync('x25519').privateKey);

export const exportExchangeKey = ({ privateKey }: ExchangeKey): string =>
  privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** @throws when the text is no such key */
export const importExchangeKey = (pem: string): ExchangeKey => asExchangeKey(createPrivateKey(pem));

const secretBytes = 32;

/**
 * HKDF-SHA256 over the shared secret of an exchange: 32 bytes in base64url. Null when the other side's key is invalid, or would
 * let anyone know the result.
 */
export const deriveSharedSecret = ({
  own,
  other,
  salt,
  info,
}: {
  readonly own: ExchangeKey;
  /** The other side's raw public key in base64url. */
  readonly other: string;
  readonly salt: Uint8Array;
  readonly info: string;
}): string | null => {
  let shared: Buffer;
  try {
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: other }, format: 'jwk' });
    shared = diffieHellman({ privateKey: own.privateKey, publicKey });
  } catch {
    // OpenSSL itself refuses points of small order.
    return null;
  }
  if (shared.every((byte) => byte === 0)) return null;
  return Buffer.from(hkdfSync('sha256', shared, salt, info, secretBytes)).toString('base64url');
};
