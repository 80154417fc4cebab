import { type Kysely, sql } from 'kysely';
import { reasonWithin } from '#contracts/kernel/reasons.ts';
import type { Season, SeasonDetails } from '#contracts/store/seasons.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Page, type PageQuery, readOlderPage } from '../../kernel/logs/older-page.ts';

interface StoredSeason
  extends Pick<
    Season,
    'id' | 'name' | 'game' | 'clusterIds' | 'serverIds' | 'state' | 'actorName' | 'undoneBy'
  > {
  readonly number: string;
  readonly wipedAt: Date;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly undoneAt: Date | null;
  readonly balances: Season['balances'];
  readonly announcement: Season['announcement'];
  readonly waiting: string;
  readonly done: string;
  readonly skipped: string;
  readonly undone: string;
  readonly members: string;
  readonly pieces: string;
  readonly points: string;
}

const selectSeasons = sql`
  select seasons.id, seasons.number, seasons.name, seasons.game, cluster_ids as "clusterIds",
         server_ids as "serverIds", began_at as "wipedAt", created_at as "createdAt", seasons.state,
         ended_at as "endedAt", undone_at as "undoneAt", actor_name as "actorName", undone_by as "undoneBy",
         balances, announcement, steps.*
  from seasons cross join lateral (
    select count(*) filter (where state = 'waiting') as waiting, count(*) filter (where state = 'done') as done,
           count(*) filter (where state = 'skipped') as skipped, count(*) filter (where state = 'undone') as undone,
           count(distinct member_id) filter (where state = 'done' and (kind = 'regrant' or points > 0)) as members,
           coalesce(sum(quantity) filter (where state = 'done'), 0) as pieces,
           coalesce(sum(points) filter (where state = 'done'), 0) as points
    from season_steps where season_id = seasons.id) as steps`;

/** The season that was begun, or is being undone, and is not complete. */
export const unfinishedSeasons = sql`
  select 'seasons', null, count(*), min(created_at) from seasons where state in ('running', 'undoing')`;

const toSeason = (row: StoredSeason): Season => ({
  id: row.id,
  name: row.name,
  game: row.game,
  clusterIds: row.clusterIds,
  serverIds: row.serverIds,
  wipedAt: row.wipedAt.toISOString(),
  createdAt: row.createdAt.toISOString(),
  state: row.state,
  endedAt: row.endedAt?.toISOString() ?? null,
  undoneAt: row.undoneAt?.toISOString() ?? null,
  actorName: row.actorName,
  undoneBy: row.undoneBy,
  balances: row.balances,
  announcement: row.announcement,
  progress: {
    waiting: Number(row.waiting),
    done: Number(row.done),
    skipped: Number(row.skipped),
    undone: Number(row.undone),
  },
  members: Number(row.members),
  pieces: Number(row.pieces),
  pointsTaken: Number(row.points),
});

export const readSeasons = async (db: Kysely<Tables>, query: PageQuery): Promise<Page<Season>> => {
  const page = await readOlderPage(
    query,
    async ({ beyond, limit }) => {
      const { rows } = await sql<StoredSeason>`
        ${selectSeasons} where ${beyond === null ? sql`true` : sql`seasons.number < ${beyond.id}`}
        order by seasons.number desc limit ${limit}`.execute(db);
      return rows;
    },
    ({ createdAt, number }) => ({ at: createdAt, id: number }),
  );
  return { ...page, rows: page.rows.map(toSeason) };
};

/** Per state. */
const mostHindered = 100;

export const readSeason = async (
  db: Kysely<Tables>,
  id: string,
  memberNames: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<SeasonDetails | null> => {
  const { rows } = await sql<StoredSeason>`${selectSeasons} where seasons.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const hindered = await sql<{
    kind: 'balance' | 'limit' | 'regrant';
    member_id: string | null;
    name: string | null;
    state: 'waiting' | 'skipped';
    detail: string;
    count: string;
  }>`
    select step.kind, step.member_id, sold.name, step.state, step.detail, step.count
    from (
      select hindered.*, count(*) over of_state as count, row_number() over (of_state order by id) as place
      from (
        select id, kind, member_id, product_id, detail,
               case state when 'skipped' then 'skipped' else 'waiting' end as state
        from season_steps where season_id = ${id} and detail is not null) as hindered
      window of_state as (partition by state)) as step
    left join products on products.id = step.product_id
    left join product_versions as sold on sold.product_id = products.id and sold.version = products.version
    where step.place <= ${mostHindered} order by step.id`.execute(db);
  const countOf = (state: 'waiting' | 'skipped') =>
    Number(hindered.rows.find((step) => step.state === state)?.count ?? 0);
  const memberIds = hindered.rows.flatMap(({ member_id }) => (member_id === null ? [] : [member_id]));
  const names = await memberNames([...new Set(memberIds)]);
  return {
    ...toSeason(row),
    hindered: hindered.rows.map(({ kind, member_id, name, state, detail }) => {
      const { text, reason } = reasonWithin(detail);
      return {
        kind,
        memberId: member_id,
        memberName: member_id === null ? null : (names.get(member_id) ?? member_id),
        productName: name,
        state,
        detail: text,
        reason,
      };
    }),
    hinderedSteps: { waiting: countOf('waiting'), skipped: countOf('skipped') },
  };
};
