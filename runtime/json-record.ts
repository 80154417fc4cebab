import type * as z from 'zod';
import { writeFileAtomically } from './atomic-write.ts';

/** A record that one program keeps in one file. */
export interface JsonRecordStore<Shape> {
  readonly now: () => Shape;
  /** Known at once; on the disk when it resolves, after the changes before it. */
  change(change: Partial<Shape>): Promise<void>;
}

/**
 * @param schema takes `{}`, which stands for a text that is no JSON or does not fit it: somebody edited the file
 * @param text of the file, as it was read
 */
export const jsonRecordStore = <Shape extends object>(
  path: string,
  schema: z.ZodType<Shape>,
  text: string,
): JsonRecordStore<Shape> => {
  let record = parsed(schema, text);
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

const parsed = <Shape>(schema: z.ZodType<Shape>, text: string): Shape => {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    // See above.
    return schema.parse({});
  }
};
