import { createId } from '@paralleldrive/cuid2';
import { type Kysely, type Selectable, sql } from 'kysely';
import {
  type EventRule,
  type EventRuleChange,
  type EventRuleObstacle,
  type GuildChannel,
  type GuildRole,
  guildObstacle,
  type NewEventRule,
} from '#contracts/discord/discord-events.ts';
import { changeRights } from '../../identity/rights-lock.ts';
import { may } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { describeUnlessRefused, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { KnownGuild } from './known-guild.ts';

interface RulesContext {
  readonly db: Kysely<Tables>;
  readonly guild: KnownGuild;
}

type Trx = Kysely<Tables>;
type Row = Selectable<Tables['discord_event_rules']>;

const fieldsOf = (row: Row): NewEventRule => ({
  isEnabled: row.is_enabled,
  channelId: row.channel_id,
  kinds: row.kinds,
  severities: row.severities,
  serverIds: row.server_ids,
  roleId: row.role_id,
});
const columnsOf = (rule: NewEventRule) => ({
  is_enabled: rule.isEnabled,
  channel_id: rule.channelId,
  kinds: [...new Set(rule.kinds)],
  severities: [...new Set(rule.severities)],
  server_ids: [...new Set(rule.serverIds)],
  role_id: rule.roleId,
});
const targetOf = (id: string): string => `discord-event-rule:${id}`;

/** A lane begins with the rule: what happened before was not asked for. It ends with its channel's last enabled rule. */
const keepLanes = async (trx: Trx): Promise<void> => {
  await sql`
    insert into discord_event_lanes (channel_id, lane, written_in, event_id)
    select distinct channel_id, lane, pg_snapshot_xmin(pg_current_snapshot()), 0
      from discord_event_rules cross join (values ('alerts'), ('rest')) as lanes (lane)
     where is_enabled
    on conflict do nothing`.execute(trx);
  await sql`
    delete from discord_event_lanes as one
     where not exists (select from discord_event_rules where channel_id = one.channel_id and is_enabled)
  `.execute(trx);
};

/** With the current permissions: the body may have come long after they were checked. */
const transact = <Result>(
  db: Kysely<Tables>,
  asking: AuditContext,
  work: (trx: Trx, by: AuditContext) => Promise<Result | Refusal>,
): Promise<Result | Refusal> =>
  changeRights(db, asking, async (trx, by) => {
    if (!may(by.actor, 'settings.write')) return refuse('FORBIDDEN');
    // Two rules of one channel share its lanes.
    await sql`lock table discord_event_rules in share row exclusive mode`.execute(trx);
    const result = await work(trx, by);
    await keepLanes(trx);
    return result;
  });
const find = (trx: Trx, id: string) =>
  trx.selectFrom('discord_event_rules').selectAll().where('id', '=', id).executeTakeFirst();

const describe = async ({ db, guild }: RulesContext, rows: readonly Row[]): Promise<EventRule[]> => {
  const lanes = await db
    .selectFrom('discord_event_lanes')
    .select(['channel_id', sql<Date | null>`max(posted_at)`.as('posted_at')])
    .select(sql<string>`sum(left_out)`.as('left_out'))
    .groupBy('channel_id')
    .execute();
  const laneOf = new Map(lanes.map((lane) => [lane.channel_id, lane]));
  const known = guild.current();
  return rows.map((row) => {
    const channel = known?.channels.find(({ id }) => id === row.channel_id);
    const role = known?.roles.find(({ id }) => id === row.role_id);
    const lane = laneOf.get(row.channel_id);
    return {
      id: row.id,
      version: row.version,
      ...fieldsOf(row),
      obstacle: guildObstacle(known) ?? channelObstacle(channel) ?? roleObstacle(row.role_id, role),
      missing: channel?.missing ?? [],
      leftOut: Number(lane?.left_out ?? 0),
      postedAt: lane?.posted_at?.toISOString() ?? null,
    };
  });
};
const describeOne = (context: RulesContext, outcome: Row | Refusal): Promise<EventRule | Refusal> =>
  describeUnlessRefused(outcome, (rows) => describe(context, rows));

export const listEventRules = async (context: RulesContext): Promise<EventRule[]> => {
  const rows = await context.db
    .selectFrom('discord_event_rules')
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return describe(context, rows);
};

export const createEventRule = async (
  context: RulesContext,
  rule: NewEventRule,
  asking: AuditContext,
): Promise<EventRule | Refusal> => {
  const row = await transact(context.db, asking, async (trx, by): Promise<Row | Refusal> => {
    if (!mayTell(by)) return refused;
    const made = await trx
      .insertInto('discord_event_rules')
      .values({ id: createId(), ...columnsOf(rule) })
      .returningAll()
      .executeTakeFirstOrThrow();
    const target = targetOf(made.id);
    await recordAudit(trx, { ...by, action: 'discord.create-rule', target, after: fieldsOf(made) });
    return made;
  });
  return describeOne(context, row);
};

export const changeEventRule = async (
  context: RulesContext,
  id: string,
  { version, ...change }: EventRuleChange,
  asking: AuditContext,
): Promise<EventRule | Refusal> => {
  const outcome = await transact(context.db, asking, async (trx, by): Promise<Row | Refusal> => {
    if (!mayTell(by)) return refused;
    const row = await find(trx, id);
    if (!row) return refuse('NOT_FOUND');
    if (row.version !== version)
      return refuse('CONFLICT', 'The rule was changed in the meantime. Read it again.');
    const before = fieldsOf(row);
    const made = await trx
      .updateTable('discord_event_rules')
      .set({ ...columnsOf({ ...before, ...defined(change) }), version: version + 1 })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const target = targetOf(id);
    await recordAudit(trx, {
      ...by,
      action: 'discord.change-rule',
      target,
      before,
      after: fieldsOf(made),
    });
    return made;
  });
  return describeOne(context, outcome);
};

export const removeEventRule = (
  db: Kysely<Tables>,
  id: string,
  asking: AuditContext,
): Promise<Refusal | null> =>
  transact(db, asking, async (trx, by) => {
    const row = await find(trx, id);
    if (!row) return refuse('NOT_FOUND');
    await trx.deleteFrom('discord_event_rules').where('id', '=', id).execute();
    const target = targetOf(id);
    await recordAudit(trx, { ...by, action: 'discord.remove-rule', target, before: fieldsOf(row) });
    return null;
  });

/** The maker of a rule must be allowed to read what it reports to a channel. */
const mayTell = ({ actor }: AuditContext): boolean => may(actor, 'events.read');
const refused = refuse('FORBIDDEN', 'Who sends events to Discord has to hold events.read.');

const defined = (change: Omit<EventRuleChange, 'version'>): Partial<NewEventRule> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

const channelObstacle = (channel: GuildChannel | undefined): EventRuleObstacle | null => {
  if (!channel) return 'channel-unknown';
  if (channel.missing.length > 0) return 'permissions-missing';
  return channel.isRefused ? 'refused' : null;
};

const roleObstacle = (id: string | null, role: GuildRole | undefined): EventRuleObstacle | null => {
  if (id === null || role?.isMentionable) return null;
  return role ? 'role-not-mentionable' : 'role-unknown';
};
