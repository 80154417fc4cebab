import type { Selectable } from 'kysely';

interface VaultKeysTable {
  name: string;
  /** 32 bytes in hexadecimal, sealed under the master key. */
  key_sealed: string;
  created_at: Date;
}
export interface VaultKeyTables {
  vault_keys: VaultKeysTable;
}
export type VaultKeyRow = Selectable<VaultKeysTable>;
