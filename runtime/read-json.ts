import { readFile } from 'node:fs/promises';
import type * as z from 'zod';

/** The value of a text; undefined, which fits no schema, when it is not JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The value of a text that is JSON and fits the schema; null for any other. */
export const readJson = <Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> | null => {
  const json = parseJson(text);
  return json === undefined ? null : (schema.safeParse(json).data ?? null);
};

/** As `readJson`, with the content of a file; null also when it is absent or cannot be read. */
export const readJsonFile = async <Schema extends z.ZodType>(
  schema: Schema,
  path: string,
): Promise<z.output<Schema> | null> => readJson(schema, await readFile(path, 'utf8').catch(() => ''));
