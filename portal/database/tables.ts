import type { LicenseTables } from '../licenses/licenses.tables.ts';
import type { SigningKeyTables } from '../signing-keys/signing-keys.tables.ts';

/** What Kysely may ask for. The rate counters are reached by one hand-written statement only. */
export type PortalTables = LicenseTables & SigningKeyTables;
