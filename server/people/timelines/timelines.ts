import { type Kysely, sql } from 'kysely';
import type { TimelineKind } from '#contracts/people/timelines.ts';
import { type Actor, may } from '../../kernel/access/actor.ts';
import { scopeOf, seenInScope } from '../../kernel/access/player-scope.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { type Retention, readTimeline, type TimelinePage, type TimelineQuery } from './read-timeline.ts';
import type { Subject } from './timeline-source.ts';

interface Timeline extends TimelinePage {
  readonly kinds: TimelineKind[];
}

/** What happened to people, as far as the actor may see each kind of it. */
export type Timelines = ReturnType<typeof createTimelines>;

interface Person {
  readonly playerIds: readonly string[];
  readonly memberId: string;
}

export const createTimelines = (db: Kysely<Tables>, retention: Retention) => {
  const read = async (actor: Actor, person: Person, query: TimelineQuery): Promise<Timeline> => {
    const subject = await subjectOf(db, actor, person);
    return { ...(await readTimeline(db, subject, query, retention)), kinds: kindsOf(subject) };
  };
  return {
    async ofPlayer(actor: Actor, playerId: string, query: TimelineQuery): Promise<Timeline | Refusal> {
      const found = await db
        .selectFrom('players as player')
        .select('member_id')
        .where('id', '=', playerId)
        .where(seenInScope(scopeOf(actor), 'player'))
        .executeTakeFirst();
      if (!found) return refuse('NOT_FOUND');
      return read(actor, { playerIds: [playerId], memberId: found.member_id }, query);
    },
    async ofMember(actor: Actor, memberId: string, query: TimelineQuery): Promise<Timeline | Refusal> {
      const { rows } = await sql<{ readonly id: string | null }>`
        select castellan_member_today(${memberId}) as id`.execute(db);
      const id = rows[0]?.id;
      if (!id) return refuse('NOT_FOUND');
      return read(actor, { playerIds: await playersOf(db, id), memberId: id }, query);
    },
  };
};

const playersOf = async (db: Kysely<Tables>, memberId: string): Promise<readonly string[]> => {
  const rows = await db.selectFrom('players').select('id').where('member_id', '=', memberId).execute();
  return rows.map(({ id }) => id);
};

const subjectOf = async (
  db: Kysely<Tables>,
  actor: Actor,
  { playerIds, memberId }: Person,
): Promise<Subject> => {
  const seesMember = may(actor, 'members.read');
  const members = seesMember
    ? await db
        .selectFrom('members')
        .select(['id', 'discord_id'])
        .where((where) => where.or([where('id', '=', memberId), where('merged_into', '=', memberId)]))
        .execute()
    : [];
  const seesActs = may(actor, 'audit.read');
  return {
    playerIds,
    bannedPlayerIds: seesMember ? await playersOf(db, memberId) : playerIds,
    memberIds: members.map(({ id }) => id),
    memberId: seesMember ? memberId : null,
    discordId: members.find(({ id }) => id === memberId)?.discord_id ?? null,
    visits: scopeOf(actor),
    bans: scopeOf(actor, ['players.read', 'players.write']),
    commands: seesActs ? null : scopeOf(actor, ['console.read']),
    seesChat: may(actor, 'events.read'),
    seesOrders: seesMember && may(actor, 'orders.read'),
    seesActs,
  };
};

const kindsOf = ({ memberId, seesChat, seesOrders, seesActs }: Subject): TimelineKind[] => [
  'visits',
  ...(seesChat ? (['chat'] as const) : []),
  'moderation',
  ...(seesOrders ? (['store'] as const) : []),
  ...(memberId === null ? [] : (['points', 'accounts'] as const)),
  ...(seesActs ? (['staff'] as const) : []),
];
