/** What became of one field. */
export interface FieldChange {
  /** With dots where it lies deeper: `serverGrants.0.role`. */
  readonly field: string;
  readonly kind: 'added' | 'removed' | 'changed' | 'same';
  readonly before: unknown;
  readonly after: unknown;
  /** A secret: that it was changed is all that is kept. */
  readonly isMasked: boolean;
}

const mostDepth = 4;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Field names to values, as deep as people read; lists of plain words stay whole. */
const flat = (value: unknown, path: string, depth: number, into: Map<string, unknown>): void => {
  const entries = isRecord(value)
    ? Object.entries(value)
    : Array.isArray(value) && value.some((each) => typeof each === 'object' && each !== null)
      ? value.map((each, index) => [String(index), each] as const)
      : null;
  if (entries === null || entries.length === 0 || depth === mostDepth) {
    if (path !== '' || entries === null) into.set(path, value);
    return;
  }
  for (const [name, each] of entries) flat(each, path === '' ? name : `${path}.${name}`, depth + 1, into);
};

const fieldsOf = (value: unknown): ReadonlyMap<string, unknown> => {
  const fields = new Map<string, unknown>();
  if (value !== null && value !== undefined) flat(value, '', 0, fields);
  return fields;
};

/** As the API writes what it does not keep, or in the manner of other programs. */
const isMask = (value: unknown): boolean =>
  typeof value === 'string' && /^(\*{3,}|•{3,}|\[?(masked|redacted|hidden)\]?)$/i.test(value);

export interface DifferenceOptions {
  /** Fields that hold secrets: for them the API writes `changed` or `cleared`. */
  readonly secretFields?: ReadonlySet<string>;
}

/** What an action has changed, field by field, in the order of their names; what stayed the same comes last. */
export const differenceOf = (
  before: unknown,
  after: unknown,
  { secretFields = new Set() }: DifferenceOptions = {},
): readonly FieldChange[] => {
  const old = fieldsOf(before);
  const now = fieldsOf(after);
  const changes = [...new Set([...old.keys(), ...now.keys()])].map((field): FieldChange => {
    const values = { before: old.get(field), after: now.get(field) };
    const isSame = JSON.stringify(values.before) === JSON.stringify(values.after);
    const kind = !now.has(field) ? 'removed' : !old.has(field) ? 'added' : isSame ? 'same' : 'changed';
    const isMasked = secretFields.has(field) || isMask(values.before) || isMask(values.after);
    return { field, kind: isMasked && kind !== 'removed' ? 'changed' : kind, ...values, isMasked };
  });
  return changes.sort(
    (one, other) =>
      Number(one.kind === 'same') - Number(other.kind === 'same') ||
      one.field.localeCompare(other.field, 'en'),
  );
};
