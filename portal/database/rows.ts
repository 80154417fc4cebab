import type { Selectable } from 'kysely';
import type { PortalTables } from './tables.ts';

export type AccountRow = Selectable<PortalTables['vendor_accounts']>;
export type CustomerCodeRow = Selectable<PortalTables['customer_codes']>;
export type CustomerSessionRow = Selectable<PortalTables['customer_sessions']>;
export type LicenseRow = Selectable<PortalTables['licenses']>;
export type MachineRow = Selectable<PortalTables['machines']>;
export type MailRow = Selectable<PortalTables['mail_outbox']>;
export type PlanRow = Selectable<PortalTables['plans']>;
export type SessionRow = Selectable<PortalTables['vendor_sessions']>;
export type SigningKeyRow = Selectable<PortalTables['signing_keys']>;
export type VaultKeyRow = Selectable<PortalTables['vault_keys']>;
export type WebhookEventRow = Selectable<PortalTables['webhook_events']>;
