import * as z from 'zod';

/** Lists are read newest first, page by page; the cursor is opaque and identifies the last row read. */
export const pageQuery = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({
    rows: z.array(row),
    /** Null on the last page. */
    nextCursor: z.string().nullable(),
  });

/** For lists long enough to be read from the far end, too. A cursor comes from a page's answer and keeps its direction. */
export const bidirectionalPageQuery = pageQuery.extend({
  /** Where to begin without a cursor: at the newest rows, or at the oldest. */
  page: z.enum(['first', 'last']).default('first'),
});
export type BidirectionalPageQuery = z.output<typeof bidirectionalPageQuery>;

export const bidirectionalPageOf = <Row extends z.ZodType>(row: Row) =>
  pageOf(row).extend({
    /** Towards newer rows; null if there are none. */
    previousCursor: z.string().nullable(),
  });

/** A query parameter that may be given several times. */
export const oneOrMore = <Value extends z.ZodType>(value: Value, max: number) =>
  z.union([value.transform((single) => [single]), z.array(value).min(1).max(max)]);
