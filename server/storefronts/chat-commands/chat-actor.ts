import type { AuditContext } from '../../kernel/access/audit-context.ts';
import type { ChatLine } from './chat-commands.ts';

/** A person in a game, without permissions. */
export const actingPlayer = ({ playerId, name }: Pick<ChatLine, 'playerId' | 'name'>): AuditContext => ({
  actor: { kind: 'player', id: playerId, name, permissions: new Set(), serverPermissions: new Map() },
  address: '',
});
