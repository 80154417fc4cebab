import * as z from 'zod';

/** The parts of JSON Schema that a form is drawn from; everything else is left to the API. */
const node = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  pattern: z.string().optional(),
  format: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
});
type Node = z.infer<typeof node>;

export interface TextLimits {
  readonly minLength: number;
  /** Infinite if there is no limit. */
  readonly maxLength: number;
  readonly pattern: RegExp | null;
  readonly isAddress: boolean;
}

interface TextShape extends TextLimits {
  readonly kind: 'text';
}
interface NumberShape {
  readonly kind: 'number';
  readonly isWhole: boolean;
  readonly min: number;
  readonly max: number;
}
interface TextsShape {
  readonly kind: 'texts';
  readonly minItems: number;
  readonly maxItems: number;
  readonly item: TextLimits;
}
interface ChoiceShape {
  readonly kind: 'choice';
  readonly options: readonly string[];
}

/** How a field of a declared section is drawn and checked. `unknown`: this panel does not support it, so it only shows the value. */
export type FieldShape = { readonly isNullable: boolean } & (
  | TextShape
  | NumberShape
  | TextsShape
  | ChoiceShape
  | { readonly kind: 'flag' }
  | { readonly kind: 'unknown' }
);

/** JSON Schema integers have these bounds where no one has set others. */
const isBound = (value: number | undefined): value is number =>
  value !== undefined && Number.isFinite(value) && Math.abs(value) < Number.MAX_SAFE_INTEGER;

const patternOf = (text: string | undefined): RegExp | null => {
  if (text === undefined) return null;
  try {
    return new RegExp(text, 'u');
  } catch {
    // In another dialect: the API checks it all the same.
    return null;
  }
};

const textLimits = ({ minLength, maxLength, pattern, format }: Node): TextLimits => ({
  minLength: minLength ?? 0,
  maxLength: maxLength ?? Number.POSITIVE_INFINITY,
  pattern: patternOf(pattern),
  isAddress: format === 'uri',
});

const isText = (value: unknown): value is string => typeof value === 'string';

const shapeOf = (schema: Node, isNullable: boolean): FieldShape => {
  if (schema.anyOf) {
    const options = schema.anyOf.map((each) => node.safeParse(each).data);
    const [only, ...more] = options.filter((each) => each?.type !== 'null');
    const isOneOrNull = more.length === 0 && options.length === 2;
    return only && isOneOrNull ? shapeOf(only, true) : { kind: 'unknown', isNullable };
  }
  if (schema.enum) {
    const options = schema.enum.filter(isText);
    return options.length === schema.enum.length
      ? { kind: 'choice', options, isNullable }
      : { kind: 'unknown', isNullable };
  }
  switch (schema.type) {
    case 'string':
      return { kind: 'text', isNullable, ...textLimits(schema) };
    case 'boolean':
      return { kind: 'flag', isNullable };
    case 'number':
    case 'integer':
      return {
        kind: 'number',
        isNullable,
        isWhole: schema.type === 'integer',
        min: isBound(schema.minimum) ? schema.minimum : Number.NEGATIVE_INFINITY,
        max: isBound(schema.maximum) ? schema.maximum : Number.POSITIVE_INFINITY,
      };
    case 'array': {
      const item = node.safeParse(schema.items).data;
      if (item?.type !== 'string' || item.enum) return { kind: 'unknown', isNullable };
      const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
      return { kind: 'texts', isNullable, minItems, maxItems, item: textLimits(item) };
    }
    default:
      return { kind: 'unknown', isNullable };
  }
};

const section = z.looseObject({ properties: z.record(z.string(), z.unknown()) });

/** The shape of a field by the JSON Schema of its section. */
export const fieldShape = (sectionSchema: unknown, name: string): FieldShape => {
  const properties = section.safeParse(sectionSchema).data?.properties ?? {};
  const declared = Object.hasOwn(properties, name) ? node.safeParse(properties[name]).data : undefined;
  return declared ? shapeOf(declared, false) : { kind: 'unknown', isNullable: false };
};
