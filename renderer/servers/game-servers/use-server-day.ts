import { useMemo } from 'react';
import { serverFiguresHttp } from '#contracts/servers/server-figures.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useRead } from '../../kit/api/queries.ts';

/** A step has half an hour; the current one still grows. */
const rereadMs = 120_000;

/** How many players were on each server over the last 24 hours, oldest first; null is unknown. Empty until it is read. */
export const useServerDay = (): ReadonlyMap<string, readonly (number | null)[]> => {
  const enabled = useCan().somewhere('servers.read');
  const { data } = useRead(serverFiguresHttp.day, {}, { enabled, everyMs: rereadMs });
  return useMemo(() => new Map(data?.rows.map(({ serverId, players }) => [serverId, players])), [data]);
};
