import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';
import { agentProtocolVersion, base64url, largestAgentFrame } from './agent-protocol.ts';

/** Bytes per upload. */
export const largestUpload = 64 * 1024 * 1024;
/** Bytes per part, so that a request ends soon even over a slow line. */
export const uploadPartBytes = largestAgentFrame;
const mostParts = Math.ceil(largestUpload / uploadPartBytes);

/** Carries an `uploadProof` as JSON in base64url. */
export const uploadProofHeader = 'castellan-agent';
export const uploadContentType = 'application/octet-stream';

/** Identifies the uploader; sent in a header with each request, since the body is the content. */
export const uploadProof = z.object({
  v: z.literal(agentProtocolVersion),
  serverId: z.string().min(1).max(64),
  nonce: z.string().max(200),
  agentKey: base64url(32),
  /** SHA-256 of the body. */
  sha256: base64url(32),
  /** HMAC-SHA256 with the agent's secret over `uploadProofText`. */
  proof: base64url(32),
  /** Ed25519 with the agent's key over the same text. */
  signature: base64url(64),
});
export type UploadProof = z.infer<typeof uploadProof>;

export interface UploadedPart {
  readonly taskId: string;
  /** Counted from 0. */
  readonly part: number;
  readonly parts: number;
  /** Bytes in the body. */
  readonly length: number;
}

/** The text over which an agent proves a part; the lines are joined by line feeds. */
export const uploadProofText = (
  shown: Pick<UploadProof, 'nonce' | 'serverId' | 'agentKey' | 'sha256'>,
  { taskId, part, parts, length }: UploadedPart,
): string =>
  [
    'castellan-upload-v1',
    shown.nonce,
    shown.serverId,
    shown.agentKey,
    taskId,
    String(part),
    String(parts),
    String(length),
    shown.sha256,
  ].join('\n');

const count = z.coerce.number().int();

export const uploadsHttp = {
  part: endpoint({
    method: 'POST',
    path: '/api/game-agent/uploads/:taskId',
    summary: 'Upload a part of what a running task of a Game Agent has found',
    access: 'agent',
    params: z.object({ taskId: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/) }),
    query: z.object({ part: count.min(0).max(mostParts - 1), parts: count.min(1).max(mostParts) }),
    rawBody: true,
    bodyType: uploadContentType,
    bodyBytes: uploadPartBytes,
    response: z.object({
      v: z.literal(agentProtocolVersion),
      /** For the next part. */
      nonce: z.string(),
    }),
    problems: [
      'AGENT_PROOF_WRONG',
      'AGENT_NONCE_INVALID',
      'AGENT_SERVER_UNKNOWN',
      'AGENT_KEY_MISMATCH',
      'AGENT_TLS_REQUIRED',
      'AGENT_THROTTLED',
      'AGENT_UPLOAD_UNWANTED',
      'AGENT_UPLOAD_OUT_OF_ORDER',
      'AGENT_UPLOADS_FULL',
      'DATABASE_UNAVAILABLE',
    ],
  }),
} as const;
