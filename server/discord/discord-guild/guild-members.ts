import { type Kysely, sql } from 'kysely';
import type { MemberChange, MemberReport } from '#contracts/discord/discord-guild.ts';
import { storableText } from '#contracts/kernel/storable-text.ts';
import { nameKey } from '../../kernel/access/name-key.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { recordEvents } from '../../kernel/events/record-event.ts';
import { foldChanges, type GuildMember, leftEvent } from './fold-changes.ts';

type Trx = Kysely<Tables>;

interface GuildMembersOptions {
  readonly db: Kysely<Tables>;
  readonly members: {
    /** Creates a member for each Discord account that has none. */
    openForAll(trx: Trx, discordIds: readonly string[]): Promise<void>;
    /** Removes the members of these accounts who have no player, no points and no history. */
    removeEmpty(trx: Trx, discordIds: readonly string[]): Promise<void>;
  };
}

export interface GuildMembers {
  /** Accepts a report of the bot, once however often it comes. @returns false: the bot has to start another run */
  take(report: MemberReport): Promise<boolean>;
  /** The bot works on another Discord server, or on none: no one is known to be there, and no one has left. */
  forget(trx: Trx): Promise<void>;
}

/** Characters; Discord allows 32. */
const longestName = 100;

/** The members of the Discord server, as the bot reports them. Everything that a report changes is one transaction. */
export const createGuildMembers = ({ db, members }: GuildMembersOptions): GuildMembers => ({
  take: ({ guildId, run, number, endsList, changes: told }) => {
    const changes = told.map(storable);
    return retryDeadlocks(db, async (trx) => {
      const place = await findPlace(trx, { guildId, run, number });
      if (place === 'taken') return true;
      if (place === 'unknown') return false;
      if (place === 'other-guild') await forgetAll(trx, members);

      const { listed_at: listedAt, now } = await advance(trx, { guildId, run, number });
      const before = await readMembers(
        trx,
        changes.map((change) => (change.kind === 'left' ? change.id : change.member.id)),
      );
      const { after, events } = foldChanges({ before, changes, listedAt, now });
      await write(trx, after, run);
      const missed = endsList ? await endList(trx, run, now) : [];
      await recordEvents(trx, [...events, ...missed.flatMap((member) => leftEvent(member, now))]);
      await members.openForAll(
        trx,
        after.filter(({ isBot, leftAt }) => !isBot && leftAt === null).map(({ id }) => id),
      );
      const left = [...after, ...missed].filter(({ leftAt }) => leftAt !== null).map(({ id }) => id);
      await leave(trx, members, left);
      return true;
    });
  },
  forget: (trx) => forgetAll(trx, members),
});

interface Place {
  readonly guildId: string;
  readonly run: string;
  readonly number: number;
}

const row = 'discord';

/** One report at a time. */
const findPlace = async (
  trx: Trx,
  { guildId, run, number }: Place,
): Promise<'next' | 'begins' | 'other-guild' | 'taken' | 'unknown'> => {
  const last = await trx
    .selectFrom('discord_guild_reports')
    .selectAll()
    .where('id', '=', row)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (last.guild_id === guildId && last.run === run) {
    if (number <= last.number) return 'taken';
    return number === last.number + 1 ? 'next' : 'unknown';
  }
  if (number !== 0) return 'unknown';
  return last.guild_id === guildId || last.guild_id === null ? 'begins' : 'other-guild';
};

const advance = (trx: Trx, { guildId, run, number }: Place) =>
  trx
    .updateTable('discord_guild_reports')
    .set({
      guild_id: guildId,
      run,
      number,
      ...(number === 0 && { began_at: sql<Date>`now()` }),
    })
    .where('id', '=', row)
    .returning(['listed_at', sql<Date>`now()`.as('now')])
    .executeTakeFirstOrThrow();

/** The list of another Discord server no longer counts, and does not mean that anyone left. */
const forgetAll = async (trx: Trx, members: GuildMembersOptions['members']): Promise<void> => {
  await trx
    .updateTable('discord_guild_reports')
    .set({ guild_id: null, run: null, listed_at: null })
    .where('id', '=', row)
    .execute();
  const gone = await trx.deleteFrom('discord_guild_members').returning('discord_id').execute();
  await leave(
    trx,
    members,
    gone.map(({ discord_id }) => discord_id),
  );
};

const storable = (change: MemberChange): MemberChange => {
  if (change.kind === 'left') return change;
  const { member } = change;
  const [name, username] = [member.name, member.username].map((text) => storableText(text, longestName));
  return { ...change, member: { ...member, name: name ?? '', username: username ?? '' } };
};

const readMembers = async (trx: Trx, ids: readonly string[]): Promise<readonly GuildMember[]> => {
  const { rows } = await sql<GuildMember>`
    select discord_id as id, name, username, role_ids as "roleIds", is_bot as "isBot", is_pending as "isPending", joined_at as "joinedAt", left_at as "leftAt"
    from discord_guild_members where discord_id = any (${ids}::text[])`.execute(trx);
  return rows;
};

const write = async (trx: Trx, members: readonly GuildMember[], run: string): Promise<void> => {
  const rows = members.map((member) => ({ ...member, key: nameKey(member.name) }));
  await sql`
    insert into discord_guild_members (discord_id, name, name_key, username, role_ids, is_bot, is_pending, joined_at, left_at, seen_in)
    select id, name, key, username, "roleIds", "isBot", "isPending", "joinedAt", "leftAt", ${run}
    from jsonb_to_recordset(${JSON.stringify(rows)}) as given (
      id text, name text, key text, username text, "roleIds" text[], "isBot" boolean, "isPending" boolean, "joinedAt" timestamptz, "leftAt" timestamptz)
    on conflict (discord_id) do update set name = excluded.name, name_key = excluded.name_key,
      username = excluded.username,
      role_ids = excluded.role_ids, is_bot = excluded.is_bot, is_pending = excluded.is_pending, joined_at = excluded.joined_at,
      left_at = excluded.left_at, seen_in = excluded.seen_in`.execute(trx);
};

/** Members whom the run has not named have left in the meantime; when, no one can tell. */
const endList = async (trx: Trx, run: string, now: Date): Promise<readonly GuildMember[]> => {
  const missed = await trx
    .updateTable('discord_guild_members')
    .set({ left_at: now })
    .where('left_at', 'is', null)
    .where('seen_in', '!=', run)
    .returning([
      'discord_id as id',
      'name',
      'username',
      'role_ids as roleIds',
      'is_bot as isBot',
      'is_pending as isPending',
      'joined_at as joinedAt',
      'left_at as leftAt',
    ])
    .execute();
  await trx
    .updateTable('discord_guild_reports')
    .set((reports) => ({ listed_at: reports.ref('began_at') }))
    .where('id', '=', row)
    .execute();
  return missed;
};

/** Nothing is kept of bots, and of people who leave nothing behind. */
const leave = async (
  trx: Trx,
  members: GuildMembersOptions['members'],
  discordIds: readonly string[],
): Promise<void> => {
  if (discordIds.length === 0) return;
  await members.removeEmpty(trx, discordIds);
  await sql`
    delete from discord_guild_members as gone
    where discord_id = any (${discordIds}::text[]) and left_at is not null
      and not exists (select from members where members.discord_id = gone.discord_id)`.execute(trx);
};
