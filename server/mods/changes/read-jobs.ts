import { type Kysely, sql } from 'kysely';
import type { ModsJob, PlanLine } from '#contracts/mods/mods.ts';
import { type Actor, may } from '../../kernel/access/actor.ts';
import type { ProvenSet } from '../../kernel/database/stored-values.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Page, type PageQuery, readOlderPage } from '../../kernel/logs/older-page.ts';
import type { AgentTasks } from '../../servers/agent-tasks.ts';
import { type ModJobRow, type ShownJobRow, shownColumns, shownJob } from './job-rows.ts';

/** What is shown about a server with each of its jobs. */
interface ServerOfJobs {
  readonly name: string;
  readonly revision: number | null;
}

export type JobReader = ReturnType<typeof createJobReader>;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Jobs as stored, and as people see them. */
export const createJobReader = ({
  db,
  tasks,
}: {
  readonly db: Kysely<Tables>;
  readonly tasks: Pick<AgentTasks, 'get'>;
}) => {
  const jobsOf = (serverId: string) =>
    db.selectFrom('mod_jobs').selectAll().where('server_id', '=', serverId);
  const shownOf = (serverId: string) =>
    db
      .selectFrom('mod_jobs')
      .select(shownColumns)
      .select(sql<boolean>`inverse is not null`.as('has_inverse'))
      .where('server_id', '=', serverId);
  const show = async (row: ShownJobRow, actor: Actor | null, of: ServerOfJobs): Promise<ModsJob> => {
    const task = row.state === 'running' && row.task_id ? await tasks.get(row.server_id, row.task_id) : null;
    return shownJob(row, {
      serverName: of.name,
      progress: task?.progress ?? null,
      revision: of.revision,
      seesLines: actor === null || may(actor, 'console.read', row.server_id),
    });
  };

  return {
    show,
    find: async (serverId: string, id: string): Promise<ModJobRow | null> =>
      uuid.test(id) ? ((await jobsOf(serverId).where('id', '=', id).executeTakeFirst()) ?? null) : null,

    /** The running or waiting job, and the one that ended last. */
    async latest(serverId: string, actor: Actor, of: ServerOfJobs) {
      const [open, ended] = await Promise.all([
        shownOf(serverId).where('ended_at', 'is', null).orderBy('number').limit(1).executeTakeFirst(),
        shownOf(serverId)
          .where('ended_at', 'is not', null)
          .orderBy('ended_at', 'desc')
          .orderBy('number', 'desc')
          .limit(1)
          .executeTakeFirst(),
      ]);
      return {
        job: open ? await show(open, actor, of) : null,
        lastJob: ended ? await show(ended, actor, of) : null,
      };
    },

    /** Newest first. */
    async page(serverId: string, query: PageQuery, actor: Actor, of: ServerOfJobs): Promise<Page<ModsJob>> {
      const page = await readOlderPage<ShownJobRow>(
        query,
        ({ beyond, limit }) =>
          shownOf(serverId)
            .$if(beyond !== null, (select) => select.where('number', '<', beyond?.id ?? '0'))
            .orderBy('number', 'desc')
            .limit(limit)
            .execute(),
        ({ requested_at: at, number: id }) => ({ at, id }),
      );
      return {
        rows: await Promise.all(page.rows.map((row) => show(row, actor, of))),
        nextCursor: page.nextCursor,
      };
    },

    /** What the server has after its job of the wave; null: it has no such job. */
    async provenSet(wave: string, serverId: string): Promise<ProvenSet | null> {
      const row = await jobsOf(serverId)
        .clearSelect()
        .select('proves')
        .where('wave', '=', wave)
        .executeTakeFirst();
      return row?.proves ?? null;
    },

    /** The jobs of these waves that this actor may see; null: all of them. */
    async ofWaves(waves: readonly string[], actor: Actor | null): Promise<readonly ModsJob[]> {
      if (waves.length === 0) return [];
      const rows = await db
        .selectFrom('mod_jobs as job')
        .innerJoin('game_servers as server', 'server.id', 'job.server_id')
        .leftJoin('server_mods as kept', 'kept.server_id', 'job.server_id')
        .select(shownColumns.filter((column) => column !== 'lines').map((column) => `job.${column}` as const))
        .select(sql<boolean>`job.inverse is not null`.as('has_inverse'))
        // For a hundred servers, the changelogs are a hundred times the same.
        .select(
          sql<PlanLine[]>`(
            select coalesce(jsonb_agg(line || '{"changelog": null}' order by place), '[]')
              from jsonb_array_elements(job.lines) with ordinality as lines (line, place))`.as('lines'),
        )
        .select('server.name')
        // A list is megabytes.
        .select(sql<string | null>`kept.list ->> 'revision'`.as('revision'))
        .where('job.wave', 'in', waves)
        .orderBy('job.number')
        .execute();
      return Promise.all(
        rows
          .filter((row) => actor === null || may(actor, 'mods.read', row.server_id))
          .map(({ name, revision, ...row }) =>
            show(row, actor, { name, revision: revision === null ? null : Number(revision) }),
          ),
      );
    },
  };
};
