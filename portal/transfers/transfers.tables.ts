import type { Generated } from 'kysely';

/** A transfer beyond the free one, granted by the vendor; like that one, it is used up when the new machine is bound. */
interface TransferGrantsTable {
  id: Generated<string>;
  license_id: string;
  /** Name of the vendor account, or `command line`. */
  granted_by: string;
  granted_at: Date;
  spent_by: string | null;
}

export interface TransferTables {
  transfer_grants: TransferGrantsTable;
}
