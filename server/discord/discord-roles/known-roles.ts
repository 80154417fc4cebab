import { type Kysely, sql } from 'kysely';
import type { BotRoles, GivableRole, RoleObstacle } from '#contracts/discord/discord-roles.ts';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { Tables } from '../../kernel/database/tables.ts';

/** The roles of the Discord server as the bot last reported them. */
export interface KnownRoles {
  report(roles: BotRoles): void;
  /** The bot is working there. @returns whether its roles are known */
  hear(guildId: string): boolean;
  /** Including those that give permissions here. */
  read(db: Kysely<Tables>): Promise<RolesNow>;
  /** Why these roles are never given, in words; temporary reasons are left out. */
  faults(db: Kysely<Tables>, roleIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export interface RolesNow {
  /** Null while the bot is away. */
  readonly guildId: string | null;
  /** Whether all its members are known. */
  readonly isListed: boolean;
  readonly roles: readonly GivableRole[] | null;
  /** Why the role is not given. */
  obstacleOf(roleId: string): RoleObstacle | null;
  /** Why it is unknown who has the role, or why the role does not distinguish people. */
  followObstacleOf(roleId: string): RoleObstacle | null;
  nameOf(roleId: string): string | null;
}

/** The bot asks for changes every two seconds, and reports about itself every ten while it waits for Discord or the API. */
const awayAfterMs = 25_000;

const hidesHolders: ReadonlySet<RoleObstacle> = new Set([
  'role-bot-away',
  'role-guild-unavailable',
  'role-members-unlisted',
  'role-unknown',
  'role-everyone',
]);

/** Temporary obstacles, which say nothing against the role. */
export const passingObstacles: ReadonlySet<RoleObstacle> = new Set([
  'role-bot-away',
  'role-guild-unavailable',
  'role-members-unlisted',
]);

/** Until all members have been listed once, no one can tell who is there. */
const isGuildListed = async (db: Kysely<Tables>, guildId: string): Promise<boolean> => {
  const { rows } = await sql`
    select from discord_guild_reports where guild_id = ${guildId} and listed_at is not null`.execute(db);
  return rows.length > 0;
};

/** @param isGuildUnavailable whether the bot reports that Discord has trouble with the Discord server */
export const createKnownRoles = (isGuildUnavailable: () => boolean): KnownRoles => {
  let told: BotRoles | null = null;
  let heardMs = Number.NEGATIVE_INFINITY;
  const read = async (db: Kysely<Tables>): Promise<RolesNow> => {
    const withRights = new Set(
      (await db.selectFrom('discord_role_rights').select('discord_role_id').execute()).map(
        ({ discord_role_id }) => discord_role_id,
      ),
    );
    const current = performance.now() - heardMs < awayAfterMs ? told : null;
    const rightsFault = (id: string) => (withRights.has(id) ? 'role-has-rights' : null);
    const roles = current?.roles.map((role) => ({
      ...role,
      obstacle: role.obstacle ?? rightsFault(role.id),
    }));
    const isListed = current !== null && (await isGuildListed(db, current.guildId));
    const byId = new Map(roles?.map((role) => [role.id, role]));
    const obstacleOf = (roleId: string): RoleObstacle | null => {
      if (isGuildUnavailable()) return 'role-guild-unavailable';
      if (!roles) return 'role-bot-away';
      const role = byId.get(roleId);
      if (!role) return 'role-unknown';
      return role.obstacle ?? (isListed ? null : 'role-members-unlisted');
    };
    return {
      guildId: current?.guildId ?? null,
      isListed,
      roles: roles ?? null,
      obstacleOf,
      followObstacleOf(roleId) {
        const obstacle = obstacleOf(roleId);
        return obstacle !== null && hidesHolders.has(obstacle) ? obstacle : null;
      },
      nameOf: (roleId) => byId.get(roleId)?.name ?? null,
    };
  };
  return {
    report(roles) {
      told = roles;
      heardMs = performance.now();
    },
    hear(guildId) {
      if (told?.guildId !== guildId) return false;
      heardMs = performance.now();
      return true;
    },
    read,
    async faults(db, roleIds) {
      const now = await read(db);
      return new Map(
        roleIds.flatMap((roleId) => {
          const obstacle = now.obstacleOf(roleId);
          return obstacle === null || passingObstacles.has(obstacle) ? [] : [[roleId, reasons[obstacle]]];
        }),
      );
    },
  };
};
