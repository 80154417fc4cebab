import type { LogComponent } from '#contracts/component-logs.ts';
import type { LiveTopicName, ServerMessage } from '#contracts/live.ts';

declare const encoded: unique symbol;
/** A message as it goes over the wire: made once, however many take it. */
export type EncodedMessage = string & { readonly [encoded]: true };

export const encodeMessage = (message: ServerMessage): EncodedMessage =>
  JSON.stringify(message) as EncodedMessage;

/** A client that has subscribed to a topic. */
export interface Subscriber {
  /** False while the client has not taken what was sent: send it nothing more, and ask again later. */
  isReady(): boolean;
  /** Never fails; goes nowhere once the client is gone. */
  send(message: EncodedMessage): void;
  /** Whether the client holds the topic's permission for this server at this moment: ask for each message. */
  maySee(serverId: string): boolean;
  /** Whether where admins come from may be told; not unless it says so. */
  seesAddresses?(): boolean;
}

/** What a client asks for. */
export interface Wish {
  /** The cursor that it has; null: from now on. */
  readonly since: string | null;
  /** On topics of one server. */
  readonly serverId: string | null;
  /** On topics of one component. */
  readonly component?: LogComponent | null;
}

/** What clients can subscribe to. Who may is not its business, but what of it `maySee` tells. */
export interface LiveTopic extends Disposable {
  /** Answers with `subscribed`, or with `ended`, then sends until disposed. */
  subscribe(subscriber: Subscriber, wish: Wish): Disposable;
}

export type LiveTopics = Readonly<Record<LiveTopicName, LiveTopic>>;
