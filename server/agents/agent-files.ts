import { open } from 'node:fs/promises';
import {
  type AgentRequestProof,
  filePartBytes,
  fileProofText,
  filesOfTask,
  modKeysProofText,
} from '#contracts/agent-files.ts';
import { Problem } from '#runtime/problem.ts';
import type { TaskLane } from '../agent-tasks/task-lane.ts';
import type { RequestOrigin } from './request-origin.ts';
import type { AdmitRequest } from './upload-admission.ts';

/** What the API offers to agents. */
export interface AgentFileSources {
  readonly files: {
    /** Null: there is no such file, or this server may not have it. */
    open(
      serverId: string,
      taskId: string,
      fileId: string,
    ): Promise<{ readonly path: string; readonly bytes: number } | null>;
  };
  readonly keys: {
    /** Null: none is set. */
    curseforge(): Promise<string | null>;
  };
}

export interface FilePart {
  readonly taskId: string;
  readonly fileId: string;
  /** Counts from 0. */
  readonly part: number;
}

export interface AgentFiles {
  /** @throws {Problem} NOT_FOUND also when no running task names it */
  part(
    part: FilePart,
    shown: AgentRequestProof,
    origin: RequestOrigin,
  ): Promise<{ bytes: number; content: string }>;
  /** @throws {Problem} */
  keys(taskId: string, shown: AgentRequestProof, origin: RequestOrigin): Promise<{ curseforge: string }>;
}

export interface AgentFilesOptions {
  readonly admit: AdmitRequest;
  readonly tasks: Pick<TaskLane, 'sentTask'>;
  readonly sources: AgentFileSources | undefined;
}

/** Files and keys, only for the proven agent of a server, and only while a task that it was sent names them. */
export const createAgentFiles = ({ admit, tasks, sources }: AgentFilesOptions): AgentFiles => {
  const filesOf = (serverId: string, taskId: string) => {
    const task = tasks.sentTask(serverId, taskId);
    return task === null ? [] : filesOfTask(task);
  };
  return {
    async part({ taskId, fileId, part }, shown, origin) {
      await admit(shown, fileProofText(shown, { taskId, fileId, part }), origin);
      const { serverId } = shown;
      const isNamed = filesOf(serverId, taskId).some(({ from }) => from.kind === 'api' && from.id === fileId);
      const file = isNamed ? await sources?.files.open(serverId, taskId, fileId) : null;
      if (!file) throw new Problem('NOT_FOUND', { detail: 'No task under way names this file.' });
      const start = part * filePartBytes;
      if (start > file.bytes) throw new Problem('NOT_FOUND', { detail: 'The file has no such part.' });
      const content = await readPart(file.path, start, Math.min(filePartBytes, file.bytes - start));
      return { bytes: file.bytes, content: content.toString('base64') };
    },
    async keys(taskId, shown, origin) {
      await admit(shown, modKeysProofText(shown, taskId), origin);
      const isNeeded = filesOf(shown.serverId, taskId).some(
        ({ from }) => from.kind === 'address' && from.key === 'curseforge',
      );
      const curseforge = isNeeded ? await sources?.keys.curseforge() : null;
      if (!curseforge)
        throw new Problem('NOT_FOUND', { detail: 'No task under way needs a key, or none is set.' });
      return { curseforge };
    },
  };
};

/** @throws {Error} when the file is shorter than that */
const readPart = async (path: string, start: number, bytes: number): Promise<Buffer> => {
  const content = Buffer.alloc(bytes);
  await using file = await open(path, 'r');
  for (let read = 0; read < bytes; ) {
    const { bytesRead } = await file.read(content, read, bytes - read, start + read);
    if (bytesRead === 0) throw new Error(`The file ${path} is shorter than it was.`);
    read += bytesRead;
  }
  return content;
};
