import { ticketSeconds, ticketsHttp } from '#contracts/identity/tickets.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { Tickets } from './tickets.ts';

export const bindTicketsRoutes = (routes: ApiRoutes, tickets: Tickets): void => {
  routes.on(ticketsHttp.issue, (_input, { actor, request }) => ({
    ticket: tickets.issue(actor, { host: request.host, origin: request.get('Origin') }),
    expiresInSeconds: ticketSeconds,
  }));
};
