import { sql } from 'kysely';

const inUse = sql`join game_servers as server on server.id = saves.server_id and server.archived_at is null`;

/** Restores that are neither confirmed nor undone. */
export const waitingRestores = sql`
  select 'restores', saves.server_id, 1, (
           select max(ended_at) from save_acts
            where save_acts.server_id = saves.server_id and action = 'restore' and outcome = 'done')
    from server_saves as saves ${inUse} where saves.list ->> 'unconfirmed' is not null`;

/**
 * Restores that go through by themselves: they wait, or failed within a week and nothing was done since. One that waits since a time
 * ahead of now waits; a failure of such a time is over, since nothing could be done after it.
 */
export const unfinishedRestoreRuns = sql`
  select 'restore-runs', run.server_id, 1, coalesce(run.ended_at, run.waits_since)
    from restore_runs as run
    join game_servers as server on server.id = run.server_id and server.archived_at is null
   where (run.ended_at is null
          and run.waits_since not between now() - interval '1 minute' and now() + interval '5 minutes')
      or (run.outcome = 'failed'
          and run.ended_at between now() - interval '7 days' and now() + interval '5 minutes'
          and not exists (select from restore_runs as later
                           where later.server_id = run.server_id and later.requested_at > run.ended_at)
          and not exists (select from save_acts as act
                           where act.server_id = run.server_id and act.requested_at > run.ended_at)
          and not (run.step = 'starting'
                   and exists (select from power_acts as act
                                where act.server_id = run.server_id and act.requested_at > run.ended_at
                                  and act.action in ('start', 'restart') and act.outcome = 'done')))`;

/** Nightly backups of worlds that failed, and no backup was made since. */
export const failedWorldBackups = sql`
  select 'world-backups', saves.server_id, 1, saves.nightly_failure_at
    from server_saves as saves ${inUse}
   where saves.nightly_failure_at is not null
     and (saves.told_until is null or saves.told_until < saves.nightly_failure_at)`;
