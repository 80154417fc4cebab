import type { AuditRow } from '#contracts/kernel/audit.ts';

/** A row, with its page's names for the things that it mentions. */
export interface NamedAuditRow extends AuditRow {
  /** By `kind:id`. */
  readonly names: Readonly<Record<string, string>>;
}

export const nameIn = (names: NamedAuditRow['names'], reference: string): string | null =>
  Object.hasOwn(names, reference) ? (names[reference] ?? null) : null;
