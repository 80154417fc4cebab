import * as z from 'zod';
import { isBeyondMeasure } from '#runtime/json-measure.ts';
import { readJson } from '#runtime/read-json.ts';

// A hostile answer of megabytes must not keep the API from its other work.

/** The largest answers, all versions of an old project, contain some 600,000 values. */
const measure = { depth: 64, values: 1_000_000 };

/** Parses an answer; null when it makes no sense. */
export const readSourceJson = <Schema extends z.ZodType>(
  schema: Schema,
  text: string,
): z.output<Schema> | null => (isBeyondMeasure(text, measure) ? null : readJson(schema, text));

/** A list whose first invalid row ends the reading: reporting every error in millions of rows would fill the memory. */
export const rowsOf = <Row extends z.ZodType>(row: Row, most: number) =>
  z.unknown().transform((value, context): z.output<Row>[] => {
    const rows = Array.isArray(value) ? readRows(row, most, value) : null;
    if (rows) return rows;
    context.issues.push({
      code: 'custom',
      message: `no list of at most ${most} sound rows`,
      input: undefined,
    });
    return z.NEVER;
  });

/** The same for an object that is read by its keys. */
export const entriesOf = <Row extends z.ZodType>(row: Row, most: number) =>
  z.unknown().transform((value, context): (readonly [string, z.output<Row>])[] => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    const keys = isObject ? Object.keys(value) : [];
    const rows = isObject ? readRows(row, most, Object.values(value)) : null;
    if (rows) return rows.map((one, index) => [keys[index] ?? '', one]);
    context.issues.push({
      code: 'custom',
      message: `no object of at most ${most} sound rows`,
      input: undefined,
    });
    return z.NEVER;
  });

const readRows = <Row extends z.ZodType>(
  row: Row,
  most: number,
  values: readonly unknown[],
): z.output<Row>[] | null => {
  if (values.length > most) return null;
  const rows: z.output<Row>[] = [];
  for (const value of values) {
    const { data, success } = row.safeParse(value);
    if (!success) return null;
    rows.push(data);
  }
  return rows;
};
