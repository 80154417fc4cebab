import type { Selectable } from 'kysely';

interface SigningKeysTable {
  /** RFC 7638 thumbprint of the public key. */
  kid: string;
  /** Position in the chain of succession; the first key has 1. */
  sequence: number;
  /** Raw 32 bytes as base64url. */
  public_key: string;
  /** Raw 32 bytes, sealed under the master key; destroyed on retirement. */
  private_key_sealed: string | null;
  state: SigningKeyState;
  /** The predecessor's signature over kid, key, issuer and sequence; the first key has none. */
  endorsement: string | null;
  created_at: Date;
  activated_at: Date | null;
  retiring_since: Date | null;
  retired_at: Date | null;
  /** From then on, tokens of this key prove nothing. */
  struck_at: Date | null;
}
export type SigningKeyState = 'next' | 'active' | 'retiring' | 'retired';
export type SigningKeyRow = Selectable<SigningKeysTable>;

interface KeyRevocationsTable {
  /** Incremented by each revocation. */
  number: number;
  /** Signed by a key that is later than all that it revokes. */
  document: string;
  made_at: Date;
}

export interface SigningKeyTables {
  signing_keys: SigningKeysTable;
  key_strikes: KeyRevocationsTable;
}
