import { inspect } from 'node:util';
import * as z from 'zod';

/** A value that no log, error or JSON can show by accident. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** Returns the value itself; the only way to read it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}

/** A config field that is a Secret from the moment it is read. */
export const secretField = (schema: z.ZodType<string, string> = z.string().min(1)) =>
  schema.transform((value) => new Secret(value));
