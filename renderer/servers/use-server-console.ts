import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type ConsoleEntry, consoleHttp } from '#contracts/servers/console.ts';
import { type GameServer, gameServersHttp } from '#contracts/servers/game-servers.ts';
import { useMe } from '../kit/access/access-state.ts';
import { ApiAway } from '../kit/api/api-problem.ts';
import { callOnce } from '../kit/api/call.ts';
import { useLive, useLiveState } from '../kit/api/live.ts';
import { readKey, useRead } from '../kit/api/queries.ts';
import { serverNowMs } from '../kit/api/server-clock.ts';
import { type ConsoleFeed, createConsoleFeed } from './console/console-feed.ts';
import { type Sending, type SentCommand, settle } from './console/sending.ts';
import { moveSending, useSendingTo } from './console/sending-store.ts';

interface Sender {
  /** Null before the first. */
  readonly sending: Sending | null;
  /** To all of them at the same time; does nothing while the previous one has not been accepted. */
  send(command: string, serverIds: readonly string[]): void;
}

/** Sends commands; the typed text stays until its command is in the history. */
const useSending = (options: {
  readonly serverId: string;
  readonly feed: ConsoleFeed;
  /** The newest page of the server's history. */
  readonly history: readonly ConsoleEntry[];
  /** When it was read, milliseconds since 1970. */
  readonly historyReadAtMs: number;
}): Sender => {
  const { serverId, feed, history, historyReadAtMs } = options;
  const { kind, id } = useMe();
  const client = useQueryClient();
  const mine = useSendingTo(serverId);
  // A command of a different person does not concern this one.
  const sending = mine?.sent.by.id === id ? mine : null;

  useEffect(
    () => moveSending(serverId, (now) => now && settle(now, history, historyReadAtMs)),
    [serverId, history, historyReadAtMs],
  );

  /** Reported live, long before the game has replied. */
  useEffect(() => {
    if (sending?.state !== 'asking') return;
    return feed.subscribe(() => {
      const entries = feed.snapshot().items.flatMap((item) => (item.kind === 'entry' ? [item.entry] : []));
      moveSending(serverId, (now) => now && settle(now, entries, 0));
    });
  }, [serverId, feed, sending?.state]);

  const send = async (command: string, serverIds: readonly string[]) => {
    const known = new Set(
      feed.snapshot().items.flatMap((item) => (item.kind === 'entry' ? [item.entry.id] : [])),
    );
    const wasKnown = (entryId: string) => known.has(entryId) || history.some((one) => one.id === entryId);
    const sent: SentCommand = { command, serverIds, by: { kind, id }, wasKnown, sentAtMs: Date.now() };
    const move = (next: Sending) => moveSending(serverId, (now) => (now?.sent === sent ? next : now));
    moveSending(serverId, () => ({ state: 'asking', sent }));
    try {
      const { entries } = await callOnce(consoleHttp.run, { body: { serverIds: [...serverIds], command } });
      feed.addEntries(entries);
      move({ state: 'taken', sent });
    } catch (error) {
      if (!(error instanceof ApiAway)) return move({ state: 'refused', sent, error: error as Error });
      moveSending(serverId, (now) =>
        now?.sent === sent && now.state === 'asking'
          ? { state: 'unsure', sent: { ...sent, sentAtMs: Date.now() } }
          : now,
      );
      void client.invalidateQueries({ queryKey: readKey(consoleHttp.history) });
    }
  };

  return {
    sending,
    send(command, serverIds) {
      if (sending?.state === 'asking' || sending?.state === 'unsure') return;
      void send(command, serverIds);
    },
  };
};

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
