import * as z from 'zod';
import type { Permission } from '../identity/permissions.ts';
import type { ProblemCode } from './problems.ts';

/**
 * Who may call an endpoint.
 * - `public`: anyone
 * - `signed-in`: any caller with a credential of its own: a person, a script, the desktop; not the bot
 * - `session`: a signed-in admin, for their own things
 * - `owner`: an owner in person, or the desktop of the machine, which acts for one; no permission replaces that
 * - `agent`: a Game Agent, which proves itself by the body of each request
 * - `discord-user`: a person in Discord for whom the bot asks, limited to their own things
 * - `supervisor`: the holder of the control token in the data folder
 * - a permission: any caller that holds it
 */
export type Access =
  | 'public'
  | 'signed-in'
  | 'session'
  | 'owner'
  | 'agent'
  | 'discord-user'
  | 'supervisor'
  | Permission;

/** Access that could create an account or keep one alive: an endpoint with it must state what proof it needs. */
export const guardedAccess = [
  'session',
  'owner',
  'admins.write',
  'api-keys.write',
] as const satisfies readonly Access[];
type GuardedAccess = (typeof guardedAccess)[number];

/**
 * How sure the API must be that a person asks.
 * - `any`: programs are allowed, too
 * - `person`: API keys and the bot are refused, whatever their permissions
 * - `step-up`: likewise, and the person has given the password or second factor again, or confirmed on the machine
 * - `step-up-by-case`: likewise, if the request needs it; the handler decides
 */
export type Proof = 'any' | 'person' | 'step-up' | 'step-up-by-case';

/** What an endpoint behind a permission that reads the database may answer instead. */
export const readProblems = ['UNAUTHENTICATED', 'FORBIDDEN', 'DATABASE_UNAVAILABLE'] as const;
export const changeProblems = [...readProblems, 'CROSS_ORIGIN'] as const;

/** An endpoint is a value: the single source of its path, shapes, checks and documentation. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Express path; parameters as `:name`. */
  readonly path: string;
  /** The path in earlier versions, which scripts still use; it has the same parameters. */
  readonly formerPath?: string;
  readonly summary: string;
  readonly access: Access;
  /** `any` by default; required for `guardedAccess`. */
  readonly proof?: Proof;
  /** Also answered without a credential, if the request comes from this machine and through no proxy. */
  readonly loopback?: true;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** The most bytes of a body, if the usual 100 KiB are too few. */
  readonly bodyBytes?: number;
  /** The handler gets the raw bytes of the body, to check a signature over them; it parses them itself. */
  readonly rawBody?: true;
  /** The content type of a raw body that is not JSON. */
  readonly bodyType?: string;
  /** Accepts the header `Idempotency-Key`: a repeated request is carried out once. The handler reads it. */
  readonly idempotent?: true;
  readonly response: z.ZodType;
  /** The content type of an answer that is not JSON: the handler then returns its text. */
  readonly contentType?: string;
  /** The answer is a streamed file, which browsers save under this name. The handler returns a stream. */
  readonly download?: string;
  /** The handler sends the answer itself, for example requested parts of a file: it returns a function that does so. */
  readonly sends?: true;
  /**
   * The expected refusals; general ones such as INVALID_REQUEST and INTERNAL are implied, as are those of its proof. Absent:
   * `usualProblems`.
   */
  readonly problems?: readonly ProblemCode[];
  /** Statuses whose problem document has no `code`, where the interface document gives none. */
  readonly codeless?: readonly number[];
}

/** The expected refusals of an endpoint that declares none. */
export const usualProblems = ({ method, params }: Pick<Endpoint, 'method' | 'params'>) => [
  ...(method === 'GET' ? readProblems : changeProblems),
  ...(params ? (['NOT_FOUND'] as const) : []),
];

/** The value of the header `Idempotency-Key`. */
export const idempotencyKey = z
  .string()
  .regex(/^[\x20-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters');

type SaysProof<E extends Endpoint> = [E['access']] extends [GuardedAccess]
  ? { readonly proof: Proof }
  : Record<never, never>;

export const endpoint = <const E extends Endpoint>(declared: E & SaysProof<E>): E => declared;

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** What a handler gets: the validated parts of the request. */
export interface EndpointInput<E extends Endpoint> {
  readonly params: Parsed<E['params']>;
  readonly query: Parsed<E['query']>;
  readonly body: E extends { readonly rawBody: true } ? Uint8Array : Parsed<E['body']>;
}
export type EndpointResponse<E extends Endpoint> = z.output<E['response']>;
/** What a caller sends as the body. */
export type EndpointBody<E extends Endpoint> = E['body'] extends z.ZodType ? z.input<E['body']> : undefined;
