import { eventKindNames, severities } from '#contracts/event-kinds.ts';
import type { EventFilter, EventRow } from '#contracts/events.ts';
import { rangeIn } from '../../records/range.ts';
import { selectedIn } from '../../records/selected-values.ts';
import { textIn } from '../../records/text-in.ts';
import type { SearchValues } from '../../routing/use-search-state.ts';

export const eventFilterNames = ['kind', 'severity', 'server', 'from', 'to'] as const;

/** As the contract has it. */
const longestId = 100;

/** What an address asks for; what it has of other things is left out. */
export const eventFilterIn = (values: SearchValues): EventFilter => {
  const kind = selectedIn(values.kind, eventKindNames);
  const serverId = textIn(values.server, longestId);
  const severity = selectedIn(values.severity, severities);
  return {
    ...(kind.length > 0 && { kind }),
    ...(severity.length > 0 && { severity }),
    ...(serverId && { serverId }),
    ...rangeIn(values),
  };
};

/** Whether the API would have given an event; the live stream has all of them. */
export const isInFilter = (
  { kind, severity, serverId, from, to }: EventFilter,
  row: Pick<EventRow, 'kind' | 'severity' | 'serverId' | 'at'>,
): boolean =>
  (!kind || (kind as readonly string[]).includes(row.kind)) &&
  (!severity || severity.includes(row.severity)) &&
  (serverId === undefined || serverId === row.serverId) &&
  (from === undefined || row.at >= from) &&
  (to === undefined || row.at < to);
