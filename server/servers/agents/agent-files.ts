import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AgentRequestProof,
  filePartBytes,
  fileProofText,
  filesOfTask,
  modKeysProofText,
} from '#contracts/servers/agent-files.ts';
import { type ApiFrame, agentProtocolVersion } from '#contracts/servers/agent-protocol.ts';
import {
  type UploadedPart,
  type UploadProof,
  uploadProof,
  uploadProofText,
} from '#contracts/servers/agent-uploads.ts';
import type { Log } from '#runtime/log.ts';
import { Problem } from '#runtime/problem.ts';
import { agentReleaseFileName, versionOfAgentRelease } from '#runtime/release/agent-release.ts';
import { compareVersions, releaseVersionPattern } from '#runtime/release/version-order.ts';
import type { TaskLane } from '../agent-tasks/task-lane.ts';
import {
  type AgentRefusals,
  type AgentServers,
  type AllowPlain,
  isRefusedAsPlain,
  problemOf,
  type RequestOrigin,
  refuseAgent,
} from './admission.ts';
import { type AgentProof, isSignedBy, type Nonces } from './agent-proof.ts';
import type { AgentRefused, AgentSession } from './agent-session.ts';

/** Which server the part belongs to. @throws {Problem} when it is not proven to come from the server's one agent */
type AdmitUpload = (
  part: UploadedPart,
  content: Uint8Array,
  from: { readonly header: string | string[] | undefined; readonly origin: RequestOrigin },
) => Promise<UploadProof>;

/** Admits one request over its text. @throws {Problem} when it is not proven to come from the server's one agent */
type AdmitRequest = (shown: AgentRequestProof, text: string, origin: RequestOrigin) => Promise<void>;

export const createRequestAdmission = (options: {
  readonly proofOf: (serverId: string) => AgentProof;
  readonly nonces: Pick<Nonces, 'isFresh' | 'use'>;
  readonly servers: Pick<AgentServers, 'get'>;
  readonly sessionOf: (serverId: string) => AgentSession | undefined;
  readonly refusals: AgentRefusals;
  readonly allowPlain: AllowPlain;
}): AdmitRequest => {
  const { proofOf, nonces, servers, sessionOf, refusals, allowPlain } = options;
  return async ({ serverId, agentKey, nonce, proof, signature }, text, origin) => {
    const refuseAndTell = (refused: AgentRefused, isServerShown: boolean) => {
      refusals.tell(refused, origin.address, isServerShown ? (sessionOf(serverId) ?? null) : null);
      return problemOf(refused);
    };
    const isPinned = () => sessionOf(serverId)?.pin?.key === agentKey;

    if (await isRefusedAsPlain(origin, allowPlain)) throw problemOf(refuseAgent('AGENT_TLS_REQUIRED'));
    if (!nonces.isFresh(nonce)) throw problemOf(refuseAgent('AGENT_NONCE_INVALID'));
    if (!proofOf(serverId).isProven(text, proof))
      throw refuseAndTell(refusals.wrongProof(origin.address), true);
    if (!nonces.use(nonce)) throw problemOf(refuseAgent('AGENT_NONCE_INVALID'));
    if (!servers.get(serverId)) throw refuseAndTell(refuseAgent('AGENT_SERVER_UNKNOWN'), false);
    if (!(await isSignedBy(agentKey, text, signature)))
      throw refuseAndTell(refusals.wrongProof(origin.address), true);
    if (!isPinned()) throw refuseAndTell(refuseAgent('AGENT_KEY_MISMATCH'), true);
  };
};

/** Each request of an upload is proven, including its body: its connection proves nothing. */
export const createUploadAdmission =
  (admit: AdmitRequest): AdmitUpload =>
  async (part, content, { header, origin }) => {
    const shown = readProof(header);
    await admit(shown, uploadProofText(shown, part), origin);
    if (createHash('sha256').update(content).digest('base64url') !== shown.sha256)
      throw problemOf(refuseAgent('AGENT_PROOF_WRONG', 'The body is not the one that was signed.'));
    return shown;
  };

const readProof = (header: string | string[] | undefined): UploadProof => {
  try {
    return uploadProof.parse(JSON.parse(Buffer.from(String(header), 'base64url').toString('utf8')));
  } catch (cause) {
    const detail = 'The header Castellan-Agent does not have the documented shape.';
    throw new Problem('INVALID_REQUEST', { detail, cause });
  }
};

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

/** Files and keys, only for the proven agent of a server, and only while a task that it was sent names them. */
export const createAgentFiles = (
  admit: AdmitRequest,
  tasks: Pick<TaskLane, 'sentTask'>,
  sources: AgentFileSources | undefined,
) => {
  const filesOf = (serverId: string, taskId: string) => {
    const task = tasks.sentTask(serverId, taskId);
    return task === null ? [] : filesOfTask(task);
  };
  return {
    /** @throws {Problem} NOT_FOUND also when no running task names it */
    async part(
      { taskId, fileId, part }: FilePart,
      shown: AgentRequestProof,
      origin: RequestOrigin,
    ): Promise<{ bytes: number; content: string }> {
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
    /** @throws {Problem} */
    async keys(
      taskId: string,
      shown: AgentRequestProof,
      origin: RequestOrigin,
    ): Promise<{ curseforge: string }> {
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

/** Null for an agent that has this version already, and for one whose versions are of another kind. */
export type ReleaseOffer = (agentVersion: string) => OfferedRelease | null;

interface OfferedRelease {
  readonly version: string;
  readonly frame: ApiFrame;
}

/**
 * Offers the signed release next to the agents' executables to older agents. The agents check its signature; without
 * one, as in a checkout, no release is offered.
 */
export const readReleaseOffer = async (folder: string, log: Log): Promise<ReleaseOffer> => {
  const release = await readFile(join(folder, agentReleaseFileName)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') log.warn({ err: error }, 'could not read the Game Agent release');
    return null;
  });
  const version = release && versionOfAgentRelease(release);
  if (!version) return () => null;
  const frame: ApiFrame = { v: agentProtocolVersion, type: 'release', release: release.toString('base64') };
  const offered = { version, frame };
  return (agentVersion) =>
    releaseVersionPattern.test(agentVersion) && compareVersions(version, agentVersion) > 0 ? offered : null;
};
