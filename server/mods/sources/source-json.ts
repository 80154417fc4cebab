import * as z from 'zod';
import { readJson } from '#runtime/read-json.ts';

// Whatever a source answers, the API goes on: a hostile answer of megabytes must not keep it from its other work.

/** Deeper than any source nests; for millions of brackets the parser takes seconds. */
const mostDepth = 64;
/** The largest answers, all versions of a project of many years, come to some 600,000. */
const mostValues = 1_000_000;

/** What an answer says; null where it makes no sense. */
export const readSourceJson = <Schema extends z.ZodType>(
  schema: Schema,
  text: string,
): z.output<Schema> | null => (isBeyondMeasure(text) ? null : readJson(schema, text));

/** A list whose first row that makes no sense ends the reading: a list of all that is wrong with millions of rows fills the memory. */
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

/** Likewise an object that is read by its keys. */
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

const isBeyondMeasure = (text: string): boolean => {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === openBracket || code === openBrace) {
      depth += 1;
      if (depth > mostDepth) return true;
    } else if (code === closeBracket || code === closeBrace) depth -= 1;
    else if (code === comma) {
      values += 1;
      if (values > mostValues) return true;
    }
  }
  return false;
};

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

const endOfString = (text: string, start: number): number => {
  let at = start + 1;
  for (let code = text.charCodeAt(at); at < text.length && code !== quote; code = text.charCodeAt(at))
    at += code === backslash ? 2 : 1;
  return at;
};
