import type { GameId } from '#contracts/games.ts';
import type { DeliveryLine } from '#contracts/store.ts';

/** A delivery that an order adds. */
export interface NewDelivery {
  readonly orderId: string;
  readonly orderLineId: string;
  /** The receiver. */
  readonly memberId: string;
  readonly game: GameId;
  /** Both empty: every server of the game. */
  readonly clusterIds: readonly string[];
  readonly serverIds: readonly string[];
  /** An item line holds at most what the game gives at once. */
  readonly line: DeliveryLine;
  /** Its share of the payment. */
  readonly points: number;
  readonly expiresAt: Date | null;
  /** Set when it is created again after a restore of the database; otherwise it gets a new one. */
  readonly id?: string;
  /** It may have been sent under this id before the database was restored: the game or a person decides. */
  readonly isRestored?: boolean;
}
