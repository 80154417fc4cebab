import type { QueryExecutorProvider } from 'kysely';
import type { SecretsStatus } from '#contracts/operations/secrets.ts';
import { readSealedRows } from '#runtime/sealed/sealed-rows.ts';
import type { DescribedColumn } from './sealed-column.ts';
import type { Secrets } from './secrets.ts';

export type SecretsInspection = Omit<SecretsStatus, 'reencryption'>;

const pageRows = 500;
const namedFaults = 100;

/** Tries every secret. There are as many as game servers, admins and services: hundreds. */
export const inspectSecrets = async (
  db: QueryExecutorProvider,
  columns: readonly DescribedColumn[],
  secrets: Secrets,
): Promise<SecretsInspection> => {
  const counts = new Map<string, number>(secrets.keyIds.map((keyId) => [keyId, 0]));
  const faults: SecretsInspection['faults'] = [];
  const seen = { total: 0, unreadable: 0, damaged: 0 };
  for (const column of columns) {
    for await (const { key, sealed } of allRows(db, column)) {
      const opened = secrets.open(column, key, sealed);
      seen.total += 1;
      if (opened.keyId !== null) counts.set(opened.keyId, (counts.get(opened.keyId) ?? 0) + 1);
      if (opened.outcome === 'open') continue;
      seen[opened.fault === 'damaged' ? 'damaged' : 'unreadable'] += 1;
      if (faults.length < namedFaults) faults.push({ secret: opened.what, fault: opened.fault });
    }
  }
  const stateOf = (keyId: string) => {
    if (keyId === secrets.keyId) return 'current';
    return secrets.keyIds.includes(keyId) ? 'previous' : 'unknown';
  };
  const keys = [...counts].map(([keyId, count]) => ({ keyId, state: stateOf(keyId), count }) as const);
  return { currentKeyId: secrets.keyId, ...seen, keys, faults };
};

async function* allRows(db: QueryExecutorProvider, column: DescribedColumn) {
  let after: readonly string[] | null = null;
  for (;;) {
    const rows = await readSealedRows(db, column, { after, limit: pageRows });
    yield* rows;
    after = rows.at(-1)?.key ?? null;
    if (rows.length < pageRows) return;
  }
}
