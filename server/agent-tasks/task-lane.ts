import type { Kysely } from 'kysely';
import type { ApiFrame } from '#contracts/agent-protocol.ts';
import type { UploadedPart } from '#contracts/agent-uploads.ts';
import type { Tables } from '../database/tables.ts';
import type { TaskFrame, TaskLink } from './task-link.ts';

/** What the gateway of agents asks of the tasks. */
export interface TaskLane {
  take(
    serverId: string,
    link: TaskLink,
    frame: TaskFrame,
    reply: (frame: ApiFrame) => void,
  ): (() => Promise<void>) | null;
  /** Before a poll is answered: what the last answer carried and the agent does not know of is sent again. */
  polled(serverId: string, link: TaskLink): Promise<void>;
  /** A part of an upload that an agent has proven. @throws {Problem} when no caller waits for it, or there is too much */
  takeUpload(serverId: string, part: UploadedPart, content: Uint8Array, sha256: string): Promise<void>;
  /** The agent is replaced, in the caller's transaction. @returns what to call once it has committed */
  giveUp(trx: Kysely<Tables>, serverId: string): Promise<() => void>;
  /** The server is archived: what was not sent ends. */
  cancelUnsent(serverId: string): void;
}
