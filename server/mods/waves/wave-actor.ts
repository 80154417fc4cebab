import type { Kysely, Selectable } from 'kysely';
import { effectivePermissionsOfAdmin, enabledAdmins } from '../../identity/admins-with-grants.ts';
import { desktopActor, refreshDesktop } from '../../identity/desktop-credential.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { Tables } from '../../kernel/database/tables.ts';

/**
 * The admin who began the wave, with current permissions; null when they may no longer sign in. The wave outlives their
 * session. They had stepped up when they began it.
 */
export const waveActor = async (
  db: Kysely<Tables>,
  wave: Pick<Selectable<Tables['mod_waves']>, 'actor' | 'actor_id' | 'actor_name' | 'desktop_access_id'>,
): Promise<Actor | null> => {
  const { actor_id: id, desktop_access_id: desktopAccessId } = wave;
  if (wave.actor.startsWith('desktop:')) {
    const actor = desktopActor(id);
    const renewed = await refreshDesktop(
      db,
      desktopAccessId === null ? actor : { ...actor, desktopAccessId },
    );
    return renewed && { ...renewed, steppedUp: true };
  }
  const admin = await enabledAdmins(db).where('admins.id', '=', id).executeTakeFirst();
  if (!admin) return null;
  return {
    kind: 'admin',
    id,
    name: admin.name,
    isOwner: admin.role === 'owner',
    steppedUp: true,
    ...effectivePermissionsOfAdmin(admin),
  };
};
