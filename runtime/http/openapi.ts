import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { permissions } from '#contracts/identity/permissions.ts';
import {
  type Access,
  type Endpoint,
  idempotencyKey,
  type Proof,
  usualProblems,
} from '#contracts/kernel/http.ts';
import {
  type ProblemCode,
  problemCodes,
  problemContentType,
  problemDocument,
  problems,
} from '#contracts/kernel/problems.ts';
import { openApiExtensions } from '#contracts/operations/observability.ts';

const bearerScheme = 'bearer';

const loopbackInWords =
  'No credential is needed from the machine itself: a loopback connection, Host localhost, 127.0.0.1 or [::1], and no proxy header.';

const takesPrograms = ({ proof = 'any' }: Endpoint): boolean => proof === 'any';
const asksStepUp = ({ proof }: Endpoint): boolean => proof === 'step-up' || proof === 'step-up-by-case';

const idempotencyHeader = z.object({
  'Idempotency-Key': idempotencyKey.optional().meta({
    description:
      'Bound to the caller and to the body: the same request again is carried out once, another body with the same key is refused.',
  }),
});

const proofWords = {
  any: null,
  person: 'API keys and the bot are refused.',
  'step-up': 'API keys and the bot are refused; a person steps up first (`POST /api/me/step-up`).',
  'step-up-by-case':
    'API keys and the bot are refused; a person steps up first (`POST /api/me/step-up`) where the change could make an owner or undo a second factor.',
} as const satisfies Record<Proof, string | null>;

const accessInWords = ({ access, loopback, proof = 'any' }: Endpoint): string => {
  if (access === 'public') return 'Anyone may call this.';
  const words = [whoInWords(access), proofWords[proof], loopback ? loopbackInWords : null];
  return words.filter((text) => text !== null).join(' ');
};

const whoInWords = (access: Exclude<Access, 'public'>): string => {
  if (access === 'signed-in') return 'For anyone who is signed in.';
  if (access === 'agent') return 'For Game Agents; the body proves who asks.';
  if (access === 'discord-user') return 'For the Discord bot, which names the person that it asks for.';
  if (access === 'session') return 'For an admin who has signed in, not for API keys.';
  if (access === 'owner') return 'For an owner in person, not for API keys.';
  if (access === 'supervisor') return 'For the holder of the control token in the data folder.';
  return `Needs the permission \`${access}\`: ${permissions[access].summary}.`;
};

/** Everything but `public` needs a credential; an alternative without one is an empty requirement. */
const securityOf = ({ access, loopback }: Endpoint): Record<string, string[]>[] => {
  if (access === 'public' || access === 'agent') return [];
  return loopback ? [{ [bearerScheme]: [] }, {}] : [{ [bearerScheme]: [] }];
};

/** The OpenAPI 3.1 document of all bound endpoints, and of nothing else. */
export const openApiDocument = ({
  title,
  version,
  description,
  endpoints,
  commonProblems = [],
}: {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly endpoints: readonly Endpoint[];
  /** Refusals that any endpoint may return. */
  readonly commonProblems?: readonly ProblemCode[];
}): Readonly<Record<string, unknown>> => {
  const paths: ZodOpenApiPathsObject = {};
  for (const endpoint of endpoints) {
    const { formerPath } = endpoint;
    const former = formerPath === undefined ? [] : [{ ...endpoint, path: formerPath }];
    for (const each of [endpoint, ...former]) {
      const path = each.path.replace(/:(\w+)/g, '{$1}');
      const operation = operationOf(each, commonProblems);
      if (each !== endpoint) operation.deprecated = true;
      paths[path] = { ...paths[path], [each.method.toLowerCase()]: operation };
    }
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.1',
    info: { title, version, description },
    paths,
    components: { securitySchemes: { [bearerScheme]: { type: 'http', scheme: 'bearer' } } },
  };
  return { ...createDocument(document) };
};

const operationOf = (endpoint: Endpoint, common: readonly ProblemCode[]): ZodOpenApiOperationObject => {
  const { params, query, idempotent } = endpoint;
  return {
    operationId: operationIdOf(endpoint),
    tags: [tagOf(endpoint)],
    summary: endpoint.summary,
    description: accessInWords(endpoint),
    [openApiExtensions.access]: endpoint.access,
    [openApiExtensions.proof]: endpoint.proof ?? 'any',
    security: securityOf(endpoint),
    ...(params || query || idempotent
      ? {
          requestParams: {
            ...(params ? { path: objectSchema(params) } : {}),
            ...(query ? { query: objectSchema(query) } : {}),
            ...(idempotent ? { header: idempotencyHeader } : {}),
          },
        }
      : {}),
    ...(endpoint.body
      ? { requestBody: { required: true, content: { 'application/json': { schema: endpoint.body } } } }
      : {}),
    ...(endpoint.bodyType ? { requestBody: { required: true, content: { [endpoint.bodyType]: {} } } } : {}),
    responses: {
      '200': {
        description: 'Done',
        content: { [endpoint.contentType ?? 'application/json']: { schema: endpoint.response } },
      },
      ...problemResponses(endpoint, common),
    },
  };
};

const tagNames: Readonly<Record<string, string>> = {
  'api-keys': 'API keys',
  'game-agent': 'Protocol of Game Agents',
  internal: 'Protocol of the bot',
  me: 'Your account',
  'openapi.json': 'API',
};

/** By the first part of the path: `GET /api/mod-lists/:id` belongs to `Mod lists`. */
const tagOf = ({ path }: Endpoint): string => {
  const [, first = ''] = path.replace(/^\/api(?=\/)/, '').split('/');
  return tagNames[first] ?? `${first.charAt(0).toUpperCase()}${first.slice(1).replaceAll('-', ' ')}`;
};

/** `GET /api/health/queues` → `getApiHealthQueues`. */
const operationIdOf = ({ method, path }: Endpoint): string =>
  [method.toLowerCase(), ...path.split(/[^A-Za-z0-9]+/).filter(Boolean)]
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');

const objectSchema = (schema: z.ZodType): z.ZodObject => {
  if (schema instanceof z.ZodObject) return schema;
  throw new TypeError('parameters and queries are described by object schemas');
};

/** Problems that every endpoint of its kind may return, besides the refusals that it declares. */
const understood = (endpoint: Endpoint): readonly ProblemCode[] => [
  ...(takesPrograms(endpoint) ? [] : (['PERSON_REQUIRED'] as const)),
  ...(asksStepUp(endpoint) ? (['STEP_UP_REQUIRED'] as const) : []),
  ...(endpoint.body || endpoint.bodyType
    ? (['INVALID_REQUEST', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)
    : []),
  ...(endpoint.params || endpoint.query ? (['INVALID_REQUEST'] as const) : []),
  'INTERNAL',
];

const problemResponses = (endpoint: Endpoint, common: readonly ProblemCode[]) => {
  const possible = new Set([
    ...(endpoint.problems ?? usualProblems(endpoint)),
    ...understood(endpoint),
    ...common,
  ]);
  const byStatus = Map.groupBy(
    problemCodes.filter((code) => possible.has(code)),
    (code) => problems[code].status,
  );
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${problems[code].meaning}`).join('\n\n'),
        content: { [problemContentType]: { schema: problemDocument } },
      },
    ]),
  );
};
