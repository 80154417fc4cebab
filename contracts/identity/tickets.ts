import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';

export const ticketSeconds = 30;

/** The origin of the desktop's own pages; it may open WebSockets like the API's own host. */
export const desktopOrigin = 'castellan://panel';

export const ticketsHttp = {
  issue: endpoint({
    method: 'POST',
    path: '/api/tickets',
    summary: 'Issue a ticket that opens one WebSocket within 30 seconds',
    access: 'signed-in',
    response: z.object({ ticket: z.string(), expiresInSeconds: z.int() }),
    problems: ['UNAUTHENTICATED', 'FORBIDDEN', 'CROSS_ORIGIN'],
  }),
} as const;
