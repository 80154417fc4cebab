import { eventKindNames } from '#contracts/kernel/event-kinds.ts';
import type { EventFilter } from '#contracts/kernel/events.ts';
import { type EventRow, severities } from '#contracts/operations/event-row.ts';
import { rangeIn } from '../../kit/records/range.ts';
import { selectedIn } from '../../kit/records/selected-values.ts';
import { textIn } from '../../kit/records/text-in.ts';
import type { SearchValues } from '../../kit/routing/use-search-state.ts';

export const eventFilterNames = ['kind', 'severity', 'server', 'person', 'when', 'from', 'to'] as const;

/** As in the contract. */
const longestId = 100;
const person = /^(player|admin):./;

/** The filter that an address asks for; anything else in the address is left out. */
export const eventFilterIn = (values: SearchValues): EventFilter => {
  const kind = selectedIn(values.kind, eventKindNames);
  const serverId = textIn(values.server, longestId);
  const who = textIn(values.person, longestId);
  const severity = selectedIn(values.severity, severities);
  return {
    ...(kind.length > 0 && { kind }),
    ...(severity.length > 0 && { severity }),
    ...(serverId && { serverId }),
    ...(who && person.test(who) && { person: who }),
    ...rangeIn(values),
  };
};

const isOf = (who: string, { playerId, adminId }: EventRow['payload']): boolean =>
  who === (playerId == null ? `admin:${adminId}` : `player:${playerId}`);

/** Whether the API would have returned an event; the live stream contains all of them. */
export const isInFilter = (
  { kind, severity, serverId, person: who, from, to }: EventFilter,
  row: Pick<EventRow, 'kind' | 'severity' | 'serverId' | 'at' | 'payload'>,
): boolean =>
  (!kind || (kind as readonly string[]).includes(row.kind)) &&
  (!severity || severity.includes(row.severity)) &&
  (serverId === undefined || serverId === row.serverId) &&
  (who === undefined || isOf(who, row.payload)) &&
  (from === undefined || row.at >= from) &&
  (to === undefined || row.at < to);
