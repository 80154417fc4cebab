import { sql } from 'kysely';

const inUse = sql`join game_servers as server on server.id = saves.server_id and server.archived_at is null`;

/** Restores that are neither confirmed nor undone. */
export const waitingRestores = sql`
  select 'restores', saves.server_id, 1, (
           select max(ended_at) from save_acts
            where save_acts.server_id = saves.server_id and action = 'restore' and outcome = 'done')
    from server_saves as saves ${inUse} where saves.list ->> 'unconfirmed' is not null`;

/** Nightly backups of worlds that failed, and no backup was made since. */
export const failedWorldBackups = sql`
  select 'world-backups', saves.server_id, 1, saves.nightly_failure_at
    from server_saves as saves ${inUse}
   where saves.nightly_failure_at is not null
     and (saves.told_until is null or saves.told_until < saves.nightly_failure_at)`;
