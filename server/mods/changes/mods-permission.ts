import { type Actor, may } from '../../kernel/access/actor.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';

export const lacks = (
  actor: Actor,
  permission: 'mods.read' | 'mods.write',
  serverId: string,
): Refusal | null =>
  may(actor, permission, serverId)
    ? null
    : refuse('FORBIDDEN', `This needs the permission ${permission} for this server.`);
