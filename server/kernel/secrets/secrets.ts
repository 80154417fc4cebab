import type { SecretFault } from '#contracts/operations/secrets.ts';
import { Problem } from '#runtime/problem.ts';
import { Secret } from '#runtime/secret.ts';
import {
  createSecretBox,
  namedKeyId,
  type SecretBox,
  TamperedError,
  UnknownKeyError,
} from '#runtime/secret-box.ts';
import type { DescribedColumn } from './sealed-column.ts';

export type OpenedSecret =
  | { readonly outcome: 'open'; readonly secret: Secret; readonly keyId: string | null }
  | {
      readonly outcome: 'unreadable';
      readonly fault: SecretFault;
      readonly keyId: string | null;
      /** Which secret it is, for people. */
      readonly what: string;
    };

/** Seals and opens the secrets at rest, each bound to its row. */
export interface Secrets {
  /** The id of the sealing key. */
  readonly keyId: string;
  /** The ids of all configured keys, the sealing one first. */
  readonly keyIds: readonly string[];
  /** What re-encryption opens and seals with. */
  readonly box: SecretBox;
  seal(column: DescribedColumn, key: readonly string[], secret: Secret): string;
  open(column: DescribedColumn, key: readonly string[], sealed: string): OpenedSecret;
  /** From now on these older keys open nothing. */
  forget(keyIds: readonly string[]): void;
}

/**
 * @param keys CONFIG_ENCRYPTION_KEY, then the older ones
 * @param listed the columns that are re-encrypted; nothing is sealed for any other, since the next key would lose it
 */
export const createSecrets = (
  keys: readonly [Secret, ...Secret[]],
  listed?: readonly DescribedColumn[],
): Secrets => {
  const box = createSecretBox(keys);
  return {
    keyId: box.keyId,
    get keyIds() {
      return box.keyIds;
    },
    box,
    seal(column, key, secret) {
      if (listed?.includes(column) === false)
        throw new TypeError(
          `${column.table}.${column.column} is missing among the sealedColumns of server/composition/storage.ts`,
        );
      return box.seal(secret.reveal(), column.placeOf(...key));
    },
    open(column, key, sealed) {
      const keyId = namedKeyId(sealed);
      try {
        const secret = new Secret(box.open(sealed, column.placeOf(...key)).toString());
        return { outcome: 'open', secret, keyId };
      } catch (error) {
        return { outcome: 'unreadable', fault: faultOf(error), keyId, what: column.describe(key) };
      }
    },
    forget: (keyIds) => box.forget(keyIds),
  };
};

const faultOf = (error: unknown): SecretFault => {
  if (error instanceof UnknownKeyError) return 'unknown-key';
  if (error instanceof TamperedError) return 'damaged';
  throw error;
};

/** @throws {Problem} SECRET_UNREADABLE, naming what cannot be read */
export const demandReadable = (opened: OpenedSecret): Secret => {
  if (opened.outcome === 'open') return opened.secret;
  const { what, fault, keyId } = opened;
  throw new Problem('SECRET_UNREADABLE', {
    detail:
      fault === 'damaged'
        ? `${what} is damaged: enter it again.`
        : `${what} is sealed with the key ${keyId}: put that key into CONFIG_ENCRYPTION_KEY_PREVIOUS, or enter it again.`,
  });
};
