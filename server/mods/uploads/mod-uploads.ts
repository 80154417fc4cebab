import { createId } from '@paralleldrive/cuid2';
import { type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import type { ModUpload } from '#contracts/mods/mods.ts';
import type { InspectedMod, ModFile } from '#contracts/servers/agent-mods.ts';
import { actorReference } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Leases } from '../../kernel/commands/leases.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { lacks } from '../changes/mods-permission.ts';
import { createUploadFiles } from './upload-files.ts';
import { refuseFull, type UploadLimits, usualUploadLimits } from './upload-room.ts';

/** Mod files that people upload, kept until an agent has them. */
export type ModUploads = ReturnType<typeof createModUploads>;

type Row = Selectable<Tables['mod_uploads']>;

/** An older upload is no longer needed by anyone. */
const keptHours = 24;
/** How long an upload waits for its next part: an API that restarts, or a line that breaks, takes less. */
const idleUntil = sql<Date>`clock_timestamp() + interval '15 minutes'`;
/** Joins a job and an upload. */
const namesUpload = sql`job.server_id = upload.server_id and job.requested_at >= upload.begun_at
  and jsonb_path_exists(job.change, '$.put[*].file.from ? (@.kind == "api" && @.id == $id)',
                        jsonb_build_object('id', upload.id))`;

export const createModUploads = ({
  db,
  folder,
  leases,
  limits = usualUploadLimits,
}: {
  readonly db: Kysely<Tables>;
  readonly folder: string;
  readonly leases: Pick<Leases, 'takeOver' | 'holds' | 'release'>;
  readonly limits?: UploadLimits;
}) => {
  const files = createUploadFiles(folder);
  /** Parts of one upload are written one after another. */
  const taking = new Map<string, Promise<unknown>>();

  const findRow = async (serverId: string, id: string): Promise<Row | null> =>
    (await db
      .selectFrom('mod_uploads')
      .selectAll()
      .where('id', '=', id)
      .where('server_id', '=', serverId)
      .executeTakeFirst()) ?? null;

  /** Nothing more is written to it: it was cancelled, or went with its deadline. */
  const isGone = async ({ server_id, id }: Row): Promise<boolean> => {
    if (await findRow(server_id, id)) return false;
    await files.remove(id);
    return true;
  };
  const finish = async (row: Row): Promise<Updateable<Tables['mod_uploads']>> => {
    const { game } = await db
      .selectFrom('game_servers')
      .select('game')
      .where('id', '=', row.server_id)
      .executeTakeFirstOrThrow();
    const content = await files.content(row.id, game);
    const hashes = await files.hashes(row.id, Number(row.bytes));
    return { ...hashes, content: JSON.stringify(content), idle_until: null };
  };
  /** Counts the part before a byte of it is written. @returns null: there is room */
  const reserve = ({ id, server_id, begun_by, received }: Row, length: number): Promise<Refusal | null> =>
    db.transaction().execute(async (trx) => {
      const bytes = Number(received) + length;
      const full = await refuseFull(trx, { id, serverId: server_id, person: begun_by, bytes }, limits);
      if (full) return full;
      await trx
        .updateTable('mod_uploads')
        .set({ reserved: length, idle_until: idleUntil })
        .where('id', '=', id)
        .execute();
      return null;
    });
  const writePart = async (row: Row, content: Uint8Array): Promise<Row | Refusal> => {
    const from = Number(row.received);
    const end = from + content.length;
    const written = await files.write(row.id, from, content);
    if (written === 'no-room') return refuse('MOD_UPLOADS_FULL', 'The disk is full.');
    if (written === 'gone') return refuse('NOT_FOUND');
    const finished = end === Number(row.bytes) ? await finish(row) : {};
    if (!(await leases.holds(leaseOf(row.id)))) return refuse('MOD_UPLOAD_BUSY');
    const taken = await db
      .updateTable('mod_uploads')
      .set({ ...finished, received: end, reserved: 0 })
      .where('id', '=', row.id)
      .where('received', '=', row.received)
      .returningAll()
      .executeTakeFirst();
    return taken ?? refuse('NOT_FOUND');
  };
  const takePart = async (
    serverId: string,
    id: string,
    from: number,
    content: Uint8Array,
    by: AuditContext,
  ): Promise<ModUpload | Refusal> => {
    if (!(await findRow(serverId, id))) return refuse('NOT_FOUND');
    if (!(await leases.takeOver([leaseOf(id)])).has(leaseOf(id))) return refuse('MOD_UPLOAD_BUSY');
    try {
      const row = await findRow(serverId, id);
      if (!row) return refuse('NOT_FOUND');
      if (row.begun_by !== null && row.begun_by !== actorReference(by.actor))
        return refuse('FORBIDDEN', 'Someone else began this upload.');
      const received = Number(row.received);
      const end = from + content.length;
      if (row.sha1 !== null || (from < received && end <= received)) return shownUpload(row);
      if (from !== received || end > Number(row.bytes) || content.length === 0)
        return refuse('MOD_UPLOAD_OUT_OF_ORDER', `The next part begins at ${received}.`);
      let full = await reserve(row, content.length);
      if (full && (await deleteOld()) > 0) full = await reserve(row, content.length);
      if (full) return full;
      const taken = await writePart(row, content).catch(async (error: unknown) => {
        if (await isGone(row)) return refuse('NOT_FOUND');
        throw error;
      });
      if (!isRefusal(taken)) return shownUpload(taken);
      if (!(await isGone(row)) && taken.refused === 'MOD_UPLOADS_FULL')
        await db.updateTable('mod_uploads').set({ reserved: 0 }).where('id', '=', id).execute();
      return taken;
    } finally {
      leases.release([leaseOf(id)]);
    }
  };
  const deleteOld = async (): Promise<number> => {
    const gone = await sql<{ id: string }>`
      delete from mod_uploads upload
       where (begun_at < now() - castellan_unproven_time(begun_at) - make_interval(hours => ${keptHours}) or idle_until < now()
              or exists (select from mod_jobs job where job.state = 'done' and ${namesUpload}))
         and not exists (select from mod_jobs job where job.state in ('waiting', 'running') and ${namesUpload})
      returning id`.execute(db);
    // A file is created after its row, so every file listed here has a row to be found.
    const there = await files.ids();
    const rows = await db.selectFrom('mod_uploads').select('id').execute();
    const kept = new Set(rows.map(({ id }) => id));
    for (const id of there) if (!kept.has(id)) await files.remove(id);
    return gone.rows.length;
  };

  return {
    async begin(
      serverId: string,
      { name, bytes }: Pick<ModUpload, 'name' | 'bytes'>,
      by: AuditContext,
    ): Promise<ModUpload | Refusal> {
      const refusal = lacks(by.actor, 'mods.write', serverId);
      if (refusal) return refusal;
      await files.prepare();
      await deleteOld();
      return db.transaction().execute(async (trx) => {
        const server = await trx
          .selectFrom('game_servers')
          .select('id')
          .where('id', '=', serverId)
          .executeTakeFirst();
        if (!server) return refuse('NOT_FOUND');
        const person = actorReference(by.actor);
        const full = await refuseFull(trx, { id: null, serverId, person, bytes }, limits);
        if (full) return full;
        const row = await trx
          .insertInto('mod_uploads')
          .values({
            ...{ id: createId(), server_id: serverId, name, bytes },
            ...{ begun_by: person, idle_until: idleUntil },
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        const target = `server:${serverId}`;
        await recordAudit(trx, {
          ...by,
          action: 'mods.upload',
          target,
          after: { upload: row.id, name, bytes },
        });
        return shownUpload(row);
      });
    },

    /** Takes bytes from a position on, from the one who began it; a part whose answer was lost may come again. */
    async take(
      serverId: string,
      id: string,
      from: number,
      content: Uint8Array,
      by: AuditContext,
    ): Promise<ModUpload | Refusal> {
      const refusal = lacks(by.actor, 'mods.write', serverId);
      if (refusal) return refusal;
      const before = taking.get(id) ?? Promise.resolve();
      const work = before.then(() => takePart(serverId, id, from, content, by));
      const settled = work.catch(() => undefined);
      taking.set(id, settled);
      try {
        return await work;
      } finally {
        if (taking.get(id) === settled) taking.delete(id);
      }
    },

    /** Deletes it, complete or not, unless an open change needs it. */
    async cancel(serverId: string, id: string, by: AuditContext): Promise<Refusal | null> {
      const refusal = lacks(by.actor, 'mods.write', serverId);
      if (refusal) return refusal;
      const refused = await db.transaction().execute(async (trx) => {
        const { rows } = await sql<{ name: string; bytes: string; received: string; is_needed: boolean }>`
          select name, bytes, received, exists (
                   select from mod_jobs job where job.state in ('waiting', 'running') and ${namesUpload}) as is_needed
            from mod_uploads upload where id = ${id} and server_id = ${serverId} for update`.execute(trx);
        const [row] = rows;
        if (!row) return refuse('NOT_FOUND');
        if (row.is_needed) return refuse('MOD_UPLOAD_IN_USE');
        await trx.deleteFrom('mod_uploads').where('id', '=', id).execute();
        const { name, bytes, received } = row;
        await recordAudit(trx, {
          ...by,
          action: 'mods.cancel-upload',
          target: `server:${serverId}`,
          before: { upload: id, name, bytes: Number(bytes), received: Number(received) },
        });
        return null;
      });
      // A part that is being written, here or in another process, deletes the file once it is done.
      if (!refused) await files.remove(id);
      return refused;
    },

    /** `whole` is null while parts are missing. */
    async find(
      serverId: string,
      id: string,
    ): Promise<{
      readonly whole: {
        readonly file: ModFile;
        readonly sha1: string;
        readonly content: InspectedMod['content'];
      } | null;
    } | null> {
      const row = await findRow(serverId, id);
      if (!row) return null;
      const { sha1, sha512, content } = row;
      if (sha1 === null || sha512 === null || content === null) return { whole: null };
      const file: ModFile = {
        name: row.name,
        bytes: Number(row.bytes),
        hashes: { sha1, sha512 },
        from: { kind: 'api', id: row.id },
      };
      return { whole: { file, sha1, content } };
    },

    /** For this server's agent, while one of its running tasks names the file. */
    async open(
      serverId: string,
      taskId: string,
      fileId: string,
    ): Promise<{ readonly path: string; readonly bytes: number } | null> {
      const row = await findRow(serverId, fileId);
      if (!row?.sha1) return null;
      const task = await db
        .selectFrom('agent_tasks')
        .select('request')
        .where('id', '=', taskId)
        .where('server_id', '=', serverId)
        .where('done_at', 'is', null)
        .executeTakeFirst();
      const request = task?.request;
      const named =
        request?.kind === 'change-mods'
          ? request.change.put.map(({ file }) => file)
          : request?.kind === 'inspect-mod'
            ? [request.file]
            : [];
      const isNamed = named.some((file) => file?.from.kind === 'api' && file.from.id === fileId);
      return isNamed ? { path: files.pathOf(row.id), bytes: Number(row.bytes) } : null;
    },

    /**
     * Deletes uploads that wait too long for their next part, that are a day old, or that a change has put on the server,
     * unless an open change needs them. @returns how many
     */
    deleteOld,
  };
};

const leaseOf = (id: string): string => `mod-upload:${id}`;
const shownUpload = ({ id, name, bytes, received, sha1, content }: Row): ModUpload => ({
  id,
  name,
  bytes: Number(bytes),
  received: Number(received),
  sha1,
  content,
});
