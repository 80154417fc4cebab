import type * as z from 'zod';

/** The value of a text that is JSON and fits the schema; null for any other. */
export const readJson = <Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> | null => {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  return schema.safeParse(json).data ?? null;
};
