import type * as z from 'zod';
import { writeFileAtomically } from './atomic-write.ts';
import { readJson } from './read-json.ts';

/** A record that one program keeps in one file. */
export interface JsonRecordStore<Shape> {
  readonly now: () => Shape;
  /** Visible immediately; on disk when it resolves, after all earlier changes. */
  change(change: Partial<Shape>): Promise<void>;
}

/**
 * @param schema accepts `{}`, which replaces a text that is not JSON or does not fit it: someone edited the file
 * @param text content of the file
 */
export const jsonRecordStore = <Shape extends object>(
  path: string,
  schema: z.ZodType<Shape>,
  text: string,
): JsonRecordStore<Shape> => {
  let record = readJson(schema, text) ?? schema.parse({});
  let writing = Promise.resolve();
  return {
    now: () => record,
    change(change) {
      record = { ...record, ...change };
      const write = () => writeFileAtomically(path, `${JSON.stringify(record, null, 2)}\n`, 0o600);
      writing = writing.then(write, write);
      return writing;
    },
  };
};
