import { sql } from 'kysely';
import { toldActs } from '#contracts/people/timelines.ts';
import { newestOf, type TimelineSource, toldBy, toldById } from './timeline-source.ts';

/** What staff did to the person that no other source reports, from the audit log. */
export const acts: TimelineSource = {
  rank: 13,
  kind: 'staff',
  newest: ({ seesActs, playerIds, memberIds }, bounds) =>
    seesActs
      ? newestOf(
          {
            table: sql`audit_logs`,
            owner: sql`target`,
            owners: [...playerIds.map((id) => `player:${id}`), ...memberIds.map((id) => `member:${id}`)],
            ownerType: 'text',
            at: sql`at`,
            id: sql`id`,
            where: sql`action = any (${toldActs}::text[])`,
          },
          bounds,
        )
      : null,
  async tell(db, _subject, ids) {
    const { rows } = await sql<{
      readonly id: string;
      readonly action: (typeof toldActs)[number];
      readonly actor: string;
      readonly actor_name: string | null;
    }>`select id, action, actor, actor_name from audit_logs where id = any (${ids}::bigint[])`.execute(db);
    return toldById(rows, (row) => ({ type: 'act', act: row.action, by: toldBy(row) }));
  },
};
