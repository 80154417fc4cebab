import { stepUpPermissions } from '#contracts/identity/permissions.ts';
import type { Actor } from '../kernel/access/actor.ts';
import { type Refusal, refuse } from '../kernel/http/refusal.ts';
import { beyond, type EffectivePermissions } from './roles/effective-permissions.ts';

/** No one grants, revokes or changes more than they hold. */
export const refuseBeyond = (actor: Actor, powers: EffectivePermissions): Refusal | null => {
  const missing = beyond(actor, powers);
  return missing.length > 0
    ? refuse('FORBIDDEN', `You do not hold this yourself: ${missing.join(', ')}.`)
    : null;
};

/** What belongs to owners, and the role itself, is for owners, whatever permissions others have been given. */
export const refuseUnlessOwner = (actor: Actor): Refusal | null =>
  actor.isOwner ? null : refuse('FORBIDDEN', 'This belongs to an owner; only an owner changes it.');

/** Someone who may grant permissions can make anyone an owner, so changes to them require a step-up. */
export const givesRights = ({ permissions }: EffectivePermissions): boolean =>
  permissions.has('admins.write');

const none: EffectivePermissions = { permissions: new Set(), serverPermissions: new Map() };

/** Whether a change gives a permission that requires a step-up, everywhere or on one server, to someone who did not have it there. */
export const givesStepUpPermission = (after: EffectivePermissions, before = none): boolean =>
  stepUpPermissions.some(
    (name) =>
      !before.permissions.has(name) &&
      (after.permissions.has(name) ||
        [...after.serverPermissions].some(
          ([serverId, granted]) =>
            granted.has(name) && before.serverPermissions.get(serverId)?.has(name) !== true,
        )),
  );
