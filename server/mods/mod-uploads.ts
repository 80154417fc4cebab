import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createId } from '@paralleldrive/cuid2';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { InspectedMod, ModFile } from '#contracts/agent-mods.ts';
import type { GameId } from '#contracts/games.ts';
import type { ModUpload } from '#contracts/mods.ts';
import { inspectArchive } from '#games/mod-metadata.ts';
import { ArchiveError } from '#runtime/archives/archive.ts';
import { openArchive } from '#runtime/archives/open-archive.ts';
import { may } from '../access/actor.ts';
import type { AuditContext } from '../access/audit-context.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { storableValue } from '../database/storable-text.ts';
import type { Tables } from '../database/tables.ts';
import { type Refusal, refuse } from '../http/refusal.ts';
import type { ModUploadsTable } from './mods.tables.ts';

export interface ModUploadsOptions {
  readonly db: Kysely<Tables>;
  readonly folder: string;
  /** Of all together, whole or not. */
  readonly mostBytes?: number;
}

/** Files of mods that people upload, until an agent has them. */
export interface ModUploads {
  begin(
    serverId: string,
    file: Pick<ModUpload, 'name' | 'bytes'>,
    by: AuditContext,
  ): Promise<ModUpload | Refusal>;
  /** Bytes from a position on; a part whose answer was lost may come again. */
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
  /** For the agent of this server, while a task of it that is under way names the file. */
  open(
    serverId: string,
    taskId: string,
    fileId: string,
  ): Promise<{ readonly path: string; readonly bytes: number } | null>;
  /** Those that no change under way needs and that are a day old. @returns how many */
  deleteOld(): Promise<number>;
}

type Row = Selectable<ModUploadsTable>;

const usualMostBytes = 8 * 1024 ** 3;
/** One that lies here longer waits for no one. */
const keptHours = 24;

export const createModUploads = ({
  db,
  folder,
  mostBytes = usualMostBytes,
}: ModUploadsOptions): ModUploads => {
  const pathOf = (id: string) => join(folder, id);
  /** Parts of one upload are written one after another. */
  const taking = new Map<string, Promise<unknown>>();

  const refuseActor = ({ actor }: AuditContext, serverId: string): Refusal | null =>
    may(actor, 'mods.write', serverId)
      ? null
      : refuse('FORBIDDEN', 'This needs the permission mods.write for this server.');
  const findRow = async (serverId: string, id: string): Promise<Row | null> =>
    (await db
      .selectFrom('mod_uploads')
      .selectAll()
      .where('id', '=', id)
      .where('server_id', '=', serverId)
      .executeTakeFirst()) ?? null;

  const write = async (id: string, from: number, content: Uint8Array): Promise<void> => {
    await using file = await open(pathOf(id), from === 0 ? 'w' : 'r+', 0o600);
    for (let done = 0; done < content.length; )
      done += (await file.write(content, done, content.length - done, from + done)).bytesWritten;
    await file.sync();
  };
  const finish = async (row: Row): Promise<Row> => {
    const path = pathOf(row.id);
    const { game } = await db
      .selectFrom('game_servers')
      .select('game')
      .where('id', '=', row.server_id)
      .executeTakeFirstOrThrow();
    const hashes = await hashesOf(path);
    const content = await contentOf(path, game);
    return db
      .updateTable('mod_uploads')
      .set({ ...hashes, content: JSON.stringify(storableValue(content)), received: Number(row.bytes) })
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  };
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
    await write(id, from, content);
    if (end === Number(row.bytes)) return shownUpload(await finish(row));
    const taken = await db
      .updateTable('mod_uploads')
      .set({ received: end })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    return taken ? shownUpload(taken) : refuse('NOT_FOUND');
  };

  return {
    async begin(serverId, { name, bytes }, by) {
      const refusal = refuseActor(by, serverId);
      if (refusal) return refusal;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return db.transaction().execute(async (trx) => {
        const server = await trx
          .selectFrom('game_servers')
          .select('id')
          .where('id', '=', serverId)
          .executeTakeFirst();
        if (!server) return refuse('NOT_FOUND');
        // Two that begin at once must not both count on the same room.
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
      const refusal = refuseActor(by, serverId);
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
      const files =
        request?.kind === 'change-mods'
          ? request.change.put.map(({ file }) => file)
          : request?.kind === 'inspect-mod'
            ? [request.file]
            : [];
      const isNamed = files.some((file) => file?.from.kind === 'api' && file.from.id === fileId);
      return isNamed ? { path: pathOf(row.id), bytes: Number(row.bytes) } : null;
    },

    async deleteOld() {
      const gone = await sql<{ id: string }>`
        delete from mod_uploads upload
         where begun_at < now() - make_interval(hours => ${keptHours})
           and not exists (select from mod_jobs job where job.state in ('waiting', 'running')
             and jsonb_path_exists(job.change, '$.put[*].file.from ? (@.kind == "api" && @.id == $id)',
                                   jsonb_build_object('id', upload.id)))
        returning id`.execute(db);
      const rows = await db.selectFrom('mod_uploads').select('id').execute();
      const kept = new Set(rows.map(({ id }) => id));
      const files = await readdir(folder).catch(() => []);
      for (const file of files) if (!kept.has(file)) await rm(join(folder, file), { force: true });
      return gone.rows.length;
    },
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

const hashesOf = async (path: string): Promise<{ sha1: string; sha512: string }> => {
  const sha1 = createHash('sha1');
  const sha512 = createHash('sha512');
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    sha1.update(chunk);
    sha512.update(chunk);
  }
  return { sha1: sha1.digest('hex'), sha512: sha512.digest('hex') };
};

/** What cannot be read as an archive is said so; the plan refuses it. */
const contentOf = async (path: string, game: GameId): Promise<InspectedMod['content']> => {
  try {
    await using archive = await openArchive(path);
    return (await inspectArchive(archive, game)).content;
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    return { is: 'unknown', why: error.message.slice(0, 500) };
  }
};
