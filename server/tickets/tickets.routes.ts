import { ticketSeconds, ticketsHttp } from '#contracts/tickets.ts';
import { Problem } from '#runtime/problem.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import type { Tickets } from './tickets.ts';

export const bindTicketsRoutes = (routes: ApiRoutes, tickets: Tickets): void => {
  routes.on(ticketsHttp.issue, (_input, { actor, request }) => {
    const ticket = tickets.issue(actor, request.host);
    if (ticket === null)
      throw new Problem('RATE_LIMITED', {
        detail: 'You have too many unused tickets.',
        headers: { 'Retry-After': String(ticketSeconds) },
      });
    return { ticket, expiresInSeconds: ticketSeconds };
  });
};
