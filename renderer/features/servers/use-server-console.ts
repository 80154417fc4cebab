import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { consoleHttp } from '#contracts/console.ts';
import { type GameServer, gameServersHttp } from '#contracts/game-servers.ts';
import { useLive, useLiveState } from '../../wire/live.ts';
import { readKey, useRead } from '../../wire/queries.ts';
import { serverNowMs } from '../../wire/server-clock.ts';
import { type ConsoleFeed, createConsoleFeed } from './console/console-feed.ts';
import { type Sender, useSending } from './console/use-sending.ts';

/** Commands of others may come fast; the history is read anew this often at most. */
const rereadMs = 1000;
/** What stands in the console when it is opened. */
const firstEntries = 30;

export interface ServerConsole {
  readonly feed: ConsoleFeed;
  readonly sender: Sender;
}

/** What happens on a server's console, for as long as its page is open, whatever part of it is shown. */
export const useServerConsole = (
  { id: serverId, archivedAt }: GameServer,
  mayRead: boolean,
): ServerConsole => {
  const [feed] = useState(() => createConsoleFeed());
  const client = useQueryClient();
  const history = useRead(
    consoleHttp.history,
    { query: { serverId, limit: firstEntries } },
    { enabled: mayRead },
  );
  const rereading = useRef<number | undefined>(undefined);
  const reread = () => {
    rereading.current ??= setTimeout(() => {
      rereading.current = undefined;
      void client.invalidateQueries({ queryKey: readKey(consoleHttp.history) });
    }, rereadMs);
  };
  useEffect(() => () => clearTimeout(rereading.current), []);

  useLive(mayRead && !archivedAt ? { topic: 'console', serverId } : null, (message) => {
    if (message.type === 'lines') feed.addLines(message.lines, message.skipped);
    // What ended between the reading of the history and now is told by nobody else.
    if (message.type === 'subscribed') reread();
    // Somebody has put the server into the archive, or taken a right away.
    if (message.type === 'ended') void client.invalidateQueries({ queryKey: readKey(gameServersHttp.read) });
    if (message.type === 'entry') {
      feed.addEntries([message.entry]);
      reread();
    }
  });
  const entries = history.data?.rows;
  useEffect(() => {
    if (entries) feed.addEntries(entries.toReversed());
  }, [entries, feed]);

  const liveState = useLiveState();
  useEffect(() => {
    if (liveState === 'away') feed.addGap(new Date(serverNowMs()).toISOString());
  }, [liveState, feed]);

  const sender = useSending({
    serverId,
    feed,
    history: entries ?? [],
    historyReadAtMs: history.isError ? 0 : history.dataUpdatedAt,
  });
  return { feed, sender };
};
