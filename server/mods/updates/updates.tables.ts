import type { ColumnType, Generated } from 'kysely';
import type { ModFile } from '#contracts/agent-mods.ts';
import type { ModProject, PlanFault } from '#contracts/mods.ts';

/** What the last check of a server's mods found. */
export interface ModChecksTable {
  server_id: string;
  checked_at: Date | null;
  next_at: Generated<Date>;
  /** Until then one process of the API checks it. */
  leased_until: Date | null;
  found: ColumnType<CheckFindings | null, string | null | undefined, string | null>;
  /** The updates last reported; the same ones are not reported again. */
  told: string | null;
}

export interface CheckFindings {
  /** By mod key. */
  readonly updates: Readonly<
    Record<
      string,
      {
        readonly from: string | null;
        readonly version: string;
        readonly name: string;
        readonly isByHand: boolean;
      }
    >
  >;
  /** By mod key. */
  readonly projects: Readonly<Record<string, ModProject>>;
  /** Foreign files, by their sha512. */
  readonly known: Readonly<
    Record<
      string,
      {
        readonly project: ModProject;
        readonly version: string;
        readonly versionName: string;
        readonly file: ModFile | null;
      }
    >
  >;
  /** Sources that could not be asked: what is known from them dates from an earlier check. */
  readonly faults: readonly PlanFault[];
}
