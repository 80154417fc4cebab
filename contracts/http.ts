import type * as z from 'zod';
import type { ProblemCode } from './problems.ts';

/**
 * Who may call an endpoint.
 * - `public`: anybody (the portal's license endpoints)
 * - `loopback`: without a credential, but only from this machine itself and through no proxy
 * - `bot`: the Discord bot, by INTERNAL_API_SECRET
 * - `supervisor`: the holder of the control token that lies in the home folder
 */
export type Access = 'public' | 'loopback' | 'bot' | 'supervisor';

/** An endpoint is a value: the one source of its path, its shapes, its checks and its documentation. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Express path; parameters as `:name`. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly response: z.ZodType;
  /** Content type of an answer that is not JSON: its text is then what the handler returns. */
  readonly contentType?: string;
  /** The expected refusals; INVALID_REQUEST, INTERNAL and their like are understood. */
  readonly problems: readonly ProblemCode[];
  /** Statuses whose problem document carries no `code`, where the interface document gives none. */
  readonly codeless?: readonly number[];
}

export const endpoint = <const E extends Endpoint>(declared: E): E => declared;

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** What a handler gets: the checked parts of the request. */
export interface EndpointInput<E extends Endpoint> {
  readonly params: Parsed<E['params']>;
  readonly query: Parsed<E['query']>;
  readonly body: Parsed<E['body']>;
}
export type EndpointResponse<E extends Endpoint> = z.output<E['response']>;
