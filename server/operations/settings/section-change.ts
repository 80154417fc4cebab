import { valueFaultOf } from '#contracts/kernel/value-faults.ts';
import type { Section } from '#contracts/operations/settings-fields.ts';
import { Secret } from '#runtime/secret.ts';

export interface FieldFault {
  readonly field: string;
  readonly message: string;
  readonly code?: string;
  readonly values?: readonly string[];
}

/** A validated change of some of a section's fields. */
export interface SectionChange {
  readonly plain: Readonly<Record<string, unknown>>;
  /** Null clears the field. Sorted by name, the order in which the rows are locked. */
  readonly secrets: readonly (readonly [field: string, secret: Secret | null])[];
}

type SectionChangeReading =
  | { readonly outcome: 'change'; readonly change: SectionChange }
  | { readonly outcome: 'invalid'; readonly faults: readonly FieldFault[] };

/** Validates what a person wants to save. No message repeats a value: it may be a secret in the wrong field. */
export const readSectionChange = (
  { fields }: Section,
  wanted: Readonly<Record<string, unknown>>,
): SectionChangeReading => {
  const plain: Record<string, unknown> = {};
  const secrets: [string, Secret | null][] = [];
  const faults: FieldFault[] = [];
  for (const [name, value] of Object.entries(wanted)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field) {
      faults.push({ field: '', message: `is not known. The fields are ${Object.keys(fields).join(', ')}` });
      continue;
    }
    if (field.sensitive && value === null) {
      secrets.push([name, null]);
      continue;
    }
    const result = field.schema.safeParse(value);
    if (!result.success) {
      faults.push(...result.error.issues.map((issue) => ({ field: name, ...valueFaultOf(issue) })));
    } else if (field.sensitive) secrets.push([name, new Secret(String(result.data))]);
    else plain[name] = result.data;
  }
  if (faults.length > 0) return { outcome: 'invalid', faults };
  secrets.sort(([a], [b]) => (a < b ? -1 : 1));
  return { outcome: 'change', change: { plain, secrets } };
};

/** The plain values that were saved and are still valid. */
export const savedValues = (
  { fields }: Section,
  saved: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const result = field.sensitive ? null : field.schema.safeParse(saved[name]);
      return result?.success ? [[name, result.data]] : [];
    }),
  );

/** Every plain field's value: the saved one while it is still valid, otherwise the initial one. */
export const plainValues = (
  section: Section,
  saved: Readonly<Record<string, unknown>>,
): Record<string, unknown> => ({
  ...Object.fromEntries(
    Object.entries(section.fields).flatMap(([name, field]) =>
      field.sensitive ? [] : [[name, field.initial]],
    ),
  ),
  ...savedValues(section, saved),
});
