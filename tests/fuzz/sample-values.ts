import * as fc from 'fast-check';
import * as z from 'zod';
import { pickFrom } from '../bench/harness/seeded-random.ts';
import type { Random } from './hostile-values.ts';

/** As much of JSON Schema as our documents use. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}
export const schema = z.custom<Schema>((value) => typeof value === 'object' && value !== null);
export const schemaOf = (of: z.ZodType): Schema =>
  schema.parse(z.toJSONSchema(of, { io: 'input', unrepresentable: 'any' }));

/** What answers have named so far: ids by what they identify, and versions by the id, or by the path of what has no id. */
export interface Known {
  readonly ids: ReadonlyMap<string, readonly string[]>;
  readonly versions: ReadonlyMap<string, number>;
}

export interface SampleOptions {
  readonly random: Random;
  readonly known: Known;
  readonly definitions: Readonly<Record<string, Schema>>;
  /** What is right in fields of these names. */
  readonly values?: Readonly<Record<string, () => string>>;
}

/** `serverId`, `serverIds` and `servers` name the same. */
const kindOf = (name: string): string => name.replace(/Ids?$/, '').replace(/s$/, '').toLowerCase();

export const knownId = (name: string, { known, random }: SampleOptions): string | null => {
  const ids = known.ids.get(kindOf(name)) ?? [];
  // The newest are the likeliest to be there still.
  return ids.length === 0 ? null : pickFrom(random() < 0.7 ? ids.slice(-5) : ids, random);
};
export const idKind = kindOf;

const words = [
  'Fjord',
  'Ann',
  'say hi',
  'Kit of 3',
  'note',
  'x',
  'a@b.cc',
  'wipe-2026',
  '1',
  '1.2.3',
  'CODE-1',
];

const patterned = new Map<string, readonly string[]>();
/** @returns texts that match them all; of patterns that cannot be inverted, at least what people would type */
const textsOf = (patterns: readonly string[]): readonly string[] => {
  const expressions = patterns.map((pattern) => new RegExp(pattern, 'u'));
  const matches = (text: string) => expressions.every((expression) => expression.test(text));
  const usual = words.filter(matches);
  const [first] = expressions;
  if (!first) return words;
  try {
    const made = fc.sample(fc.stringMatching(first, { size: 'small' }), { numRuns: 20, seed: 1 });
    return [...usual, ...made.filter(matches)];
  } catch {
    return usual;
  }
};
const textOf = (patterns: readonly string[], random: Random): string => {
  const key = patterns.join(' ');
  const found = patterned.get(key) ?? textsOf(patterns);
  patterned.set(key, found);
  return pickFrom(found.length > 0 ? found : words, random);
};

const sampleText = (schema: Schema, name: string, options: SampleOptions): string => {
  const { random } = options;
  const right = options.values?.[name];
  if (right && random() < 0.8) return right();
  const id = /Ids?$|^id$|^name$/.test(name) && name !== 'name' ? knownId(name, options) : null;
  if (id !== null && random() < 0.9) return id;
  if (schema.format === 'date-time')
    return new Date(Date.UTC(2026, 0, 1 + Math.floor(random() * 400))).toISOString();
  if (schema.format === 'email') return `someone-${Math.floor(random() * 1000)}@example.com`;
  if (schema.format === 'uri') return 'https://example.com/a';
  if (schema.format === 'uuid') return '00000000-0000-4000-8000-000000000000';
  const patterns = [schema, ...(schema.allOf ?? [])].flatMap(({ pattern }) => pattern ?? []);
  const number = random() < 0.5 && patterns.length === 0 ? Math.floor(random() * 10_000) : '';
  const word = `${textOf(patterns, random)}${number}`;
  const long = word.padEnd(schema.minLength ?? 0, 'x');
  return long.slice(0, schema.maxLength ?? long.length);
};

const sampleNumber = (schema: Schema, name: string, { random }: SampleOptions): number => {
  const least = schema.minimum ?? (schema.exclusiveMinimum === undefined ? 0 : schema.exclusiveMinimum + 1);
  const most = Math.min(schema.maximum ?? least + 1000, Number.MAX_SAFE_INTEGER);
  if (name === 'version' || random() < 0.3) return Math.max(least, Math.min(most, 1));
  if (random() < 0.1) return most;
  return Math.floor(least + random() * Math.min(most - least, 200));
};

/** A value that the schema takes, as far as the schema says what it takes. */
export const sampleOf = (asked: Schema, name: string, options: SampleOptions): unknown => {
  const { random, definitions } = options;
  const { $ref } = asked;
  if ($ref !== undefined) return sampleOf(definitions[$ref.split('/').at(-1) ?? ''] ?? {}, name, options);
  if (asked.const !== undefined) return asked.const;
  if (asked.enum) return pickFrom(asked.enum, random);
  const forms = asked.anyOf ?? asked.oneOf;
  if (forms) return sampleOf(pickFrom(forms, random), name, options);
  const type = typeof asked.type === 'object' ? pickFrom(asked.type, random) : asked.type;
  switch (type) {
    case 'string':
      return sampleText(asked, name, options);
    case 'integer':
    case 'number':
      return sampleNumber(asked, name, options);
    case 'boolean':
      return random() < 0.5;
    case 'null':
      return null;
    case 'array': {
      const least = asked.minItems ?? 0;
      const length = Math.min(asked.maxItems ?? 3, least + Math.floor(random() * 2));
      return Array.from({ length }, () => sampleOf(asked.items ?? {}, name, options));
    }
    case 'object':
      return sampleObject(asked, options);
    default:
      return 'anything';
  }
};

const sampleObject = (asked: Schema, options: SampleOptions): Record<string, unknown> => {
  const { random } = options;
  const required = new Set(asked.required);
  const entries = Object.entries(asked.properties ?? {})
    .filter(([name]) => required.has(name) || random() < 0.5)
    .map(([name, each]) => [name, sampleOf(each, name, options)]);
  if (typeof asked.additionalProperties === 'object' && asked.propertyNames)
    entries.push([
      sampleOf(asked.propertyNames, '', options),
      sampleOf(asked.additionalProperties, '', options),
    ]);
  return Object.fromEntries(entries);
};
