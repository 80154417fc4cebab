import { Readable } from 'node:stream';
import type { Express, Request } from 'express';
import { permissions } from '#contracts/identity/permissions.ts';
import type { Endpoint, EndpointInput } from '#contracts/kernel/http.ts';
import {
  type Answer,
  type Authorize,
  createRoutes,
  type RequestContext,
  type Routes,
  type RoutesOptions,
} from '#runtime/http/routes.ts';
import { isFromThisMachine } from '#runtime/http/this-machine.ts';
import { Problem } from '#runtime/problem.ts';
import { demandGranted, type Refusal } from '../http/refusal.ts';
import { type Actor, may, maySomewhere } from './actor.ts';
import { demandStepUp, isPerson } from './step-up.ts';

/** Where the API's features bind their endpoints. A handler may return a refusal, which the caller gets as a problem. */
export interface ApiRoutes extends Pick<Routes<Actor>, 'endpoints'> {
  on<const E extends Endpoint>(
    endpoint: E,
    handler: (
      input: EndpointInput<E>,
      context: RequestContext<Actor>,
    ) => Answer<E> | Refusal | Promise<Answer<E> | Refusal>,
  ): void;
}

/** Told of each download that begins. */
export type WatchDownload = (content: Readable, endpoint: Endpoint, actor: Actor) => void;

export const createApiRoutes = (
  app: Express,
  { watchDownload, ...options }: RoutesOptions<Actor> & { readonly watchDownload?: WatchDownload },
): ApiRoutes => {
  const routes = createRoutes(app, options);
  return {
    endpoints: routes.endpoints,
    on(endpoint, handler) {
      routes.on(endpoint, async (input, context) => {
        const answer = demandGranted(await handler(input, context));
        if (answer instanceof Readable) watchDownload?.(answer, endpoint, context.actor);
        return answer;
      });
    },
  };
};

/** Recognizes one kind of credential; null when the credential is of another kind or invalid. */
export type Authenticate = (credentials: {
  /** From `Authorization: Bearer …`. */
  readonly bearer: string | null;
  readonly request: Request;
}) => Actor | null | Promise<Actor | null>;

export const thisMachine: Actor = {
  kind: 'local',
  id: 'this-machine',
  name: 'this machine',
  permissions: new Set(),
  serverPermissions: new Map(),
};

/**
 * Finds out who asks and checks the permission that the endpoint declares. If the permission can be granted for single
 * servers, holding it for any server passes here, and the handler checks the server in question.
 */
export const createAuthorize =
  (authenticators: readonly Authenticate[]): Authorize<Actor> =>
  async (endpoint, request) => {
    // An agent proves itself by the body, which the handler checks.
    if (endpoint.access === 'public' || endpoint.access === 'agent') return thisMachine;
    const actor = await identify(authenticators, request);
    if (actor) return demandProof(endpoint, demandPermission(endpoint, actor));
    if (endpoint.loopback && isFromThisMachine(request)) return thisMachine;
    throw new Problem('UNAUTHENTICATED', {
      headers: { 'WWW-Authenticate': 'Bearer' },
      ...(endpoint.loopback ? { detail: loopbackRule } : {}),
    });
  };

const loopbackRule =
  'Sign in, or ask from the machine itself, by localhost, 127.0.0.1 or [::1] and through no proxy.';

const identify = async (authenticators: readonly Authenticate[], request: Request): Promise<Actor | null> => {
  const [, bearer = null] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  for (const authenticate of authenticators) {
    const actor = await authenticate({ bearer, request });
    if (actor) return actor;
  }
  return null;
};

/** After the permission: a caller that may not ask at all learns nothing about what else it would need. */
const demandProof = ({ proof = 'any' }: Endpoint, actor: Actor): Actor => {
  if (proof !== 'any' && !isPerson(actor)) throw new Problem('PERSON_REQUIRED');
  if (proof === 'step-up') demandStepUp(actor);
  return actor;
};

/** @throws {Problem} FORBIDDEN, or PERSON_REQUIRED for a program */
export const demandPermission = ({ access }: Endpoint, actor: Actor): Actor => {
  if (access === 'discord-user' && actor.kind === 'discord') return actor;
  if (access === 'discord-user')
    throw new Problem('FORBIDDEN', { detail: 'This is for people in Discord, by the bot.' });
  if (access === 'signed-in' && actor.kind !== 'bot' && actor.kind !== 'discord') return actor;
  if (access === 'session' && actor.sessionId !== undefined) return actor;
  if (access === 'owner' && actor.isOwner && isPerson(actor)) return actor;
  if ((access === 'session' || access === 'owner') && actor.kind === 'api-key')
    throw new Problem('PERSON_REQUIRED');
  if (access === 'owner') throw new Problem('FORBIDDEN', { detail: 'Only an owner may do this.' });
  if (access === 'signed-in' || access === 'session')
    throw new Problem('FORBIDDEN', { detail: 'This is for admins who have signed in.' });
  if (access === 'public' || access === 'agent' || access === 'supervisor')
    throw new TypeError(`not an endpoint of the API: ${access}`);
  const allowed = permissions[access].perServer ? maySomewhere(actor, access) : may(actor, access);
  if (allowed) return actor;
  throw new Problem('FORBIDDEN', { detail: `This needs the permission ${access}.` });
};
