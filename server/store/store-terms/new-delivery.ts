import type { GameId } from '#contracts/servers/games.ts';
import type { DeliveryLine } from '#contracts/store/store.ts';

/** A player who asks in the chat of a server. */
export interface AskingPlayer {
  readonly playerId: string;
  readonly serverId: string;
}

/** A delivery to add, of a new order or of a daily kit. */
export interface NewDelivery {
  readonly orderId: string;
  readonly orderLineId: string;
  /** The receiver. */
  readonly memberId: string;
  readonly game: GameId;
  /** Servers in any of these clusters, or any of these servers; both empty: every server of the game. */
  readonly clusterIds: readonly string[];
  readonly serverIds: readonly string[];
  /** An item line holds at most what the game gives at once. */
  readonly line: DeliveryLine;
  /** Who answers for its command. */
  readonly approval?: { readonly by: string; readonly name: string | null } | null;
  /** Its share of the payment. */
  readonly points: number;
  readonly expiresAt: Date | null;
  /** Who bought it by chat, and on which server: this player comes before the receiver's others. */
  readonly askedBy?: AskingPlayer | null;
  /** Set when the same delivery may be created again, as after a restore of the database; otherwise it gets a new one. */
  readonly id?: string;
  /** It may have been sent under this id before the database was restored: the game's record or a person decides whether to send it again. */
  readonly isRestored?: boolean;
}
