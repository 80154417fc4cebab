import { type Kysely, type Selectable, sql } from 'kysely';
import {
  type DiscordRoleRights,
  discordRightsHttp,
  ownDiscordHttp,
} from '#contracts/discord/discord-rights.ts';
import { type DiscordUserPermission, discordUserPermissions } from '#contracts/identity/permissions.ts';
import { reasons } from '#contracts/kernel/reasons.ts';
import { refuseBeyond } from '../../identity/escalation.ts';
import { changeRights } from '../../identity/rights-lock.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { demandGranted, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { AdminLinks } from './admin-links.ts';

/** Whether a rule gives the role, or the store sells it or has sold it: points would buy the permissions. */
const isRoleGiven = async (db: Kysely<Tables>, roleId: string): Promise<boolean> => {
  const line = JSON.stringify([{ kind: 'role', roleId }]);
  const { rows } = await sql`
    select from discord_role_rules where role_id = ${roleId} and is_enabled and kind <> 'whitelist'
    union all
    select from discord_bought_roles where role_id = ${roleId}
    union all
    select from products join product_versions as sold on sold.product_id = products.id and sold.version = products.version
     where archived_at is null and sold.lines @> ${line}::jsonb
    limit 1`.execute(db);
  return rows.length > 0;
};

const listRoleRights = async (db: Kysely<Tables>): Promise<DiscordRoleRights[]> => {
  const rows = await db.selectFrom('discord_role_rights').selectAll().orderBy('name').execute();
  return rows.map(toRights);
};

const setRoleRights = (
  db: Kysely<Tables>,
  { discordRoleId, name, permissions }: DiscordRoleRights,
  asking: AuditContext,
): Promise<DiscordRoleRights | Refusal> =>
  changeRights(db, asking, async (trx, by) => {
    const before = await find(trx, discordRoleId);
    const wanted = discordUserPermissions.filter((one) => permissions.includes(one));
    const beyond = refuseSet(by, [...wanted, ...(before?.permissions ?? [])]);
    if (beyond) return beyond;
    if (!before && (await isRoleGiven(trx, discordRoleId)))
      return refuse('DISCORD_ROLE_UNFIT', reasons['role-is-given']);
    const row = { name, permissions: wanted };
    await trx
      .insertInto('discord_role_rights')
      .values({ discord_role_id: discordRoleId, ...row })
      .onConflict((conflict) => conflict.column('discord_role_id').doUpdateSet(row))
      .execute();
    const after = { discordRoleId, ...row };
    await recordAudit(trx, { ...by, action: 'discord.map-role', target: reference(after), before, after });
    return after;
  });

const removeRoleRights = (
  db: Kysely<Tables>,
  discordRoleId: string,
  asking: AuditContext,
): Promise<DiscordRoleRights | Refusal> =>
  changeRights(db, asking, async (trx, by) => {
    const before = await find(trx, discordRoleId);
    if (!before) return refuse('NOT_FOUND');
    const beyond = refuseSet(by, before.permissions);
    if (beyond) return beyond;
    await trx.deleteFrom('discord_role_rights').where('discord_role_id', '=', discordRoleId).execute();
    await recordAudit(trx, { ...by, action: 'discord.unmap-role', target: reference(before), before });
    return before;
  });

const find = async (trx: Kysely<Tables>, id: string): Promise<DiscordRoleRights | null> => {
  const row = await trx
    .selectFrom('discord_role_rights')
    .selectAll()
    .where('discord_role_id', '=', id)
    .executeTakeFirst();
  return row ? toRights(row) : null;
};

const refuseSet = ({ actor }: AuditContext, permissions: readonly DiscordUserPermission[]): Refusal | null =>
  refuseBeyond(actor, { permissions: new Set(permissions), serverPermissions: new Map() });

const toRights = (row: Selectable<Tables['discord_role_rights']>): DiscordRoleRights => ({
  discordRoleId: row.discord_role_id,
  name: row.name,
  permissions: discordUserPermissions.filter((one) => row.permissions.includes(one)),
});

const reference = ({ discordRoleId }: DiscordRoleRights): string => `discord-role:${discordRoleId}`;

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
