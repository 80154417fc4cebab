import { randomBytes } from 'node:crypto';
import { createId } from '@paralleldrive/cuid2';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { BotGuild } from '#contracts/discord/discord-events.ts';
import type {
  KeptMessage,
  RemovedMessage,
  StatusBoard,
  StatusOutcome,
} from '#contracts/discord/discord-status.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { RecentRefusals } from './recent-refusals.ts';
import type { BoardWish } from './status-board.ts';
import { leaveBehind, nowhere, type StatusRow } from './status-messages.ts';
import { namesOfTargets } from './status-targets.ts';

/** What the bot keeps in Discord's channels. */
export interface KeptMessages {
  /** Messages in channels of the guild that the bot can post into. */
  take(guild: BotGuild): Promise<{ readonly messages: KeptMessage[]; readonly removed: RemovedMessage[] }>;
  settle(id: string, outcome: StatusOutcome): Promise<void>;
  settleRemoved(id: string): Promise<void>;
}

/** What could not be deleted for this long, in a channel that is gone or hidden from the bot, is given up. */
const removalDays = 7;

export const createKeptMessages = ({
  db,
  board,
  refusals,
}: {
  readonly db: Kysely<Tables>;
  readonly board: (wish: BoardWish) => StatusBoard | null;
  readonly refusals: RecentRefusals;
}): KeptMessages => {
  const ofMessage = (id: string) => db.updateTable('discord_status_messages').where('id', '=', id);

  /** The post is in the database before anyone receives it. */
  const open = (row: StatusRow) =>
    ofMessage(row.id)
      .set({ post: randomBytes(9).toString('base64url'), post_opened_at: new Date() })
      .where('is_enabled', '=', true)
      .where('channel_id', '=', row.channel_id)
      .where('message_id', 'is', null)
      .where('post', 'is', null)
      .returningAll()
      .executeTakeFirst();

  /** Its server or cluster is archived: what its message says would stay forever. */
  const abandon = (id: string) =>
    db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom('discord_status_messages')
        .selectAll()
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst();
      if (!row) return;
      await leaveBehind(trx, row);
      await trx.updateTable('discord_status_messages').set(nowhere).where('id', '=', id).execute();
    });

  const hand = async (row: StatusRow, title: string): Promise<KeptMessage | null> => {
    const target = { kind: row.target_kind, id: row.target_id };
    const shownBoard = board({ target, title, showsNames: row.shows_names, joins: row.joins });
    const isNew = row.message_id === null && row.post === null;
    if (isNew && !shownBoard) return null;
    const held = isNew ? await open(row) : row;
    if (!held) return null;
    return {
      id: held.id,
      channelId: held.channel_id,
      messageId: held.message_id,
      post:
        held.post === null || held.post_opened_at === null
          ? null
          : { id: held.post, openedAt: held.post_opened_at.toISOString(), isRepeat: !isNew },
      shown:
        held.shown_digest === null ? null : { digest: held.shown_digest, editedAt: held.shown_edited_at },
      board: shownBoard,
    };
  };

  return {
    async take({ channels }) {
      const here = channels.map(({ id }) => id);
      const postable = new Set(channels.filter(({ missing }) => missing.length === 0).map(({ id }) => id));
      const rows = await db
        .selectFrom('discord_status_messages')
        .selectAll()
        .where('is_enabled', '=', true)
        .orderBy('created_at')
        .execute();
      const nameOf = await namesOfTargets(
        db,
        rows.map((row) => ({ kind: row.target_kind, id: row.target_id })),
      );
      const messages: KeptMessage[] = [];
      for (const row of rows) {
        const title = nameOf({ kind: row.target_kind, id: row.target_id });
        if (title === undefined) {
          if (row.message_id !== null || row.post !== null) await abandon(row.id);
          continue;
        }
        const kept = postable.has(row.channel_id) ? await hand(row, title) : null;
        if (kept) messages.push(kept);
      }
      const removals = await db.selectFrom('discord_status_removals').selectAll().execute();
      if (removals.length > 0)
        await db
          .deleteFrom('discord_status_removals')
          .where('created_at', '<', sql<Date>`castellan_proven_now() - make_interval(days => ${removalDays})`)
          .execute();
      return { messages, removed: removals.filter((row) => here.includes(row.channel_id)).map(toRemoved) };
    },

    async settle(id, outcome) {
      if (outcome.outcome === 'refused') refusals.note(id);
      else refusals.clear(id);
      switch (outcome.outcome) {
        case 'posted':
          return settlePosted(db, id, outcome);
        case 'edited':
          await ofMessage(id)
            .set(columnsOf(outcome.shown))
            .where('message_id', '=', outcome.messageId)
            .execute();
          return;
        case 'gone':
          await ofMessage(id)
            .set(nowhere)
            .where((where) =>
              where.or([where('message_id', '=', outcome.messageId), where('post', '=', outcome.post)]),
            )
            .execute();
          return;
        case 'frozen':
          await db.transaction().execute(async (trx) => {
            const row = await trx
              .updateTable('discord_status_messages')
              .set(nowhere)
              .where('id', '=', id)
              .where('message_id', '=', outcome.messageId)
              .returning('channel_id')
              .executeTakeFirst();
            if (row) await removeLater(trx, row.channel_id, outcome.messageId);
          });
      }
    },

    async settleRemoved(id) {
      await db.deleteFrom('discord_status_removals').where('id', '=', id).execute();
    },
  };
};

const columnsOf = (shown: { readonly digest: string; readonly editedAt: string | null } | null) => ({
  shown_digest: shown?.digest ?? null,
  shown_edited_at: shown?.editedAt ?? null,
  shown_at: new Date(),
});

const removeLater = async (trx: Kysely<Tables>, channelId: string, messageId: string): Promise<void> => {
  await trx
    .insertInto('discord_status_removals')
    .values({ id: createId(), channel_id: channelId, message_id: messageId, post: null, opened_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** If a message's rule was removed, or moved, while it was being posted, the message is to be deleted. */
const settlePosted = (
  db: Kysely<Tables>,
  id: string,
  { post, channelId, messageId, shown }: Extract<StatusOutcome, { outcome: 'posted' }>,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const kept = await trx
      .updateTable('discord_status_messages')
      .set({ ...nowhere, message_id: messageId, ...columnsOf(shown) })
      .where('id', '=', id)
      .where('post', '=', post)
      .executeTakeFirst();
    if (kept.numUpdatedRows > 0n) return;
    const isKnown = await trx
      .selectFrom('discord_status_messages')
      .select('id')
      .where('message_id', '=', messageId)
      .executeTakeFirst();
    if (isKnown) return;
    await trx.deleteFrom('discord_status_removals').where('post', '=', post).execute();
    await removeLater(trx, channelId, messageId);
  });

const toRemoved = (row: Selectable<Tables['discord_status_removals']>): RemovedMessage => ({
  id: row.id,
  channelId: row.channel_id,
  messageId: row.message_id,
  post:
    row.post === null || row.opened_at === null
      ? null
      : { id: row.post, openedAt: row.opened_at.toISOString() },
});
