import { once } from 'node:events';
import { WebSocket } from 'ws';
import { ticketsHttp } from '#contracts/identity/tickets.ts';
import { type ClientMessage, livePath, type ServerMessage, serverMessage } from '#contracts/kernel/live.ts';
import type { EventRow } from '#contracts/operations/event-row.ts';
import { eventually } from '#harness/eventually.ts';
import { call } from './call.ts';

type MessageOf<Type extends ServerMessage['type']> = Extract<ServerMessage, { type: Type }>;

export interface LiveClient extends Disposable {
  readonly socket: WebSocket;
  readonly messages: readonly ServerMessage[];
  send(message: ClientMessage): void;
  /** Waits for a message of this type; consumes it and everything before it. */
  next<Type extends ServerMessage['type']>(type: Type): Promise<MessageOf<Type>>;
  /** All events received so far. */
  events(): readonly EventRow[];
  /** The cursor to resume from. */
  cursor(): string;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

/** Gets a ticket for the holder of this bearer token. */
export const ticketOf = async (port: number, as: string): Promise<string> =>
  String((await call(port, ticketsHttp.issue, { as })).json.ticket);

export const liveUrl = (port: number, ticket: string): string =>
  `ws://127.0.0.1:${port}${livePath}?ticket=${ticket}`;

export const openLiveClient = async (port: number, as: string): Promise<LiveClient> => {
  const socket = new WebSocket(liveUrl(port, await ticketOf(port, as)), { perMessageDeflate: false });
  const messages: ServerMessage[] = [];
  let taken = 0;
  socket.on('message', (data) => messages.push(serverMessage.parse(JSON.parse(String(data)))));
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  await once(socket, 'open');
  // Some tests cut the connection on purpose; `closed` reports it.
  socket.on('error', () => socket.terminate());
  return {
    socket,
    messages,
    send: (message) => socket.send(JSON.stringify(message)),
    next: (type) =>
      eventually(() => {
        const index = messages.findIndex((message, place) => place >= taken && message.type === type);
        if (index < 0) throw new Error(`no ${type}, but ${JSON.stringify(messages.slice(taken))}`);
        taken = index + 1;
        return messages[index] as MessageOf<typeof type>;
      }),
    events: () => messages.flatMap((message) => (message.type === 'events' ? message.events : [])),
    cursor() {
      const last = messages.findLast(
        (message) =>
          message.type === 'events' || (message.type === 'subscribed' && message.topic === 'events'),
      );
      if (last?.type !== 'events' && last?.type !== 'subscribed') throw new Error('not subscribed to events');
      return last.cursor ?? '';
    },
    closed,
    [Symbol.dispose]: () => socket.terminate(),
  };
};
