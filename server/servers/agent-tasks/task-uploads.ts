import { appendFile, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { largestUpload, type UploadedPart } from '#contracts/servers/agent-uploads.ts';
import type { Log } from '#runtime/log.ts';
import { Problem } from '#runtime/problem.ts';
import type { Leases } from '../../kernel/commands/leases.ts';

/** An agent's complete upload. */
export interface TaskUpload {
  readonly path: string;
  readonly bytes: number;
}

/** Uploads of running tasks, one file each until the task's caller has taken it. */
export type TaskUploads = ReturnType<typeof createTaskUploads>;

interface Upload {
  readonly path: string;
  readonly parts: number;
  /** The part that comes next. */
  next: number;
  bytes: number;
  /** Digest of the last part: it may come again when its response was lost. */
  sha256: string;
  /** Its parts are written one after another. */
  writing: Promise<void>;
}

/** Limit for all uploads together. */
const mostBytesOfAll = 4 * largestUpload;

/** @param root holds a folder for each API process */
export const createTaskUploads = (
  root: string,
  leases: Pick<Leases, 'processId' | 'otherProcesses'>,
  log: Log,
) => {
  const folder = join(root, leases.processId);
  const uploads = new Map<string, Upload>();
  const total = () => [...uploads.values()].reduce((sum, { bytes }) => sum + bytes, 0);

  const remove = async (taskId: string) => {
    const upload = uploads.get(taskId);
    if (!upload) return;
    uploads.delete(taskId);
    await upload.writing.catch(() => undefined);
    await rm(upload.path, { force: true }).catch((err: unknown) =>
      log.warn({ err }, 'could not delete a Game Agent upload'),
    );
  };
  const begin = async ({ taskId, parts }: UploadedPart): Promise<Upload> => {
    await remove(taskId);
    const path = join(folder, taskId);
    const begun: Upload = { path, parts, next: 0, bytes: 0, sha256: '', writing: Promise.resolve() };
    uploads.set(taskId, begun);
    begun.writing = open(path, 'w', 0o600).then((file) => file.close());
    await begun.writing;
    return begun;
  };

  return {
    /** Makes this process's own folder, and deletes those of processes that are gone. */
    async prepare(): Promise<void> {
      await mkdir(root, { recursive: true, mode: 0o700 });
      const living = new Set(await leases.otherProcesses());
      for (const name of await readdir(root))
        if (!living.has(name)) await rm(join(root, name), { recursive: true, force: true });
      await mkdir(folder, { mode: 0o700 });
    },
    /** The part is proven, and its task wants it. @throws {Problem} AGENT_UPLOAD_OUT_OF_ORDER, AGENT_UPLOADS_FULL, PAYLOAD_TOO_LARGE */
    async take(part: UploadedPart, content: Uint8Array, sha256: string, mostBytes: number): Promise<void> {
      const known = uploads.get(part.taskId);
      const isAgain = known?.next === part.part + 1 && known.sha256 === sha256 && known.parts === part.parts;
      if (isAgain) return known.writing;
      if (part.part !== 0 && (known?.next !== part.part || known.parts !== part.parts))
        throw new Problem('AGENT_UPLOAD_OUT_OF_ORDER');
      if ((part.part === 0 ? 0 : (known?.bytes ?? 0)) + content.length > mostBytes)
        throw new Problem('PAYLOAD_TOO_LARGE', { detail: `At most ${mostBytes} bytes are taken.` });
      if (total() + content.length > mostBytesOfAll) throw new Problem('AGENT_UPLOADS_FULL');
      const upload = part.part === 0 || !known ? await begin(part) : known;
      upload.next += 1;
      upload.bytes += content.length;
      upload.sha256 = sha256;
      upload.writing = upload.writing.then(() => appendFile(upload.path, content));
      try {
        await upload.writing;
      } catch (error) {
        await remove(part.taskId);
        throw error;
      }
    },
    /** Null: there is none, or parts of it are missing. */
    find(taskId: string): TaskUpload | null {
      const upload = uploads.get(taskId);
      return upload && upload.next === upload.parts ? { path: upload.path, bytes: upload.bytes } : null;
    },
    /** Never fails. */
    remove,
  };
};
