import type { Schema, Schemas } from './open-api.ts';

const prefix = '#/components/schemas/';

/** The name of the schema that another one refers to; null: it is inline. */
export const referredName = ({ $ref }: Schema): string | null =>
  $ref?.startsWith(prefix) ? $ref.slice(prefix.length) : null;

/** The schema behind the references. References that form a cycle, or lead nowhere, allow anything. */
export const resolve = (schema: Schema, schemas: Schemas): Schema => {
  let present = schema;
  const passed = new Set<string>();
  for (let name = referredName(present); name !== null; name = referredName(present)) {
    const next = schemas[name];
    if (!next || passed.has(name)) return {};
    passed.add(name);
    present = next;
  }
  return present;
};

const isNull = ({ type }: Schema) => type === 'null';

/** The variants of a schema, without null. */
export const waysOf = (schema: Schema): readonly Schema[] =>
  (schema.anyOf ?? schema.oneOf ?? []).filter((each) => !isNull(each));

const takesNull = ({ anyOf, oneOf, type }: Schema): boolean =>
  (anyOf ?? oneOf ?? []).some(isNull) || (Array.isArray(type) && type.includes('null'));

/** Deeper ones are only shown as lists. */
const deepestList = 4;
const mostValues = 12;

/** The type of a schema's values in a few words, without its structure. */
export const typeOf = (schema: Schema, depth = 0): string => {
  const name = referredName(schema);
  if (name !== null) return name;
  const ways = waysOf(schema);
  const orNull = takesNull(schema) ? ' or null' : '';
  if (ways.length > 0) {
    const kinds = depth < deepestList ? [...new Set(ways.map((way) => typeOf(way, depth + 1)))] : ['any'];
    return `${kinds.length > 3 ? `one of ${ways.length}` : kinds.join(' or ')}${orNull}`;
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) {
    const values = schema.enum.slice(0, mostValues).map((value) => JSON.stringify(value));
    return values.join(' | ') + (schema.enum.length > mostValues ? ` | … (${schema.enum.length})` : '');
  }
  if (schema.allOf) return 'object';
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.find((each) => each !== 'null');
  if (type === 'array') {
    const items = schema.items && depth < deepestList ? typeOf(schema.items, depth + 1) : 'any';
    return `list of ${items}${orNull}`;
  }
  if (type === undefined) return 'any';
  return `${type}${schema.format ? ` (${schema.format})` : ''}${orNull}`;
};

const span = (least: number | undefined, most: number | undefined, unit: string): string | null => {
  // The largest whole number in JSON is not a limit that anyone would reach.
  const upper = most === Number.MAX_SAFE_INTEGER ? undefined : most;
  const lower = least === -Number.MAX_SAFE_INTEGER ? undefined : least;
  if (lower === undefined && upper === undefined) return null;
  if (lower === upper) return `${lower}${unit}`;
  if (upper === undefined) return `at least ${lower}${unit}`;
  return lower === undefined ? `at most ${upper}${unit}` : `${lower} to ${upper}${unit}`;
};

/** The constraints on a value besides its type. */
export const limitsOf = (schema: Schema): readonly string[] =>
  [
    span(schema.minLength, schema.maxLength, ' characters'),
    span(schema.minimum ?? schema.exclusiveMinimum, schema.maximum, ''),
    span(schema.minItems, schema.maxItems, ' entries'),
    schema.pattern !== undefined && schema.format === undefined ? `fits ${schema.pattern}` : null,
    schema.default !== undefined ? `${JSON.stringify(schema.default)} if left out` : null,
  ].filter((text) => text !== null);

interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
}

/** The fields of an object, and of all schemas that it is composed of. */
export const fieldsOf = (
  schema: Schema,
  schemas: Schemas,
  passed: ReadonlySet<Schema> = new Set(),
): readonly Field[] => {
  if (passed.has(schema)) return [];
  const within = new Set([...passed, schema]);
  const own = Object.entries(schema.properties ?? {}).map(([name, value]) => ({
    name,
    isRequired: schema.required?.includes(name) ?? false,
    schema: value,
  }));
  return [
    ...(schema.allOf ?? []).flatMap((part) => fieldsOf(resolve(part, schemas), schemas, within)),
    ...own,
  ];
};

/** An example need not be complete: anything deeper or too large is left out. */
const deepest = 5;
const mostMade = 80;

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00.000Z',
  date: '2026-01-31',
  uri: 'https://example.org/',
  email: 'you@example.org',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/** An example value for a schema, made of its required fields; a schema that contains itself ends at the first repetition. */
export const exampleOf = (schema: Schema, schemas: Schemas): unknown => {
  let made = 0;
  const make = (part: Schema, open: readonly Schema[]): unknown => {
    made += 1;
    const resolved = resolve(part, schemas);
    if (open.includes(resolved) || open.length >= deepest || made > mostMade) return null;
    const within = [...open, resolved];
    if (resolved.default !== undefined) return resolved.default;
    if (resolved.const !== undefined) return resolved.const;
    if (resolved.enum) return resolved.enum[0];
    const [way] = waysOf(resolved);
    if (way) return make(way, within);
    const fields = fieldsOf(resolved, schemas);
    if (fields.length > 0)
      return Object.fromEntries(
        fields
          .filter(({ isRequired }) => isRequired)
          .map(({ name, schema: value }) => [name, make(value, within)]),
      );
    switch (typeof resolved.type === 'string' ? resolved.type : resolved.type?.[0]) {
      case 'string':
        return (resolved.format && formats[resolved.format]) ?? 'text';
      case 'integer':
      case 'number':
        return Math.max(resolved.minimum ?? resolved.exclusiveMinimum ?? 1, 1);
      case 'boolean':
        return true;
      case 'array':
        return resolved.items && (resolved.minItems ?? 1) > 0 ? [make(resolved.items, within)] : [];
      case 'null':
        return null;
      default:
        return {};
    }
  };
  return make(schema, []);
};
