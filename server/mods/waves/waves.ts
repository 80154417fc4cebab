import { createId } from '@paralleldrive/cuid2';
import { type Kysely, type Selectable, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { ModWave } from '#contracts/mods/mods.ts';
import type { Log } from '#runtime/log.ts';
import { type Actor, actorReference, may } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isTaken } from '../../kernel/database/unique-violation.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { type Page, type PageQuery, readOlderPage } from '../../kernel/logs/older-page.ts';
import { withdrawJobs } from '../changes/end-job.ts';
import { createWaveRunner } from './wave-runner.ts';
import type { WaveRequest, WaveServers } from './wave-servers.ts';

export type Waves = ReturnType<typeof createWaves>;

type Row = Selectable<Tables['mod_waves']>;

export const createWaves = ({
  db,
  servers,
  log,
}: {
  readonly db: Kysely<Tables>;
  readonly servers: WaveServers;
  readonly log: Log;
}) => {
  const runner = createWaveRunner({ db, servers, log });

  const shown = async (rows: readonly Row[], actor: Actor): Promise<ModWave[]> => {
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const [lines, jobs] = await Promise.all([
      db
        .selectFrom('mod_wave_servers as line')
        .innerJoin('game_servers as server', 'server.id', 'line.server_id')
        .selectAll('line')
        .select('server.name')
        .where('line.wave_id', 'in', ids)
        .orderBy('line.position')
        .execute(),
      servers.jobs(ids, actor),
    ]);
    const seesAll = (wave: string) =>
      lines.every(({ wave_id, server_id }) => wave_id !== wave || may(actor, 'mods.read', server_id));
    return rows.map((row) => ({
      id: row.id,
      byName: row.actor_name,
      requestedAt: row.requested_at.toISOString(),
      state: row.state,
      // It names a server.
      detail: seesAll(row.id) ? row.detail : null,
      servers: lines
        .filter(({ wave_id, server_id }) => wave_id === row.id && may(actor, 'mods.read', server_id))
        .map(({ server_id: serverId, name, faults, detail }) => ({
          serverId,
          name,
          job: jobs.find((job) => job.wave === row.id && job.serverId === serverId) ?? null,
          faults,
          detail,
        })),
    }));
  };
  const show = async (row: Row, actor: Actor): Promise<ModWave> => {
    const [wave] = await shown([row], actor);
    if (!wave) throw new Error('a wave cannot be shown');
    return wave;
  };
  const findByKey = async (actor: Actor, key: string | null) =>
    key === null
      ? undefined
      : db
          .selectFrom('mod_waves')
          .selectAll()
          .where('actor', '=', actorReference(actor))
          .where('idempotency_key', '=', key)
          .executeTakeFirst();
  const refuseServers = async (ids: readonly string[], { actor }: AuditContext): Promise<Refusal | null> => {
    if (ids.some((id) => !may(actor, 'mods.write', id)))
      return refuse('FORBIDDEN', 'This needs the permission mods.write for each of these servers.');
    const known = await db
      .selectFrom('game_servers')
      .select('id')
      .where('id', 'in', ids)
      .where('archived_at', 'is', null)
      .execute();
    return known.length === ids.length ? null : refuse('NOT_FOUND');
  };
  const insert = (request: WaveRequest, key: string | null, by: AuditContext): Promise<Row | Refusal> =>
    db.transaction().execute(async (trx) => {
      const { wish } = request;
      const set =
        wish.do === 'set'
          ? await trx.selectFrom('mod_sets').select('version').where('id', '=', wish.set).executeTakeFirst()
          : null;
      if (set === undefined) return refuse('NOT_FOUND');
      const { actor, address } = by;
      const row = await trx
        .insertInto('mod_waves')
        .values({
          id: createId(),
          request: JSON.stringify(request),
          set_version: set?.version ?? null,
          actor: actorReference(actor),
          actor_id: actor.id,
          actor_name: actor.name,
          desktop_access_id: actor.desktopAccessId ?? null,
          address,
          idempotency_key: key,
          detail: null,
          ended_at: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await trx
        .insertInto('mod_wave_servers')
        .values(
          request.servers.map((serverId, position) => ({
            wave_id: row.id,
            position,
            server_id: serverId,
            detail: null,
          })),
        )
        .execute();
      await recordAudit(trx, { ...by, action: 'mod-waves.begin', target: targetOf(row.id), after: request });
      return row;
    });

  return {
    /** Waves with a server whose mods the actor may see, without their other servers. */
    async page(query: PageQuery, actor: Actor): Promise<Page<ModWave>> {
      const visible = sql<boolean>`exists (
        select from mod_wave_servers line where line.wave_id = mod_waves.id
          and (${may(actor, 'mods.read')} or line.server_id = any (${serversOf(actor)}::text[])))`;
      const { rows, nextCursor } = await readOlderPage(
        query,
        ({ beyond, limit }) => {
          const waves = db
            .selectFrom('mod_waves')
            .selectAll()
            .where(visible)
            .orderBy('requested_at', 'desc')
            .orderBy('number', 'desc')
            .limit(limit);
          return (
            beyond
              ? waves.where(
                  sql<boolean>`(requested_at, number) < (${beyond.at}::timestamptz, ${beyond.id}::bigint)`,
                )
              : waves
          ).execute();
        },
        ({ requested_at: at, number: id }) => ({ at, id }),
      );
      return { rows: await shown(rows, actor), nextCursor };
    },

    async begin(asked: WaveRequest, key: string | null, by: AuditContext): Promise<ModWave | Refusal> {
      const request = { ...asked, servers: [...new Set(asked.servers)] };
      const refusal = await refuseServers(request.servers, by);
      if (refusal) return refusal;
      const repeated = (row: Row) =>
        row.request === JSON.stringify(request) ? show(row, by.actor) : refuse('IDEMPOTENCY_MISMATCH');
      const before = await findByKey(by.actor, key);
      if (before) return repeated(before);
      try {
        const row = await insert(request, key, by);
        if (isRefusal(row)) return row;
        runner.look();
        return await show(row, by.actor);
      } catch (error) {
        const same = isTaken(error, 'mod_waves_key') ? await findByKey(by.actor, key) : undefined;
        if (!same) throw error;
        return repeated(same);
      }
    },

    async cancel(id: string, by: AuditContext): Promise<ModWave | Refusal> {
      const lines = await db
        .selectFrom('mod_wave_servers')
        .select('server_id')
        .where('wave_id', '=', id)
        .execute();
      if (lines.length === 0) return refuse('NOT_FOUND');
      if (!lines.every(({ server_id }) => may(by.actor, 'mods.write', server_id)))
        return refuse('FORBIDDEN', 'This needs the permission mods.write for each server of the wave.');
      const row = await db.transaction().execute(async (trx) => {
        const cancelled = await trx
          .updateTable('mod_waves')
          .set({ state: 'cancelled', ended_at: sql<Date>`now()` })
          .where('id', '=', id)
          .where('ended_at', 'is', null)
          .returningAll()
          .executeTakeFirst();
        if (cancelled) {
          await withdrawJobs(trx, id, reasons['mods-rest-cancelled']);
          await recordAudit(trx, { ...by, action: 'mod-waves.cancel', target: targetOf(id) });
        }
        return (
          cancelled ??
          (await trx.selectFrom('mod_waves').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
        );
      });
      return show(row, by.actor);
    },

    /** Resumes what was running before this process. May be called again. */
    prepare: runner.prepare,
    [Symbol.asyncDispose]: runner[Symbol.asyncDispose],
  };
};

const serversOf = (actor: Actor): string[] =>
  [...actor.serverPermissions].flatMap(([serverId, granted]) => (granted.has('mods.read') ? [serverId] : []));
const targetOf = (id: string): string => `mod-wave:${id}`;
