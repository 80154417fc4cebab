import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type ConsoleEntry, consoleHttp } from '#contracts/servers/console.ts';
import { useMe } from '../../kit/access/access-state.ts';
import { ApiAway } from '../../kit/api/api-problem.ts';
import { callOnce } from '../../kit/api/call.ts';
import { readKey } from '../../kit/api/queries.ts';
import type { ConsoleFeed } from './console-feed.ts';
import { type Sending, type SentCommand, settle } from './sending.ts';
import { moveSending, useSendingTo } from './sending-store.ts';

export interface Sender {
  /** Null before the first. */
  readonly sending: Sending | null;
  /** To all of them at the same time; does nothing while the previous one has not been accepted. */
  send(command: string, serverIds: readonly string[]): void;
}

/** Sends commands; the typed text stays until its command is in the history. */
export const useSending = ({
  serverId,
  feed,
  history,
  historyReadAtMs,
}: {
  readonly serverId: string;
  readonly feed: ConsoleFeed;
  /** The newest page of the server's history. */
  readonly history: readonly ConsoleEntry[];
  /** When it was read, milliseconds since 1970. */
  readonly historyReadAtMs: number;
}): Sender => {
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
