import * as z from 'zod';

/** Lists are read newest first, page by page; the cursor is opaque and names the last row that was seen. */
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
