import type { EventRow } from '#contracts/events.ts';
import { type Actor, may } from './actor.ts';

/** Where admins sign in from is for those who may see admins and their sessions. */
export const seesAddresses = (actor: Actor): boolean => may(actor, 'admins.read');

const kindsOfAdmins: readonly string[] = ['admin.signed-in', 'login.failed'];

/** The event as it is told to those who do not see addresses: empty where one stands. */
export const withoutAddress = <Event extends Pick<EventRow, 'kind' | 'payload'>>(event: Event): Event =>
  kindsOfAdmins.includes(event.kind) ? { ...event, payload: { ...event.payload, address: '' } } : event;
