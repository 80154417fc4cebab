import { type Kysely, sql } from 'kysely';
import type { Tables } from '../kernel/database/tables.ts';

/** After this time, a failed change that changed nothing on the server no longer counts. */
const failedDays = 7;

/** Servers whose last change failed, or no one knows how it ended. */
export const failedModChanges = (now: Date) => sql`
  select 'mod-failures', server.id, 1, job.ended_at
    from game_servers as server cross join lateral (
      select state, ended_at from mod_jobs
       where mod_jobs.server_id = server.id and state in ('done', 'failed', 'unknown')
       order by number desc limit 1) as job
   where server.archived_at is null and (job.state = 'unknown'
      or job.state = 'failed' and job.ended_at > ${new Date(now.getTime() - failedDays * 86_400_000)})`;

/**
 * Updates that the last checks found for the versions that servers have, without pinned mods. A server is counted again only
 * when something of it has changed: its list is megabytes.
 */
export const createUpdateReading = () => {
  let known = new Map<string, { readonly stamp: string; readonly count: number }>();
  return async (db: Kysely<Tables>) => {
    const { rows } = await sql<{ readonly serverId: string; readonly stamp: string }>`
      select server.id as "serverId", concat_ws(' ', checks.checked_at, kept.listed_at, (
               select concat_ws(' ', count(*), max(at)) from mod_pins where mod_pins.server_id = server.id)) as stamp
        from game_servers as server
        join mod_checks as checks on checks.server_id = server.id and checks.found is not null
        join server_mods as kept on kept.server_id = server.id
       where server.archived_at is null`.execute(db);
    const changed = rows.filter(({ serverId, stamp }) => known.get(serverId)?.stamp !== stamp);
    const counts = new Map(changed.length === 0 ? [] : await countUpdates(db, changed));
    known = new Map(
      rows.map(({ serverId, stamp }) => {
        const count = counts.get(serverId) ?? 0;
        const before = known.get(serverId);
        return [serverId, before?.stamp === stamp ? before : { stamp, count }];
      }),
    );
    return [...known].map(([serverId, { count }]) => ({
      kind: 'mod-updates' as const,
      serverId,
      count,
      since: null,
    }));
  };
};

const countUpdates = async (
  db: Kysely<Tables>,
  servers: readonly { readonly serverId: string }[],
): Promise<readonly (readonly [string, number])[]> => {
  const { rows } = await sql<{ readonly serverId: string; readonly count: number }>`
    select checks.server_id as "serverId", count(*)::int as count
      from mod_checks as checks
      join server_mods as kept on kept.server_id = checks.server_id
     cross join lateral jsonb_array_elements(kept.list -> 'installed') as installed (mod)
      join lateral (select checks.found -> 'updates' -> (mod ->> 'key') as next) as update
        on update.next is not null and update.next ->> 'from' is not distinct from mod ->> 'version'
     where checks.server_id = any (${servers.map(({ serverId }) => serverId)}::text[])
       and not exists (select from mod_pins
                        where mod_pins.server_id = checks.server_id and mod_pins.key = mod ->> 'key')
     group by checks.server_id`.execute(db);
  return rows.map(({ serverId, count }) => [serverId, count]);
};
