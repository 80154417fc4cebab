import type { IncomingMessage } from 'node:http';
import { desktopOrigin, ticketSeconds, ticketsHttp } from '#contracts/identity/tickets.ts';
import { isPageOf, originOf } from '#runtime/auth/same-origin.ts';
import { newSecretToken, tokenDigest } from '#runtime/auth/secret-token.ts';
import { isAhead } from '#runtime/is-ahead.ts';
import { type Actor, actorReference } from '../../kernel/access/actor.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';

export interface Tickets {
  /**
   * When an actor has too many unused tickets the oldest is dropped: a page that is reloaded leaves its ticket unused.
   * @param page what the request for it named: a page of that host or origin may use it, too, where a proxy changes Host
   */
  issue(actor: Actor, page: IssuedTo): string;
  /** The ticket's actor; null when it is unknown, used, too old, or presented by a page of another origin. */
  consume(ticket: string, request: IncomingMessage): Actor | null;
}

interface IssuedTo {
  readonly host: string;
  /** Of the page; the session's cookie has proven that it is our own. Undefined for programs. */
  readonly origin: string | undefined;
}

interface Ticket {
  readonly actor: Actor;
  readonly page: IssuedTo;
  readonly expiresAtMs: number;
}

const unusedPerActor = 20;

/** They live in memory: a restart of the API closes every WebSocket anyway. */
export const createTickets = (now: () => number): Tickets => {
  const tickets = new Map<string, Ticket>();

  const forgetExpired = () => {
    for (const [key, { expiresAtMs }] of tickets) {
      // All live equally long, so the oldest come first.
      if (expiresAtMs > now()) return;
      tickets.delete(key);
    }
  };
  const forgetOldestOf = (actor: Actor) => {
    const reference = actorReference(actor);
    const held = [...tickets].filter(([, ticket]) => actorReference(ticket.actor) === reference);
    if (held.length >= unusedPerActor && held[0]) tickets.delete(held[0][0]);
  };

  return {
    issue(actor, page) {
      forgetExpired();
      forgetOldestOf(actor);
      const token = newSecretToken('cwt');
      tickets.set(keyOf(token), { actor, page, expiresAtMs: now() + ticketSeconds * 1000 });
      return token;
    },
    consume(token, request) {
      const ticket = tickets.get(keyOf(token));
      tickets.delete(keyOf(token));
      if (!ticket || ticket.expiresAtMs <= now()) return null;
      // The clock was set back since: how old it is cannot be told.
      if (isAhead(ticket.expiresAtMs - ticketSeconds * 1000, now())) return null;
      return isOriginAllowed(request, ticket.page) ? ticket.actor : null;
    },
  };
};

const keyOf = (token: string): string => tokenDigest(token).toString('base64');

/** A browser always sends the page's origin when it opens a WebSocket; only other programs can omit it. */
const isOriginAllowed = ({ headers }: IncomingMessage, issued: IssuedTo): boolean => {
  const { origin, host = '' } = headers;
  if (origin === undefined || origin === desktopOrigin) return true;
  const page = originOf(origin);
  if (page === null) return false;
  return (
    page.origin === originOf(issued.origin)?.origin || isPageOf(page, host) || isPageOf(page, issued.host)
  );
};

export const bindTicketsRoutes = (routes: ApiRoutes, tickets: Tickets): void => {
  routes.on(ticketsHttp.issue, (_input, { actor, request }) => ({
    ticket: tickets.issue(actor, { host: request.host, origin: request.get('Origin') }),
    expiresInSeconds: ticketSeconds,
  }));
};
