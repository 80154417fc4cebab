import type { Selectable } from 'kysely';

export type CodePurpose = 'sign-in' | 'reveal-key';
export type SessionKind = 'browser' | 'program';

interface CustomerCodesTable {
  /** SHA-256 of the secret that only the browser or program that requested the code has. */
  holder_hash: Buffer;
  purpose: CodePurpose;
  /** As typed. */
  email: string;
  /** Null: no customer has this address, and no code matches. */
  tenant_id: string | null;
  license_id: string | null;
  /** Over the code and the holder's secret: codes cannot be tried against the table alone. */
  code_hash: Buffer;
  tries_left: number;
  expires_at: Date;
}

interface CustomerSessionsTable {
  id: string;
  token_hash: Buffer;
  tenant_id: string;
  kind: SessionKind;
  created_at: Date;
  /** Accurate to the minute. */
  last_used_at: Date;
  address: string;
  user_agent: string;
}

/** Browsers that have signed in before. */
interface CustomerDevicesTable {
  token_hash: Buffer;
  tenant_id: string;
  last_used_at: Date;
}

export interface CustomerTables {
  customer_codes: CustomerCodesTable;
  customer_devices: CustomerDevicesTable;
  customer_sessions: CustomerSessionsTable;
}

export type CustomerCodeRow = Selectable<CustomerCodesTable>;
export type CustomerSessionRow = Selectable<CustomerSessionsTable>;
