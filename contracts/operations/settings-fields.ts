import * as z from 'zod';

/** In each language of the panel. */
export const words = z.object({ en: z.string(), 'pt-BR': z.string() });
export type Words = z.infer<typeof words>;

interface FieldWords {
  readonly label: Words;
  readonly help: Words | null;
}

export interface PlainField<Schema extends z.ZodType = z.ZodType> extends FieldWords {
  readonly sensitive: false;
  readonly schema: Schema;
  /** The value until someone saves another one. */
  readonly initial: z.output<Schema>;
}

/** Stored sealed; can be written but never read back. */
export interface SensitiveField extends FieldWords {
  readonly sensitive: true;
  readonly schema: z.ZodType<string, string>;
}

type Field = PlainField | SensitiveField;

export interface Section {
  readonly title: Words;
  readonly fields: Readonly<Record<string, Field>>;
  /** Fields of words separated by spaces; no word may occur in two of them. */
  readonly distinctWords?: readonly string[];
}

export const plain = <Schema extends z.ZodType>(
  schema: Schema,
  initial: z.output<Schema>,
  label: Words,
  help: Words | null = null,
): PlainField<Schema> => ({ sensitive: false, schema, initial, label, help });

export const sensitive = (
  schema: z.ZodType<string, string>,
  label: Words,
  help: Words | null = null,
): SensitiveField => ({ sensitive: true, schema, label, help });

/** The JSON Schema from which the panel draws a section's form, with sensitive fields marked `writeOnly`. */
export const sectionJsonSchema = ({ fields }: Section): Record<string, unknown> => {
  const shape = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      field.sensitive ? field.schema.meta({ writeOnly: true }) : field.schema.default(field.initial),
    ]),
  );
  return z.toJSONSchema(z.strictObject(shape), { io: 'input' });
};
