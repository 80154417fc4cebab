import { Readable } from 'node:stream';
import { csvLine } from '#runtime/csv.ts';
import type { LicenseView } from '../licenses/license-view.ts';
import type { EventLog, LicenseEventView } from './event-log.ts';
import type { LicenseSearch, SearchLicenses } from './search-licenses.ts';

type Columns<Row> = Readonly<Record<string, (row: Row) => string | null>>;

/** Few enough that formatting them does not hold up other requests. */
const rowsPerRead = 500;

const licenseColumns: Columns<LicenseView> = {
  id: ({ id }) => id,
  key: ({ maskedKey }) => maskedKey,
  status: ({ status }) => status,
  tier: ({ tier }) => tier,
  features: ({ features }) => features.join(' '),
  maxClusters: ({ maxClusters }) => maxClusters?.toString() ?? null,
  expiresAt: ({ expiresAt }) => expiresAt,
  buyerEmail: ({ buyerEmail }) => buyerEmail,
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

/**
 * RFC 4180 with a header line; the byte order mark tells spreadsheets that it is UTF-8. Page by page: no connection is
 * held while a slow client takes its time.
 */
const streamCsv = <Row>(
  columns: Columns<Row>,
  read: (last: Row | undefined) => Promise<readonly Row[]>,
): Readable => {
  const cells = Object.values(columns);
  const chunks = async function* () {
    yield `\uFEFF${csvLine(Object.keys(columns))}`;
    for (let last: Row | undefined; ; ) {
      const rows = await read(last);
      if (rows.length > 0) yield rows.map((row) => csvLine(cells.map((cell) => cell(row) ?? ''))).join('');
      last = rows.at(-1);
      if (rows.length < rowsPerRead) return;
    }
  };
  return Readable.from(chunks(), { objectMode: false });
};

export const exportLicenses = (
  search: SearchLicenses,
  wanted: Pick<LicenseSearch, 'query' | 'status'>,
): Readable =>
  streamCsv(
    licenseColumns,
    async (last) => (await search({ ...wanted, after: last?.id, limit: rowsPerRead })).rows,
  );

export const exportEvents = (log: EventLog, licenseId?: string): Readable =>
  streamCsv(eventColumns, (last) => log.ofLicenses({ licenseId, before: last?.id, limit: rowsPerRead }));
