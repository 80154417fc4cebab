import type { SettingsSection } from '#contracts/operations/settings.ts';
import { type FieldFault, fieldFault, sentValue } from './field-fault.ts';
import { fieldShape } from './field-shape.ts';

type Values = Readonly<Record<string, unknown>>;

/** Unsaved input in the form of a section. */
export interface SectionDraft {
  /** The version that it started from, … */
  readonly version: number;
  /** … with its values. */
  readonly base: Values;
  /** The plain fields that were changed. */
  readonly typed: Values;
  /** The sensitive ones: a new value, or null to clear. */
  readonly secrets: Readonly<Record<string, string | null>>;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const without = <Value>(values: Readonly<Record<string, Value>>, name: string) =>
  Object.fromEntries(Object.entries(values).filter(([each]) => each !== name));

const begun = ({ version, values }: SettingsSection): SectionDraft => ({
  version,
  base: values,
  typed: {},
  secrets: {},
});

/** A draft with nothing left to save becomes null. */
const orNone = (draft: SectionDraft): SectionDraft | null =>
  Object.keys(draft.typed).length + Object.keys(draft.secrets).length > 0 ? draft : null;

export const withValue = (
  draft: SectionDraft | null,
  section: SettingsSection,
  name: string,
  value: unknown,
): SectionDraft | null => {
  const from = draft ?? begun(section);
  const isAsBefore = isSame(sentValue(fieldShape(section.schema, name), value), from.base[name]);
  const others = without(from.typed, name);
  return orNone({ ...from, typed: isAsBefore ? others : { ...others, [name]: value } });
};

/** An empty text keeps the saved value; null clears it. */
export const withSecret = (
  draft: SectionDraft | null,
  section: SettingsSection,
  name: string,
  value: string | null,
): SectionDraft | null => {
  const from = draft ?? begun(section);
  const others = without(from.secrets, name);
  return orNone({ ...from, secrets: value === '' ? others : { ...others, [name]: value } });
};

/** The change that saving the draft sends. */
export const changeOf = ({ typed, secrets }: SectionDraft, { schema }: SettingsSection): Values => ({
  ...Object.fromEntries(
    Object.entries(typed).map(([name, value]) => [name, sentValue(fieldShape(schema, name), value)]),
  ),
  ...secrets,
});

export const faultsOf = (
  change: Values,
  { schema, fields }: SettingsSection,
): ReadonlyMap<string, FieldFault> => {
  const faults = new Map<string, FieldFault>();
  for (const { name, sensitive } of fields) {
    if (!Object.hasOwn(change, name) || (sensitive && change[name] === null)) continue;
    const fault = fieldFault(fieldShape(schema, name), change[name]);
    if (fault) faults.set(name, fault);
  }
  return faults;
};

/** A field that another admin has changed, or may have, since the draft was started. */
export interface ChangedMeanwhile {
  readonly name: string;
  /** Null: no one can see it. */
  readonly values: { readonly before: unknown; readonly now: unknown } | null;
  /** The draft has the field, too, so one of the two has to give way. */
  readonly isTyped: boolean;
}

export const changedMeanwhile = (
  draft: SectionDraft,
  section: SettingsSection,
): readonly ChangedMeanwhile[] => {
  if (draft.version === section.version) return [];
  return section.fields.flatMap(({ name, sensitive }): ChangedMeanwhile[] => {
    if (sensitive) return Object.hasOwn(draft.secrets, name) ? [{ name, values: null, isTyped: true }] : [];
    const values = { before: draft.base[name], now: section.values[name] };
    return isSame(values.before, values.now)
      ? []
      : [{ name, values, isTyped: Object.hasOwn(draft.typed, name) }];
  });
};

/** The draft rebased on the newer version, without the fields that give way to it. */
export const onNewer = (
  draft: SectionDraft,
  section: SettingsSection,
  givingWay: ReadonlySet<string>,
): SectionDraft | null => {
  let next: SectionDraft | null = begun(section);
  for (const [name, value] of Object.entries(draft.typed))
    if (!givingWay.has(name)) next = withValue(next, section, name, value);
  for (const [name, value] of Object.entries(draft.secrets))
    if (!givingWay.has(name)) next = withSecret(next, section, name, value);
  return next && orNone(next);
};

/** Changes made during a save still have to be saved. */
export const afterSave = (
  draft: SectionDraft | null,
  sent: Values,
  saved: SettingsSection,
): SectionDraft | null => {
  if (!draft) return null;
  const change = changeOf(draft, saved);
  const done = Object.keys(sent).filter((name) => isSame(change[name], sent[name]));
  return onNewer(draft, saved, new Set(done));
};
