import type { ReactNode } from 'react';
import type { Player } from '#contracts/people/players.ts';

type EntryGroup = 'recent' | 'waiting' | 'pages' | 'servers' | 'acts' | 'players';

/** The facts about a player that an act needs. */
export type ChosenPlayer = Pick<Player, 'id' | 'name' | 'game' | 'onlineOn'>;

/** What an act asks for before it does anything. */
export type NextStep =
  | { readonly of: 'servers'; readonly entries: readonly Entry[] }
  | {
      readonly of: 'players';
      /** Players for whom the act exists. */
      readonly isFor: (player: ChosenPlayer) => boolean;
      /** Shown in place of the palette; calls `onClose` when it is over. */
      readonly show: (player: ChosenPlayer, onClose: () => void) => ReactNode;
    };

interface EntryBase {
  /** Never changes: it identifies the recently used ones. */
  readonly id: string;
  readonly group: EntryGroup;
  readonly label: string;
  /** Distinguishes it from others with the same name. */
  readonly hint?: string;
  /** Further search words besides its label, such as its name in the other language. */
  readonly also?: readonly string[];
  readonly icon: ReactNode;
  /** An act on one of many things: it is found only by typing, while the act that asks for the thing is in the list. */
  readonly isDirect?: boolean;
}

/** A place that the palette leads to, or an action. */
export type Entry = EntryBase & ({ readonly run: () => void } | { readonly next: NextStep });
