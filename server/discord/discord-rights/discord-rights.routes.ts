import type { Kysely } from 'kysely';
import { discordRightsHttp, ownDiscordHttp } from '#contracts/discord/discord-rights.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { demandGranted } from '../../kernel/http/refusal.ts';
import type { AdminLinks } from './admin-links.ts';
import { listRoleRights, removeRoleRights, setRoleRights } from './role-rights.ts';

export const bindDiscordRightsRoutes = (
  routes: ApiRoutes,
  {
    db,
    adminLinks,
    guildRoles,
    onChange,
  }: {
    readonly db: Kysely<Tables>;
    readonly adminLinks: AdminLinks;
    /** The roles of the Discord server; null: Discord could not be asked. */
    readonly guildRoles: () => Promise<{ id: string; name: string }[] | null>;
    /** Roles give other permissions than before. */
    readonly onChange: () => void;
  },
): void => {
  routes.on(discordRightsHttp.list, async () => {
    const [rows, roles] = await Promise.all([listRoleRights(db), guildRoles()]);
    return { rows, roles };
  });
  routes.on(discordRightsHttp.set, ({ params, body }, by) =>
    setRoleRights(db, { discordRoleId: params.id, ...body }, by).finally(onChange),
  );
  routes.on(discordRightsHttp.remove, async ({ params }, by) => {
    demandGranted(await removeRoleRights(db, params.id, by).finally(onChange));
    return {};
  });
  routes.on(ownDiscordHttp.read, async (_input, { actor }) => ({
    linked: await adminLinks.ofAdmin(actor.id),
  }));
  routes.on(ownDiscordHttp.code, (_input, by) => adminLinks.issueCode(by));
  routes.on(ownDiscordHttp.unlink, async (_input, by) => {
    await adminLinks.unlink({ adminId: by.actor.id }, by);
    return {};
  });
};
