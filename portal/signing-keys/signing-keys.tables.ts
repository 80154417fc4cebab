interface SigningKeysTable {
  /** RFC 7638 thumbprint of the public key. */
  kid: string;
  /** Place in the chain of succession; the first key has 1. */
  sequence: number;
  /** Raw 32 bytes as base64url. */
  public_key: string;
  /** Raw 32 bytes, sealed under the master key; destroyed on retirement. */
  private_key_sealed: string | null;
  state: SigningKeyState;
  endorsement: string | null;
  created_at: Date;
  /** From then on tokens of this key prove nothing. */
  struck_at: Date | null;
}
export type SigningKeyState = 'next' | 'active' | 'retiring' | 'retired';

export interface SigningKeyTables {
  signing_keys: SigningKeysTable;
}
