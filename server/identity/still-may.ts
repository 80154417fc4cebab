import type { Kysely } from 'kysely';
import type { Permission } from '#contracts/identity/permissions.ts';
import { type Actor, actorReference, adminIdIn, may } from '../kernel/access/actor.ts';
import type { Tables } from '../kernel/database/tables.ts';
import { effectivePermissionsOfAdmin, enabledAdmins } from './admins-with-grants.ts';
import { findDesktopAccess } from './desktop-credential.ts';

const ofKeptDesktop = 'desktop-access:';

/** Whose right something lives by: as the audit log names the actor, but a desktop by the credential that it keeps. */
export const makerReference = (actor: Actor): string =>
  actor.desktopAccessId === undefined ? actorReference(actor) : `${ofKeptDesktop}${actor.desktopAccessId}`;

/**
 * Whether a person who began something may still do it on this server.
 * @param maker from `makerReference`
 */
export const stillMay = async (
  db: Kysely<Tables>,
  maker: string,
  permission: Permission,
  serverId: string,
): Promise<boolean> => {
  if (maker.startsWith(ofKeptDesktop))
    return (await findDesktopAccess(db, maker.slice(ofKeptDesktop.length))) !== undefined;
  const adminId = adminIdIn(maker);
  // The owner of the machine, who has all rights there.
  if (adminId === undefined) return maker.startsWith('desktop:');
  const admin = await enabledAdmins(db).where('admins.id', '=', adminId).executeTakeFirst();
  return admin !== undefined && may(effectivePermissionsOfAdmin(admin), permission, serverId);
};
