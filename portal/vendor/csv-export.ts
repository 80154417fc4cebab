import type { Readable } from 'node:stream';
import { type Columns, exportCsv, rowsPerRead } from '#runtime/row-export.ts';
import type { LicenseView } from '../licenses/license-view.ts';
import type { EventLog, LicenseEventView } from './event-log.ts';
import type { LicenseSearch, SearchLicenses } from './search-licenses.ts';

const licenseColumns: Columns<LicenseView> = {
  id: ({ id }) => id,
  key: ({ maskedKey }) => maskedKey,
  status: ({ status }) => status,
  statusReason: ({ statusReason }) => statusReason,
  tier: ({ tier }) => tier,
  features: ({ features }) => features.join(' '),
  maxClusters: ({ maxClusters }) => maxClusters?.toString() ?? null,
  expiresAt: ({ expiresAt }) => expiresAt,
  buyerEmail: ({ buyerEmail }) => buyerEmail,
  buyerName: ({ buyerName }) => buyerName,
  tenantId: ({ tenantId }) => tenantId,
  purchaseId: ({ purchaseId }) => purchaseId,
  createdAt: ({ createdAt }) => createdAt,
  hwid: ({ machine }) => machine?.hwid ?? null,
  instanceId: ({ machine }) => machine?.instanceId ?? null,
  version: ({ machine }) => machine?.version ?? null,
  boundAt: ({ machine }) => machine?.boundAt ?? null,
  lastValidatedAt: ({ machine }) => machine?.lastValidatedAt ?? null,
};

const eventColumns: Columns<LicenseEventView> = {
  id: ({ id }) => id,
  at: ({ at }) => at,
  licenseId: ({ licenseId }) => licenseId,
  kind: ({ kind }) => kind,
  actor: ({ actor }) => actor,
  actorName: ({ actorName }) => actorName,
  data: ({ data }) => JSON.stringify(data),
};

export const exportLicenses = (
  search: SearchLicenses,
  wanted: Pick<LicenseSearch, 'query' | 'status'>,
): Promise<Readable> =>
  exportCsv(async (last) => {
    const rows: LicenseView[] = [];
    // A search may end before it has filled a page, and continues where it ended.
    for (let after = last?.id; rows.length < rowsPerRead; ) {
      const found = await search({ ...wanted, after, limit: rowsPerRead - rows.length });
      rows.push(...found.rows);
      if (found.next === null) break;
      after = found.next;
    }
    return rows;
  }, licenseColumns);

export const exportEvents = (log: EventLog, licenseId?: string): Promise<Readable> =>
  exportCsv((last) => log.ofLicenses({ licenseId, before: last?.id, limit: rowsPerRead }), eventColumns);
