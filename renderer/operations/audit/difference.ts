/** What happened to one field. */
export interface FieldChange {
  /** With dots for nested fields: `limits.perMember`. */
  readonly field: string;
  readonly kind: 'added' | 'removed' | 'changed' | 'same';
  readonly before: unknown;
  readonly after: unknown;
  /** A secret: the log only keeps that it was changed. */
  readonly isMasked: boolean;
}

const mostDepth = 4;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Field names to values, as deep as people read; lists stay whole. */
const flat = (value: unknown, path: string, depth: number, into: Map<string, unknown>): void => {
  const entries = isRecord(value) ? Object.entries(value) : [];
  if (entries.length === 0 || depth === mostDepth) {
    if (path !== '' || !isRecord(value)) into.set(path, value);
    return;
  }
  for (const [name, each] of entries) flat(each, path === '' ? name : `${path}.${name}`, depth + 1, into);
};

const fieldsOf = (value: unknown): ReadonlyMap<string, unknown> => {
  const fields = new Map<string, unknown>();
  if (value !== null && value !== undefined) flat(value, '', 0, fields);
  return fields;
};

/** The API's mark for values it does not keep, or the mask of other programs. */
const isMask = (value: unknown): boolean =>
  typeof value === 'string' && /^(\*{3,}|•{3,}|\[?(masked|redacted|hidden)\]?)$/i.test(value);

/** For anything named like a secret, at most the fact that it was changed is shown, whatever the value. */
const isSecret = (field: string, { before, after }: Readonly<Record<'before' | 'after', unknown>>): boolean =>
  /(^|\.|[a-z])(password|secret|token|apikey)$/i.test(field) &&
  (typeof before === 'string' || typeof after === 'string');

/** The changes of an action, field by field, in the order of their names; unchanged fields come last. */
export const differenceOf = (
  before: unknown,
  after: unknown,
  {
    secretFields = new Set(),
  }: {
    /** Fields that hold secrets: for them the API writes `changed` or `cleared`. */
    readonly secretFields?: ReadonlySet<string>;
  } = {},
): readonly FieldChange[] => {
  const old = fieldsOf(before);
  const now = fieldsOf(after);
  const changes = [...new Set([...old.keys(), ...now.keys()])].map((field): FieldChange => {
    const values = { before: old.get(field), after: now.get(field) };
    const isSame = JSON.stringify(values.before) === JSON.stringify(values.after);
    const kind = !now.has(field) ? 'removed' : !old.has(field) ? 'added' : isSame ? 'same' : 'changed';
    const isMasked =
      secretFields.has(field) || isSecret(field, values) || isMask(values.before) || isMask(values.after);
    return { field, kind: isMasked && kind !== 'removed' ? 'changed' : kind, ...values, isMasked };
  });
  return changes.sort(
    (one, other) =>
      Number(one.kind === 'same') - Number(other.kind === 'same') ||
      one.field.localeCompare(other.field, 'en'),
  );
};
