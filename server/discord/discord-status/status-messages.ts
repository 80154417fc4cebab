import { createId } from '@paralleldrive/cuid2';
import type { Kysely, Selectable } from 'kysely';
import { type BotGuild, guildObstacle } from '#contracts/discord/discord-events.ts';
import type {
  NewStatusMessage,
  StatusMessage,
  StatusMessageChange,
  StatusObstacle,
} from '#contracts/discord/discord-status.ts';
import { changeRights } from '../../identity/rights-lock.ts';
import { may } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { describeUnlessRefused, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { RecentRefusals } from './recent-refusals.ts';
import { namesOfTargets } from './status-targets.ts';

export interface StatusContext {
  readonly db: Kysely<Tables>;
  /** Null while the bot is away. */
  readonly guild: () => BotGuild | null;
  readonly refusals: RecentRefusals;
}

export type StatusRow = Selectable<Tables['discord_status_messages']>;

const fieldsOf = (row: StatusRow): NewStatusMessage => ({
  isEnabled: row.is_enabled,
  channelId: row.channel_id,
  target: { kind: row.target_kind, id: row.target_id },
  showsNames: row.shows_names,
  joins: row.joins,
});
const columnsOf = ({ isEnabled, channelId, target, showsNames, joins }: NewStatusMessage) => ({
  is_enabled: isEnabled,
  channel_id: channelId,
  target_kind: target.kind,
  target_id: target.id,
  shows_names: showsNames,
  joins: JSON.stringify(joins),
});
const targetOf = (id: string): string => `discord-status-message:${id}`;

/** Nothing of it is in Discord. */
export const nowhere = {
  message_id: null,
  post: null,
  post_opened_at: null,
  shown_digest: null,
  shown_edited_at: null,
  shown_at: null,
} as const;

/** What is, or may be, in Discord is to be deleted there. */
export const leaveBehind = async (trx: Kysely<Tables>, row: StatusRow): Promise<void> => {
  const { channel_id, message_id, post, post_opened_at } = row;
  if (message_id === null && post === null) return;
  await trx
    .insertInto('discord_status_removals')
    .values({ id: createId(), channel_id, message_id, post, opened_at: post_opened_at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

const lock = (trx: Kysely<Tables>, id: string) =>
  trx.selectFrom('discord_status_messages').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

const describe = async (
  { db, guild, refusals }: StatusContext,
  rows: readonly StatusRow[],
): Promise<StatusMessage[]> => {
  const known = guild();
  const nameOf = await namesOfTargets(
    db,
    rows.map((row) => fieldsOf(row).target),
  );
  return rows.map((row) => {
    const fields = fieldsOf(row);
    const channel = known?.channels.find(({ id }) => id === row.channel_id);
    const obstacle = (): StatusObstacle | null => {
      if (nameOf(fields.target) === undefined) return 'target-gone';
      const ofGuild = guildObstacle(known);
      if (ofGuild !== null) return ofGuild;
      if (!channel) return 'channel-unknown';
      if (channel.missing.length > 0) return 'permissions-missing';
      return refusals.has(row.id) ? 'refused' : null;
    };
    return {
      id: row.id,
      version: row.version,
      ...fields,
      obstacle: obstacle(),
      missing: channel?.missing ?? [],
      shownAt: row.shown_at?.toISOString() ?? null,
    };
  });
};
const describeOne = (
  context: StatusContext,
  outcome: StatusRow | Refusal,
): Promise<StatusMessage | Refusal> => describeUnlessRefused(outcome, (rows) => describe(context, rows));

export const listStatusMessages = async (context: StatusContext): Promise<StatusMessage[]> => {
  const rows = await context.db
    .selectFrom('discord_status_messages')
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return describe(context, rows);
};

export const createStatusMessage = async (
  context: StatusContext,
  message: NewStatusMessage,
  asking: AuditContext,
): Promise<StatusMessage | Refusal> => {
  const outcome = await changeRights(context.db, asking, async (trx, by): Promise<StatusRow | Refusal> => {
    const refusal = refuseBeyondSight(message, by);
    if (refusal) return refusal;
    if ((await namesOfTargets(trx, [message.target]))(message.target) === undefined)
      return refuse('NOT_FOUND', 'There is no such server or cluster, or it is in the archive.');
    const made = await trx
      .insertInto('discord_status_messages')
      .values({ id: createId(), ...columnsOf(message) })
      .returningAll()
      .executeTakeFirstOrThrow();
    const target = targetOf(made.id);
    const after = fieldsOf(made);
    await recordAudit(trx, { ...by, action: 'discord.create-status-message', target, after });
    return made;
  });
  return describeOne(context, outcome);
};

export const changeStatusMessage = async (
  context: StatusContext,
  id: string,
  { version, ...change }: StatusMessageChange,
  asking: AuditContext,
): Promise<StatusMessage | Refusal> => {
  const outcome = await changeRights(context.db, asking, async (trx, by): Promise<StatusRow | Refusal> => {
    const row = await lock(trx, id);
    if (!row) return refuse('NOT_FOUND');
    const before = fieldsOf(row);
    const after = { ...before, ...defined(change) };
    const refusal = refuseBeyondSight(after, by);
    if (refusal) return refusal;
    if (row.version !== version)
      return refuse('CONFLICT', 'The message was changed in the meantime. Read it again.');
    const isElsewhere = !after.isEnabled || after.channelId !== before.channelId;
    if (isElsewhere) await leaveBehind(trx, row);
    const made = await trx
      .updateTable('discord_status_messages')
      .set({ ...columnsOf(after), ...(isElsewhere && nowhere), version: version + 1 })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const target = targetOf(id);
    await recordAudit(trx, { ...by, action: 'discord.change-status-message', target, before, after });
    return made;
  });
  if (!('refused' in outcome)) context.refusals.clear(id);
  return describeOne(context, outcome);
};

export const removeStatusMessage = (
  db: Kysely<Tables>,
  id: string,
  asking: AuditContext,
): Promise<Refusal | null> =>
  changeRights(db, asking, async (trx, by) => {
    if (!may(by.actor, 'settings.write')) return refuse('FORBIDDEN');
    const row = await lock(trx, id);
    if (!row) return refuse('NOT_FOUND');
    await leaveBehind(trx, row);
    await trx.deleteFrom('discord_status_messages').where('id', '=', id).execute();
    const target = targetOf(id);
    const before = fieldsOf(row);
    await recordAudit(trx, { ...by, action: 'discord.remove-status-message', target, before });
    return null;
  });

/** The maker of a message must be allowed to see what it shows to a channel; checked with the current permissions. */
const refuseBeyondSight = ({ showsNames }: NewStatusMessage, { actor }: AuditContext): Refusal | null => {
  if (!may(actor, 'settings.write')) return refuse('FORBIDDEN');
  if (!may(actor, 'servers.read'))
    return refuse('FORBIDDEN', 'To show servers in Discord, you must hold servers.read for all of them.');
  if (showsNames && !may(actor, 'players.read'))
    return refuse('FORBIDDEN', 'To show players in Discord, you must hold players.read for all servers.');
  return null;
};

const defined = (change: Omit<StatusMessageChange, 'version'>): Partial<NewStatusMessage> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
