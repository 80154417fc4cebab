import type { AuditContext } from '../../kernel/access/audit-context.ts';

/** A line of a game's chat by a known player. */
export interface ChatLine {
  /** The same line has the same key however often it is reported, and no other line has it. */
  readonly key: string;
  readonly serverId: string;
  readonly playerId: string;
  /** The game identified the player by an id, and not by a name that someone else may have. */
  readonly isProven: boolean;
  readonly name: string;
  readonly text: string;
  readonly at: Date;
}

/** A line of chat as the game reported it, perhaps of an unknown player. */
export type HeardLine = Omit<ChatLine, 'playerId'> & {
  readonly playerId: string | null;
  /** It may be reported again, with another key. */
  readonly comesAgain: boolean;
};

/** A person in a game, without permissions. */
export const actingPlayer = ({ playerId, name }: Pick<ChatLine, 'playerId' | 'name'>): AuditContext => ({
  actor: { kind: 'player', id: playerId, name, permissions: new Set(), serverPermissions: new Map() },
  address: '',
});
