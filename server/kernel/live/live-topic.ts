import type { LiveTopicName, ServerMessage } from '#contracts/kernel/live.ts';
import type { LogComponent } from '#contracts/operations/component-logs.ts';

declare const encoded: unique symbol;
/** A message in its wire format, encoded once for all recipients. */
export type EncodedMessage = string & { readonly [encoded]: true };

export const encodeMessage = (message: ServerMessage): EncodedMessage =>
  JSON.stringify(message) as EncodedMessage;

export interface Subscriber {
  /** False while the client has not taken what was sent: send nothing more and ask again later. */
  isReady(): boolean;
  /** Never fails; does nothing once the client is gone. */
  send(message: EncodedMessage): void;
  /** Whether the client holds the topic's permission for this server right now: ask for each message. */
  maySee(serverId: string): boolean;
  /** Whether the client may see admins' addresses; absent means no. */
  seesAddresses?(): boolean;
}

/** What clients can subscribe to. It does not decide who may subscribe, only what `maySee` shows of it. */
export interface LiveTopic extends Disposable {
  /** Answers with `subscribed` or `ended`, then sends until disposed. */
  subscribe(
    subscriber: Subscriber,
    wish: {
      /** The client's cursor; null: from now on. */
      readonly since: string | null;
      /** For topics of one server. */
      readonly serverId: string | null;
      /** For topics of one component. */
      readonly component?: LogComponent | null;
    },
  ): Disposable;
}

export type LiveTopics = Readonly<Record<LiveTopicName, LiveTopic>>;
