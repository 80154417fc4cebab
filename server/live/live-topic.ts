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
}

/** What clients can subscribe to. Who may is not its business. */
export interface LiveTopic extends Disposable {
  /** Answers with `subscribed`, then sends until disposed. */
  subscribe(subscriber: Subscriber, since: string | null): Disposable;
}

export type LiveTopics = Readonly<Record<LiveTopicName, LiveTopic>>;
