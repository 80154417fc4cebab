import type { EventRow } from '#contracts/event-row.ts';
import { type Actor, may } from './actor.ts';

/** Only those who may see admins and their sessions see where admins sign in from. */
export const seesAddresses = (actor: Actor): boolean => may(actor, 'admins.read');

const kindsOfAdmins: readonly string[] = ['admin.signed-in', 'login.failed'];

/** The event for those who do not see addresses: its address is empty. */
export const withoutAddress = <Event extends Pick<EventRow, 'kind' | 'payload'>>(event: Event): Event =>
  kindsOfAdmins.includes(event.kind) ? { ...event, payload: { ...event.payload, address: '' } } : event;
