import { createId } from '@paralleldrive/cuid2';
import { type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import type { InspectedMod, ModFile } from '#contracts/agent-mods.ts';
import type { ModUpload } from '#contracts/mods.ts';
import type { AuditContext } from '../access/audit-context.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Tables } from '../database/tables.ts';
import { type Refusal, refuse } from '../http/refusal.ts';
import type { ModUploadsTable } from './mods.tables.ts';
import { lacks } from './mods-permission.ts';
import { createUploadFiles } from './upload-files.ts';

/** Mod files that people upload, kept until an agent has them. */
export interface ModUploads {
  begin(
    serverId: string,
    file: Pick<ModUpload, 'name' | 'bytes'>,
    by: AuditContext,
  ): Promise<ModUpload | Refusal>;
  /** Takes bytes from a position on; a part whose answer was lost may come again. */
  take(
    serverId: string,
    id: string,
    from: number,
    content: Uint8Array,
    by: AuditContext,
  ): Promise<ModUpload | Refusal>;
  /** `whole` is null while parts are missing. */
  find(
    serverId: string,
    id: string,
  ): Promise<{
    readonly whole: {
      readonly file: ModFile;
      readonly sha1: string;
      readonly content: InspectedMod['content'];
    } | null;
  } | null>;
  /** For this server's agent, while one of its running tasks names the file. */
  open(
    serverId: string,
    taskId: string,
    fileId: string,
  ): Promise<{ readonly path: string; readonly bytes: number } | null>;
  /**
   * Deletes uploads that are a day old or that a change has put on the server, unless an open change needs them. @returns
   * how many
   */
  deleteOld(): Promise<number>;
}

type Row = Selectable<ModUploadsTable>;

const usualMostBytes = 8 * 1024 ** 3;
/** An older upload is no longer needed by anyone. */
const keptHours = 24;
/** Joins a job and an upload. */
const namesUpload = sql`job.server_id = upload.server_id and job.requested_at >= upload.begun_at
  and jsonb_path_exists(job.change, '$.put[*].file.from ? (@.kind == "api" && @.id == $id)',
                        jsonb_build_object('id', upload.id))`;

export const createModUploads = ({
  db,
  folder,
  mostBytes = usualMostBytes,
}: {
  readonly db: Kysely<Tables>;
  readonly folder: string;
  /** All uploads together, complete or not. */
  readonly mostBytes?: number;
}): ModUploads => {
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

  const finish = async (row: Row): Promise<Row | null> => {
    const { game } = await db
      .selectFrom('game_servers')
      .select('game')
      .where('id', '=', row.server_id)
      .executeTakeFirstOrThrow();
    const content = await files.content(row.id, game);
    const hashes = await files.hashes(row.id, Number(row.bytes));
    return note(row, { ...hashes, content: JSON.stringify(content), received: Number(row.bytes) });
  };
  /** @returns null: it was deleted in between, or another process took a part of it */
  const note = async (
    { id, received }: Pick<Row, 'id' | 'received'>,
    what: Updateable<ModUploadsTable>,
  ): Promise<Row | null> =>
    (await db
      .updateTable('mod_uploads')
      .set(what)
      .where('id', '=', id)
      .where('received', '=', received)
      .returningAll()
      .executeTakeFirst()) ?? null;
  const takePart = async (
    serverId: string,
    id: string,
    from: number,
    content: Uint8Array,
  ): Promise<ModUpload | Refusal> => {
    const row = await findRow(serverId, id);
    if (!row) return refuse('NOT_FOUND');
    const received = Number(row.received);
    const end = from + content.length;
    if (row.sha1 !== null || (from < received && end <= received)) return shownUpload(row);
    if (from !== received || end > Number(row.bytes) || content.length === 0)
      return refuse('MOD_UPLOAD_OUT_OF_ORDER', `The next part begins at ${received}.`);
    const written = await files.write(id, from, content);
    if (written === 'no-room') return refuse('MOD_UPLOADS_FULL', 'The disk is full.');
    if (written === 'gone') return refuse('NOT_FOUND');
    const taken = end === Number(row.bytes) ? await finish(row) : await note(row, { received: end });
    return taken ? shownUpload(taken) : refuse('NOT_FOUND');
  };
  const deleteOld = async (): Promise<number> => {
    const gone = await sql<{ id: string }>`
      delete from mod_uploads upload
       where (begun_at < now() - make_interval(hours => ${keptHours})
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
    async begin(serverId, { name, bytes }, by) {
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
        // Two uploads that begin at the same time must not both count on the same room.
        await sql`select pg_advisory_xact_lock(hashtext('mod_uploads'))`.execute(trx);
        const { used } = await trx
          .selectFrom('mod_uploads')
          .select(sql<string>`coalesce(sum(bytes), 0)`.as('used'))
          .executeTakeFirstOrThrow();
        if (Number(used) + bytes > mostBytes) return refuse('MOD_UPLOADS_FULL');
        const row = await trx
          .insertInto('mod_uploads')
          .values({ id: createId(), server_id: serverId, name, bytes })
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

    async take(serverId, id, from, content, by) {
      const refusal = lacks(by.actor, 'mods.write', serverId);
      if (refusal) return refusal;
      const before = taking.get(id) ?? Promise.resolve();
      const work = before.then(() => takePart(serverId, id, from, content));
      const settled = work.catch(() => undefined);
      taking.set(id, settled);
      try {
        return await work;
      } finally {
        if (taking.get(id) === settled) taking.delete(id);
      }
    },

    async find(serverId, id) {
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

    async open(serverId, taskId, fileId) {
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

    deleteOld,
  };
};

const shownUpload = ({ id, name, bytes, received, sha1, content }: Row): ModUpload => ({
  id,
  name,
  bytes: Number(bytes),
  received: Number(received),
  sha1,
  content,
});
