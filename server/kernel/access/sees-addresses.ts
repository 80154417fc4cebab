import type { EventKindName, EventPayload } from '#contracts/kernel/event-kinds.ts';
import type { EventRow } from '#contracts/operations/event-row.ts';
import { type Actor, may } from './actor.ts';

/** Only those who may see admins and their sessions see where admins sign in from. */
export const seesAddresses = (actor: Actor): boolean => may(actor, 'admins.read');

type KindWithAddress = {
  [Kind in EventKindName]: 'address' extends keyof EventPayload<Kind> ? Kind : never;
}[EventKindName];
/** Whether the address is a person's. */
const isOfPerson: Readonly<Record<string, boolean>> = {
  'admin.signed-in': true,
  'login.failed': true,
  'agent.connected': false,
  'agent.pinned': false,
  'agent.refused': false,
} satisfies Record<KindWithAddress, boolean>;

/** The event for those who do not see addresses: its address is empty. */
export const withoutAddress = <Event extends Pick<EventRow, 'kind' | 'payload'>>(event: Event): Event =>
  isOfPerson[event.kind] ? { ...event, payload: { ...event.payload, address: '' } } : event;
