import * as z from 'zod';
import type { Permission } from './permissions.ts';
import type { ProblemCode } from './problems.ts';

/**
 * Who may call an endpoint.
 * - `public`: anybody
 * - `signed-in`: whoever has a credential of their own: a person, a script, the desktop; the bot does not
 * - `session`: an admin who has signed in, for what is their own
 * - `agent`: a Game Agent, which proves itself by the body of each request
 * - `discord-user`: a person in Discord, for whom the bot asks; what they do is their own
 * - `supervisor`: the holder of the control token that lies in the home folder
 * - a permission: whoever holds it
 */
export type Access =
  | 'public'
  | 'signed-in'
  | 'session'
  | 'agent'
  | 'discord-user'
  | 'supervisor'
  | Permission;

/** What could be the start of an account, or keep one alive: an endpoint with this access says what proof it takes. */
export const guardedAccess = [
  'session',
  'admins.write',
  'api-keys.write',
] as const satisfies readonly Access[];
type GuardedAccess = (typeof guardedAccess)[number];

/**
 * How sure the API is of the person who asks.
 * - `any`: programs are welcome, too
 * - `person`: API keys and the bot are refused, whatever they hold
 * - `step-up`: likewise, and the person has shown the own password or second factor again, or confirmed on the machine
 * - `step-up-by-case`: likewise, when what is asked for needs it; the handler says when
 */
export type Proof = 'any' | 'person' | 'step-up' | 'step-up-by-case';

/** An endpoint is a value: the one source of its path, its shapes, its checks and its documentation. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Express path; parameters as `:name`. */
  readonly path: string;
  /** The path of earlier versions, which scripts go on using; it has the same parameters. */
  readonly formerPath?: string;
  readonly summary: string;
  readonly access: Access;
  /** `any` unless said; must be said for `guardedAccess`. */
  readonly proof?: Proof;
  /** Answered without a credential, too, when asked from this machine itself and through no proxy. */
  readonly loopback?: true;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Bytes that a body may have, where the usual 100 KiB are too few. */
  readonly bodyBytes?: number;
  /** Texts of the body may hold NUL: the handler makes of them what can be kept. */
  readonly takesNul?: true;
  /** The handler gets the body's bytes as they came, to check a signature over them; it parses them itself. */
  readonly rawBody?: true;
  /** Content type of a raw body that is not JSON. */
  readonly bodyType?: string;
  /** Takes the header `Idempotency-Key`: the same request again is carried out once. The handler reads it. */
  readonly idempotent?: true;
  readonly response: z.ZodType;
  /** Content type of an answer that is not JSON: its text is then what the handler returns. */
  readonly contentType?: string;
  /** The answer is a file, sent as it is read; browsers save it under this name. The handler returns a stream. */
  readonly download?: string;
  /** The handler sends the answer itself, such as the parts of a file that are asked for: it returns what does so. */
  readonly sends?: true;
  /** The expected refusals; INVALID_REQUEST, INTERNAL and their like are understood. */
  readonly problems: readonly ProblemCode[];
  /** Statuses whose problem document carries no `code`, where the interface document gives none. */
  readonly codeless?: readonly number[];
}

/** The value of the header `Idempotency-Key`. */
export const idempotencyKey = z
  .string()
  .regex(/^[\x20-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters');

type SaysProof<E extends Endpoint> = [E['access']] extends [GuardedAccess]
  ? { readonly proof: Proof }
  : Record<never, never>;

export const endpoint = <const E extends Endpoint>(declared: E & SaysProof<E>): E => declared;

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** What a handler gets: the checked parts of the request. */
export interface EndpointInput<E extends Endpoint> {
  readonly params: Parsed<E['params']>;
  readonly query: Parsed<E['query']>;
  readonly body: E extends { readonly rawBody: true } ? Uint8Array : Parsed<E['body']>;
}
export type EndpointResponse<E extends Endpoint> = z.output<E['response']>;
/** What a caller sends as the body. */
export type EndpointBody<E extends Endpoint> = E['body'] extends z.ZodType ? z.input<E['body']> : undefined;
