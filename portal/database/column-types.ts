import type { JSONColumnType } from 'kysely';
import type { Gateway } from '#contracts/portal/purchases.ts';
import type {
  Figures,
  LicenseActor,
  LicenseEventKind,
  PurchaseFacts,
  PurchaseKind,
  VendorEventKind,
} from './stored-values.ts';

/** What the schema does not know of columns; tables.ts has everything else. JSON is written as text. */
export interface ColumnTypes {
  'license_events.kind': LicenseEventKind;
  'license_events.actor': LicenseActor;
  'license_events.data': JSONColumnType<Record<string, unknown>>;
  'licenses.features': JSONColumnType<string[]>;
  'payments.gateway': Gateway;
  'plans.features': JSONColumnType<string[]>;
  'vendor_events.kind': VendorEventKind;
  'vendor_events.data': JSONColumnType<Record<string, unknown>>;
  'vendor_figures.figures': JSONColumnType<Figures>;
  'webhook_events.kind': PurchaseKind;
  'webhook_events.facts': JSONColumnType<PurchaseFacts>;
}
