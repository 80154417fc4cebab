import { operatorRole } from '#contracts/kernel/product.ts';
import { reasons } from '#contracts/kernel/reasons.ts';
import { deliveryQueue, finishedJobs, modsQueue, queueSchema, unfinishedJobs } from './queues.ts';

const countingTriggers = (table: string): string => `
create or replace trigger castellan_finished_inserted after insert on ${table}
  referencing new table as added for each statement execute function pgboss.count_finished();
create or replace trigger castellan_finished_updated after update on ${table}
  referencing new table as added old table as removed for each statement execute function pgboss.count_finished();
create or replace trigger castellan_finished_deleted after delete on ${table}
  referencing old table as removed for each statement execute function pgboss.count_finished();`;

/**
 * What depends on pg-boss's tables, and so can be created only after them: the documented view pgboss.job, which shows
 * deliveries and changes of mods from their own tables, with its one permitted change; the count of failed tries; the index
 * for the depth of the queues; and the counts of finished jobs, which are kept for days and would be expensive to count.
 *
 * pg-boss fails a job, whether a worker or an expiry found the failure, by deleting it and inserting it again as `retry` or
 * `failed`: an insert in one of these states is one failed try.
 *
 * A statement of pg-boss names either the parent of the queues' tables or the one with the rows, and fires only that table's
 * triggers. Counts are changed in the order of their key, so that two statements of pg-boss never deadlock. An operator's
 * statement changes them job by job and locks them: if it meets a clean-up of the same jobs or another operator's statement,
 * Postgres aborts one of the two (40P01) as a whole, and it can be repeated.
 */
export const operatorInterfaceSql = `
create schema if not exists pgboss;

drop view if exists pgboss.job;
create view pgboss.job as
  select name, state::text as state, data, output, retry_count as "retryCount",
         started_on as "startedOn", completed_on as "completedOn", id
  from ${queueSchema}.job where name not in ('${deliveryQueue}', '${modsQueue}')
  union all
  select '${deliveryQueue}', job_state,
         jsonb_build_object('orderId', order_id, 'memberId', member_id::text, 'game', game, 'line', line),
         case when detail is not null or certainty is not null
              then jsonb_strip_nulls(jsonb_build_object('detail', detail, 'state', state, 'certainty', certainty)) end,
         greatest(attempts - 1, 0), started_at, ended_at, id
  from public.deliveries
  union all
  select '${modsQueue}', job_state, jsonb_build_object('serverId', server_id, 'kind', kind, 'lines', lines),
         case when detail is not null or outcome is not null
              then jsonb_strip_nulls(jsonb_build_object('detail', detail, 'state', state, 'outcome', outcome)) end,
         greatest(tries - 1, 0), began_at, ended_at, id
  from public.mod_jobs;

create or replace function pgboss.cancel_job() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  found_state text;
begin
  if tg_op <> 'UPDATE' then
    raise exception 'pgboss.job takes no % : jobs can only be cancelled', lower(tg_op)
      using errcode = 'feature_not_supported',
            hint = 'update pgboss.job set state = ''cancelled'' where …';
  end if;
  if new.state is distinct from 'cancelled'
     or (new.name, new.data, new.output, new."retryCount", new."startedOn", new."completedOn", new.id)
        is distinct from
        (old.name, old.data, old.output, old."retryCount", old."startedOn", old."completedOn", old.id) then
    raise exception 'of a job only its state can be changed, and only to cancelled'
      using errcode = 'feature_not_supported',
            hint = 'update pgboss.job set state = ''cancelled'' where …';
  end if;
  if old.name = '${deliveryQueue}' then
    if old.state not in ('created', 'retry', 'failed') then
      raise exception 'job % of queue % is %: only created, retry and failed jobs can be cancelled',
        old.id, old.name, old.state
        using errcode = 'object_not_in_prerequisite_state',
              hint = 'nothing was changed; narrow the statement by: and state = ''failed''';
    end if;
    new."completedOn" := public.castellan_cancel_delivery(old.id, '${reasons['cancelled-by-operator']}', 'operator', null);
    return new;
  end if;
  if old.name = '${modsQueue}' then
    if old.state not in ('created', 'retry', 'failed') then
      raise exception 'job % of queue % is %: only created, retry and failed jobs can be cancelled',
        old.id, old.name, old.state
        using errcode = 'object_not_in_prerequisite_state',
              hint = 'nothing was changed; narrow the statement by: and state = ''failed''';
    end if;
    new."completedOn" := public.castellan_cancel_mod_job(old.id, '${reasons['cancelled-by-operator']}');
    perform public.castellan_job_cancelled(old.name, old.id, old.data);
    return new;
  end if;
  update ${queueSchema}.job
     set state = 'cancelled', completed_on = now()
   where name = old.name and id = old.id and state in ('created', 'retry', 'failed')
  returning completed_on into new."completedOn";
  if not found then
    select state::text into found_state from ${queueSchema}.job where name = old.name and id = old.id;
    raise exception 'job % of queue % is %: only created, retry and failed jobs can be cancelled',
      old.id, old.name, coalesce(found_state, 'gone')
      using errcode = 'object_not_in_prerequisite_state',
            hint = 'nothing was changed; narrow the statement by: and state = ''failed''';
  end if;
  perform public.castellan_job_cancelled(old.name, old.id, old.data);
  return new;
end $$;
revoke all on function pgboss.cancel_job() from public;

create trigger only_cancel instead of insert or update or delete on pgboss.job
  for each row execute function pgboss.cancel_job();

create or replace function pgboss.count_failure() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  insert into public.queue_failures as counted (queue, failures_total) values (new.name, 1)
    on conflict (queue) do update set failures_total = counted.failures_total + 1;
  if new.state = 'failed' then
    perform public.castellan_record_event('queue.job-failed', 'warning',
      jsonb_build_object('queue', new.name, 'jobId', new.id, 'tries', new.retry_count + 1));
  end if;
  return null;
end $$;

create or replace trigger castellan_count_failure after insert on ${queueSchema}.job
  for each row when (new.state in ('retry', 'failed')) execute function pgboss.count_failure();

create table if not exists ${queueSchema}.castellan_finished_jobs (
  queue text not null,
  state text not null,
  count bigint not null,
  primary key (queue, state)
) with (fillfactor = 50);

create or replace function pgboss.count_finished() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    insert into ${queueSchema}.castellan_finished_jobs as kept
      select name, state::text, count(*) from added where ${finishedJobs} group by 1, 2 order by 1, 2
      on conflict (queue, state) do update set count = kept.count + excluded.count;
  elsif tg_op = 'DELETE' then
    insert into ${queueSchema}.castellan_finished_jobs as kept
      select name, state::text, -count(*) from removed where ${finishedJobs} group by 1, 2 order by 1, 2
      on conflict (queue, state) do update set count = kept.count + excluded.count;
  else
    insert into ${queueSchema}.castellan_finished_jobs as kept
      select name, state::text, sum(change)
        from (select name, state, 1 as change from added union all select name, state, -1 from removed) changed
       where ${finishedJobs} group by 1, 2 having sum(change) <> 0 order by 1, 2
      on conflict (queue, state) do update set count = kept.count + excluded.count;
  end if;
  return null;
end $$;

lock table ${queueSchema}.job in share row exclusive mode;
${countingTriggers(`${queueSchema}.job`)}
${countingTriggers(`${queueSchema}.job_common`)}
delete from ${queueSchema}.castellan_finished_jobs;
insert into ${queueSchema}.castellan_finished_jobs
  select name, state::text, count(*) from ${queueSchema}.job where ${finishedJobs} group by 1, 2;

create index if not exists castellan_unfinished_jobs on ${queueSchema}.job (name) where ${unfinishedJobs};
`;

export const operatorGrantsSql = `
grant usage on schema pgboss to ${operatorRole};
grant select, update (state) on pgboss.job to ${operatorRole};
grant select on public.audit_logs, public.event_logs, public.queue_failures to ${operatorRole};
grant execute on function public.castellan_audit_sql(text) to ${operatorRole};
`;
