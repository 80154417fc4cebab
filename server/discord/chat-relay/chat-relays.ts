import { createId } from '@paralleldrive/cuid2';
import { type Kysely, sql } from 'kysely';
import type { ChatRelay, ChatRelayDraft } from '#contracts/discord/discord-chat.ts';
import type { BotGuild } from '#contracts/discord/discord-events.ts';
import { changeRights } from '../../identity/rights-lock.ts';
import { may } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { refuseTaken } from '../../kernel/database/unique-violation.ts';
import { isRefusal, type Refusal, refuse, refuseTakenValue } from '../../kernel/http/refusal.ts';
import { describeRelay, draftOf, type RelayRow, type RelayServer } from './describe-relay.ts';
import type { KnownChannels } from './known-channels.ts';

type ChatDirection = 'to_discord' | 'to_game';

export interface ChatRelays {
  list(): Promise<ChatRelay[]>;
  create(draft: ChatRelayDraft, by: AuditContext): Promise<ChatRelay | Refusal>;
  change(
    id: string,
    change: ChatRelayDraft & { readonly version: number },
    by: AuditContext,
  ): Promise<ChatRelay | Refusal>;
  remove(id: string, by: AuditContext): Promise<Refusal | null>;
  /** The relays that are switched on and whose server is in use; at most a few moments old. */
  current(): Promise<readonly RelayRow[]>;
  /** The copy in memory is outdated. */
  reread(): void;
  /** A line was sent, or lines were left out. */
  count(
    direction: ChatDirection,
    relay: { readonly channelId: string; readonly serverId: string },
    leftOut: number,
  ): Promise<void>;
}

type Trx = Kysely<Tables>;

/** How long the relays in use are kept in memory; changes by this API count immediately. */
const keptMs = 3000;

const columnsOf = (draft: ChatRelayDraft) => ({
  is_enabled: draft.isEnabled,
  server_id: draft.serverId,
  channel_id: draft.channelId,
  to_discord: draft.toDiscord,
  to_game: draft.toGame,
  from_servers: draft.fromServers && draft.toGame,
});
/** The current transaction. */
const now = sql<string>`pg_current_xact_id()`;

/** Whether lines go to a channel that did not go there before. */
const isBegun = (before: ChatRelayDraft, after: ChatRelayDraft): boolean =>
  after.isEnabled &&
  after.toDiscord &&
  !(
    before.isEnabled &&
    before.toDiscord &&
    before.serverId === after.serverId &&
    before.channelId === after.channelId
  );

const targetOf = (id: string): string => `discord-chat-relay:${id}`;

/** What was said while no relay led to a channel was not meant for it. What is in a post at that time is not kept. */
const keepLanes = async (trx: Trx): Promise<void> => {
  await sql`
    insert into discord_chat_lanes (channel_id, written_in, event_id)
    select distinct channel_id, pg_snapshot_xmin(pg_current_snapshot()), 0 from discord_chat_relays
    on conflict do nothing`.execute(trx);
  await sql`
    update discord_chat_lanes as lane
       set is_active = wanted.is_active,
           written_in = case when wanted.is_active then pg_snapshot_xmin(pg_current_snapshot()) else written_in end,
           event_id = case when wanted.is_active then 0 else event_id end,
           post_content = case when wanted.is_active or post is null then post_content
                               else '{"speaker":null,"lines":[]}'::jsonb end
      from (select channel_id, exists (
              select from discord_chat_relays as relay
               where relay.channel_id = known.channel_id and is_enabled and to_discord) as is_active
              from discord_chat_lanes as known) as wanted
     where wanted.channel_id = lane.channel_id and wanted.is_active <> lane.is_active`.execute(trx);
};

export const createChatRelays = (options: {
  readonly db: Kysely<Tables>;
  /** Null while the bot is away. */
  readonly guild: () => BotGuild | null;
  /** Null: not in use. */
  readonly server: (id: string) => RelayServer | null;
  readonly channels: KnownChannels;
}): ChatRelays => {
  const { db, server, channels } = options;
  /** The reading itself, so that one that began before a change is not kept after it. */
  let kept: { readonly rows: Promise<readonly RelayRow[]>; readonly atMs: number } | null = null;

  /** With the current permissions: the body may have come long after they were checked. */
  const transact = async <Result>(
    asking: AuditContext,
    work: (trx: Trx, by: AuditContext) => Promise<Result | Refusal>,
  ): Promise<Result | Refusal> => {
    try {
      return await changeRights(db, asking, async (trx, by) => {
        if (!may(by.actor, 'settings.write')) return refuse('FORBIDDEN');
        // Relays of one channel share its lane.
        await sql`lock table discord_chat_relays in share row exclusive mode`.execute(trx);
        const result = await work(trx, by);
        await keepLanes(trx);
        return result;
      });
    } finally {
      kept = null;
    }
  };
  const find = (trx: Trx, id: string) =>
    trx.selectFrom('discord_chat_relays').selectAll().where('id', '=', id).executeTakeFirst();
  const refusalOf = (draft: ChatRelayDraft, { actor }: AuditContext): Refusal | null => {
    if (draft.toDiscord && !may(actor, 'events.read'))
      return refuse('FORBIDDEN', 'Who sends chat to Discord has to hold events.read.');
    if (draft.toGame && !may(actor, 'players.write', draft.serverId))
      return refuse(
        'FORBIDDEN',
        'Who lets people in Discord speak in a game has to hold players.write there.',
      );
    return server(draft.serverId) ? null : refuse('NOT_FOUND', 'There is no such game server in use.');
  };
  /** A pair of server and channel has one relay. */
  const unlessDouble = (work: Promise<RelayRow | Refusal>): Promise<RelayRow | Refusal> =>
    refuseTaken(
      work,
      'discord_chat_relays_channel_id_server_id_key',
      refuseTakenValue(
        'CONFLICT',
        'body.channelId',
        'There is a relay between this server and this channel already.',
      ),
    );

  const describe = (row: RelayRow): ChatRelay =>
    describeRelay(row, server(row.server_id), channels.read(), options.guild()?.isUnavailable === true);
  const describeOne = (outcome: RelayRow | Refusal): ChatRelay | Refusal =>
    isRefusal(outcome) ? outcome : describe(outcome);

  return {
    async list() {
      const rows = await db
        .selectFrom('discord_chat_relays')
        .selectAll()
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(describe);
    },
    async create(draft, asking) {
      const made = await unlessDouble(
        transact(asking, async (trx, by): Promise<RelayRow | Refusal> => {
          const refused = refusalOf(draft, by);
          if (refused) return refused;
          const row = await trx
            .insertInto('discord_chat_relays')
            .values({ id: createId(), ...columnsOf(draft), starts_in: now })
            .returningAll()
            .executeTakeFirstOrThrow();
          const target = targetOf(row.id);
          await recordAudit(trx, { ...by, action: 'discord.create-relay', target, after: draftOf(row) });
          return row;
        }),
      );
      return describeOne(made);
    },
    async change(id, { version, ...draft }, asking) {
      const outcome = await unlessDouble(
        transact(asking, async (trx, by): Promise<RelayRow | Refusal> => {
          const row = await find(trx, id);
          if (!row) return refuse('NOT_FOUND');
          const refused = refusalOf(draft, by);
          if (refused) return refused;
          if (row.version !== version)
            return refuse('CONFLICT', 'The relay was changed in the meantime. Read it again.');
          const made = await trx
            .updateTable('discord_chat_relays')
            .set({
              ...columnsOf(draft),
              version: version + 1,
              ...(isBegun(draftOf(row), draft) && { starts_in: now }),
            })
            .where('id', '=', id)
            .returningAll()
            .executeTakeFirstOrThrow();
          const [before, after] = [draftOf(row), draftOf(made)];
          await recordAudit(trx, {
            ...by,
            action: 'discord.change-relay',
            target: targetOf(id),
            before,
            after,
          });
          return made;
        }),
      );
      return describeOne(outcome);
    },
    remove: (id, asking) =>
      transact(asking, async (trx, by) => {
        const row = await find(trx, id);
        if (!row) return refuse('NOT_FOUND');
        await trx.deleteFrom('discord_chat_relays').where('id', '=', id).execute();
        const before = draftOf(row);
        await recordAudit(trx, { ...by, action: 'discord.remove-relay', target: targetOf(id), before });
        return null;
      }),
    async current() {
      if (!kept || performance.now() - kept.atMs > keptMs) {
        const rows = db
          .selectFrom('discord_chat_relays')
          .selectAll()
          .where('is_enabled', '=', true)
          .execute();
        const reading = { rows, atMs: performance.now() };
        kept = reading;
        rows.catch(() => {
          if (kept === reading) kept = null;
        });
      }
      return (await kept.rows).filter(({ server_id }) => server(server_id));
    },
    reread() {
      kept = null;
    },
    async count(direction, { channelId, serverId }, leftOut) {
      const column = sql.ref(`${direction}_left_out`);
      await sql`
        update discord_chat_relays
           set ${leftOut > 0 ? sql`${column} = ${column} + ${leftOut}` : sql`${sql.ref(`${direction}_at`)} = now()`}
         where channel_id = ${channelId} and server_id = ${serverId}`.execute(db);
    },
  };
};
