import { createHash } from 'node:crypto';
import type { AgentRequestProof } from '#contracts/agent-files.ts';
import {
  type UploadedPart,
  type UploadProof,
  uploadProof,
  uploadProofText,
} from '#contracts/agent-uploads.ts';
import { Problem } from '#runtime/problem.ts';
import { type AdmissionOptions, type AgentServers, isRefusedAsPlain } from './admission.ts';
import type { AgentRefused } from './agent-link.ts';
import { type AgentProof, isSignedBy } from './agent-proof.ts';
import { type AgentRefusals, problemOf, refuseAgent } from './agent-refusals.ts';
import type { AgentSession } from './agent-session.ts';
import type { Nonces } from './nonces.ts';
import type { RequestOrigin } from './request-origin.ts';

export interface RequestAdmissionOptions {
  readonly proofOf: (serverId: string) => AgentProof;
  readonly nonces: Pick<Nonces, 'isFresh' | 'use'>;
  readonly servers: Pick<AgentServers, 'get'>;
  readonly sessions: () => ReadonlyMap<string, AgentSession>;
  readonly refusals: AgentRefusals;
  readonly allowPlain: AdmissionOptions['allowPlain'];
}

/** Which server the part belongs to. @throws {Problem} when it is not proven to come from the server's one agent */
export type AdmitUpload = (
  part: UploadedPart,
  content: Uint8Array,
  from: { readonly header: string | string[] | undefined; readonly origin: RequestOrigin },
) => Promise<UploadProof>;

/** Admits one request over its text. @throws {Problem} when it is not proven to come from the server's one agent */
export type AdmitRequest = (shown: AgentRequestProof, text: string, origin: RequestOrigin) => Promise<void>;

export const createRequestAdmission = (options: RequestAdmissionOptions): AdmitRequest => {
  const { proofOf, nonces, servers, sessions, refusals, allowPlain } = options;
  return async ({ serverId, agentKey, nonce, proof, signature }, text, origin) => {
    const refuseAndTell = (refused: AgentRefused, isServerShown: boolean) => {
      refusals.tell(refused, origin.address, isServerShown ? (sessions().get(serverId) ?? null) : null);
      return problemOf(refused);
    };
    const isPinned = () => sessions().get(serverId)?.pin?.key === agentKey;

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
