import type { ShopFacts } from '../../kernel/database/stored-values.ts';

export interface ShopEvent {
  readonly eventId: string;
  /** The shop's name for it, for people. */
  readonly type: string;
  /** Ids of the order, its payment and its charge: events that share one belong to one order. */
  readonly refs: readonly string[];
  readonly facts: ShopFacts;
}
