import * as z from 'zod';
import { openApiExtensions } from '#contracts/operations/observability.ts';

/** A JSON schema, as far as it is shown; it may refer to itself. */
export interface Schema {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly format?: string | undefined;
  readonly description?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly items?: Schema | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: Schema | boolean | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly oneOf?: readonly Schema[] | undefined;
  readonly allOf?: readonly Schema[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMinimum?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly pattern?: string | undefined;
}
export type Schemas = Readonly<Record<string, Schema>>;

interface ApiParameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
  readonly description: string | null;
}

export interface Content {
  readonly type: string;
  readonly schema: Schema | null;
}

interface ApiError {
  readonly status: string;
  readonly code: string;
  readonly meaning: string;
}

export interface ApiOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** As in an endpoint of the contracts. */
  readonly access: string;
  readonly proof: string;
  readonly isDeprecated: boolean;
  readonly parameters: readonly ApiParameter[];
  readonly body: Content | null;
  readonly answer: Content | null;
  readonly errors: readonly ApiError[];
}

export interface ApiDocument {
  readonly operations: readonly ApiOperation[];
  readonly schemas: Schemas;
}

const schemaValue = z.custom<Schema>((value) => typeof value === 'object' && value !== null);
const contentMap = z.record(z.string(), z.object({ schema: schemaValue.optional() }));
const operationValue = z.looseObject({
  operationId: z.string(),
  tags: z.array(z.string()).default([]),
  summary: z.string().default(''),
  description: z.string().default(''),
  deprecated: z.boolean().default(false),
  parameters: z
    .array(
      z.object({
        in: z.enum(['path', 'query', 'header']),
        name: z.string(),
        required: z.boolean().default(false),
        schema: schemaValue,
        description: z.string().optional(),
      }),
    )
    .default([]),
  requestBody: z.object({ content: contentMap }).optional(),
  responses: z.record(
    z.string(),
    z.object({ description: z.string().default(''), content: contentMap.optional() }),
  ),
  [openApiExtensions.access]: z.string().default('public'),
  [openApiExtensions.proof]: z.string().default('any'),
});
const documentValue = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operationValue)),
  components: z.looseObject({ schemas: z.record(z.string(), schemaValue).default({}) }),
});

const contentOf = (content: z.infer<typeof contentMap> | undefined): Content | null => {
  const [first] = Object.entries(content ?? {});
  return first ? { type: first[0], schema: first[1].schema ?? null } : null;
};

/** The description of a refusal has one line per code, as runtime/http/openapi.ts writes it. */
const errorsOf = (status: string, description: string): readonly ApiError[] =>
  description.split('\n\n').flatMap((line) => {
    const [, code, meaning] = /^`([A-Z_]+)`: (.*)$/s.exec(line) ?? [];
    return code === undefined ? [] : [{ status, code, meaning: meaning ?? '' }];
  });

/** @throws {z.ZodError} if it is not a document of this API */
export const readOpenApi = (document: unknown): ApiDocument => {
  const { paths, components } = documentValue.parse(document);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): ApiOperation => ({
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        tag: operation.tags[0] ?? '',
        summary: operation.summary,
        description: operation.description,
        access: operation[openApiExtensions.access],
        proof: operation[openApiExtensions.proof],
        isDeprecated: operation.deprecated,
        parameters: operation.parameters.map((parameter) => ({
          in: parameter.in,
          name: parameter.name,
          isRequired: parameter.required,
          schema: parameter.schema,
          description: parameter.description ?? parameter.schema.description ?? null,
        })),
        body: contentOf(operation.requestBody?.content),
        answer: contentOf(operation.responses['200']?.content),
        errors: Object.entries(operation.responses)
          .filter(([status]) => status !== '200')
          .flatMap(([status, { description }]) => errorsOf(status, description)),
      }),
    ),
  );
  return { operations, schemas: components.schemas };
};

/** The protocols between components of Castellan come last: no script calls them. */
const isProtocol = (tag: string): boolean => tag.startsWith('Protocol');

/** The operations by tag, in the order of the names. */
export const byTag = (
  operations: readonly ApiOperation[],
): readonly (readonly [tag: string, operations: readonly ApiOperation[]])[] =>
  [...Map.groupBy(operations, ({ tag }) => tag)].sort(
    ([a], [b]) => Number(isProtocol(a)) - Number(isProtocol(b)) || a.localeCompare(b, 'en'),
  );

/** The operations that contain every typed word in the method, the path, the summary, the tag or the permission. */
export const findOperations = (
  operations: readonly ApiOperation[],
  typed: string,
): readonly ApiOperation[] => {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return operations.filter(({ method, path, summary, tag, access }) => {
    const text = [method, path, summary, tag, access].join(' ').toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
};
