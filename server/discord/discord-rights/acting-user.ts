import type { Kysely } from 'kysely';
import type { DiscordUser } from '#contracts/discord/discord-users.ts';
import { discordUserPermissions, type Permission } from '#contracts/identity/permissions.ts';
import { storableText } from '#contracts/kernel/storable-text.ts';
import { effectivePermissionsOfAdmin, enabledAdmins } from '../../identity/admins-with-grants.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { Tables } from '../../kernel/database/tables.ts';

/** Characters. */
const longestName = 100;

/**
 * A person in Discord with their current permissions: from the admin whose account it is and from the mapped roles that
 * they hold, and never beyond what the bot may be used for.
 */
export const actFor = async (db: Kysely<Tables>, { id, name, roleIds }: DiscordUser): Promise<Actor> => {
  const admin = await enabledAdmins(db)
    .where('admins.id', 'in', (links) =>
      links.selectFrom('discord_admins').select('admin_id').where('discord_id', '=', id),
    )
    .executeTakeFirst();
  const roles =
    roleIds.length === 0
      ? []
      : await db
          .selectFrom('discord_role_rights')
          .select('permissions')
          .where('discord_role_id', 'in', roleIds)
          .execute();
  const ofAdmin = admin && effectivePermissionsOfAdmin(admin);
  const held = new Set<string>([
    ...(ofAdmin?.permissions ?? []),
    ...roles.flatMap(({ permissions }) => permissions),
  ]);
  return {
    kind: 'discord',
    id,
    name: storableText(name, longestName),
    permissions: cut(held),
    serverPermissions: new Map(
      [...(ofAdmin?.serverPermissions ?? [])].map(([serverId, granted]) => [serverId, cut(granted)]),
    ),
  };
};

const cut = (held: ReadonlySet<string>): ReadonlySet<Permission> =>
  new Set(discordUserPermissions.filter((name) => held.has(name)));
