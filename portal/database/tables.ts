import type { CustomerTables } from '../customers/customers.tables.ts';
import type { LicenseTables } from '../licenses/licenses.tables.ts';
import type { MailTables } from '../mail/mail.tables.ts';
import type { VaultKeyTables } from '../master-key/vault-keys.tables.ts';
import type { PurchaseTables } from '../purchases/purchases.tables.ts';
import type { SigningKeyTables } from '../signing-keys/signing-keys.tables.ts';
import type { TransferTables } from '../transfers/transfers.tables.ts';
import type { VendorTables } from '../vendor/vendor.tables.ts';

/** The tables that Kysely may query. The rate counters are reached by one hand-written statement only. */
export type PortalTables = LicenseTables &
  SigningKeyTables &
  VaultKeyTables &
  MailTables &
  PurchaseTables &
  CustomerTables &
  TransferTables &
  VendorTables;
