import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Secret } from './secret.ts';

const format = 'v1';
const nonceLength = 12;
const tagLength = 16;
const keyIdPattern = /^[0-9a-f]{8}$/;

/** The ciphertext names a key that this box does not hold. */
export class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError';
}

/** The ciphertext is cut, changed, or was sealed for another place. */
export class TamperedError extends Error {
  override readonly name = 'TamperedError';
}

/**
 * AES-256-GCM. A sealed text reads `v1.<key id>.<base64url of nonce, ciphertext, tag>`; `place` (such as the table, row and
 * column) is bound as associated data, so that a ciphertext that is moved elsewhere does not open.
 */
export interface SecretBox {
  /** Id of the sealing key: the first 8 hex digits of its SHA-256. */
  readonly keyId: string;
  /** Ids of all opening keys, the sealing one first. */
  readonly keyIds: readonly string[];
  seal(plain: string | Uint8Array, place: string): string;
  /** @throws {UnknownKeyError} @throws {TamperedError} */
  open(sealed: string, place: string): Buffer;
  /** From now on it opens nothing that these keys have sealed; the sealing key stays. */
  forget(keyIds: readonly string[]): void;
}

/** The key that a sealed text names; null when the text is not sealed. */
export const namedKeyId = (sealed: string): string | null => {
  const [version, id = ''] = sealed.split('.');
  return version === format && keyIdPattern.test(id) ? id : null;
};

export const keyIdOf = (key: Secret): string => idOf(Buffer.from(key.reveal(), 'hex'));

const idOf = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 8);

/** @param keys 32 bytes each as 64 hex digits; the first seals, all open. */
export const createSecretBox = (keys: readonly [Secret, ...Secret[]]): SecretBox => {
  const byId = new Map(
    keys.map((secret) => {
      const key = Buffer.from(secret.reveal(), 'hex');
      return [idOf(key), key];
    }),
  );
  const [[keyId, sealingKey] = ['', Buffer.alloc(0)]] = byId;

  return {
    keyId,
    get keyIds() {
      return [...byId.keys()];
    },
    seal(plain, place) {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce).setAAD(Buffer.from(place));
      const body = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
      return `${format}.${keyId}.${body.toString('base64url')}`;
    },
    open(sealed, place) {
      const id = namedKeyId(sealed);
      if (id === null) throw new TamperedError('not a sealed text of a known format');
      const key = byId.get(id);
      if (!key) throw new UnknownKeyError(`sealed with key ${id}, which is not configured`);
      const body = Buffer.from(sealed.split('.')[2] ?? '', 'base64url');
      if (body.length < nonceLength + tagLength) throw new TamperedError('a sealed text is cut short');
      const decipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, nonceLength))
        .setAAD(Buffer.from(place))
        .setAuthTag(body.subarray(-tagLength));
      try {
        return Buffer.concat([decipher.update(body.subarray(nonceLength, -tagLength)), decipher.final()]);
      } catch (error) {
        throw new TamperedError('a sealed text does not open: changed, or moved from elsewhere', {
          cause: error,
        });
      }
    },
    forget(keyIds) {
      for (const id of keyIds) if (id !== keyId) byId.delete(id);
    },
  };
};
