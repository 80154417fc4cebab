import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { consoleHttp } from '#contracts/servers/console.ts';
import { type GameServer, gameServersHttp } from '#contracts/servers/game-servers.ts';
import { useLive, useLiveState } from '../kit/api/live.ts';
import { readKey, useRead } from '../kit/api/queries.ts';
import { serverNowMs } from '../kit/api/server-clock.ts';
import { type ConsoleFeed, createConsoleFeed } from './console/console-feed.ts';
import { type Sender, useSending } from './console/use-sending.ts';

/** Commands of others may come fast; the history is read again at most this often. */
const rereadMs = 1000;
/** The content of the console when it is opened. */
const firstEntries = 30;
const firstLines = 200;

export interface ServerConsole {
  readonly feed: ConsoleFeed;
  readonly sender: Sender;
  /** The lines and commands from before are not all read yet. */
  readonly isReading: boolean;
}

/** The events on a server's console, for as long as its page is open, whichever tab is shown. */
export const useServerConsole = (
  { id: serverId, archivedAt }: GameServer,
  mayRead: boolean,
  isShown: boolean,
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
    // No other message reports commands that ended between the read of the history and now.
    if (message.type === 'subscribed') reread();
    // Someone has archived the server, or revoked a permission.
    if (message.type === 'ended') void client.invalidateQueries({ queryKey: readKey(gameServersHttp.read) });
    if (message.type === 'entry') {
      feed.addEntries([message.entry]);
      reread();
    }
  });
  // Requested when the console is first opened: it takes a request to an agent. Nothing is shown if no one has any lines.
  const kept = useRead(
    consoleHttp.lines,
    { params: { serverId }, query: { limit: firstLines } },
    { enabled: mayRead && isShown && !archivedAt && !feed.hasEarlier() },
  );
  const earlier = kept.isFetchedAfterMount ? kept.data?.rows : undefined;
  useEffect(() => {
    if (earlier) feed.addEarlier(earlier.toReversed());
  }, [earlier, feed]);
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
  return { feed, sender, isReading: kept.isLoading || history.isLoading };
};
