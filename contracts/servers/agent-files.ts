import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';
import type { ModFile } from './agent-mods.ts';
import { agentProtocolVersion, base64url } from './agent-protocol.ts';
import type { AgentTask } from './agent-tasks.ts';

/** Bytes of one part; as base64 it stays far below the largest answer that an agent reads. */
export const filePartBytes = 2 * 1024 * 1024;

/** Identifies the agent in each request, since the connection itself proves nothing. */
const agentRequestProof = z.object({
  v: z.literal(agentProtocolVersion),
  serverId: z.string().min(1).max(64),
  nonce: z.string().max(200),
  agentKey: base64url(32),
  /** HMAC-SHA256 with the agent's secret over the request's text. */
  proof: base64url(32),
  /** Ed25519 with the agent's key over the same text. */
  signature: base64url(64),
});
export type AgentRequestProof = z.infer<typeof agentRequestProof>;
type Shown = Pick<AgentRequestProof, 'nonce' | 'serverId' | 'agentKey'>;

/** The text over which an agent proves that it asks for a part; the lines are joined by line feeds. */
export const fileProofText = (
  { nonce, serverId, agentKey }: Shown,
  { taskId, fileId, part }: { readonly taskId: string; readonly fileId: string; readonly part: number },
): string => ['castellan-file-v1', nonce, serverId, agentKey, taskId, fileId, String(part)].join('\n');

export const modKeysProofText = ({ nonce, serverId, agentKey }: Shown, taskId: string): string =>
  ['castellan-mod-keys-v1', nonce, serverId, agentKey, taskId].join('\n');

/** The mod files that a task names. */
export const filesOfTask = (task: AgentTask): readonly ModFile[] => {
  if (task.kind === 'inspect-mod') return [task.file];
  if (task.kind !== 'change-mods') return [];
  const { put, adopt } = task.change;
  return [...put, ...adopt.map(({ item }) => item)].flatMap(({ file }) => file ?? []);
};

const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const problems = [
  'AGENT_PROOF_WRONG',
  'AGENT_NONCE_INVALID',
  'AGENT_SERVER_UNKNOWN',
  'AGENT_KEY_MISMATCH',
  'AGENT_TLS_REQUIRED',
  'AGENT_THROTTLED',
  'NOT_FOUND',
  'DATABASE_UNAVAILABLE',
] as const;

export const agentFilesHttp = {
  part: endpoint({
    method: 'POST',
    path: '/api/game-agent/files/:taskId/:fileId',
    summary: 'Return a part of a file that a running task of a Game Agent names',
    access: 'agent',
    params: z.object({ taskId: id, fileId: id }),
    query: z.object({ part: z.coerce.number().int().min(0).max(10_000) }),
    body: agentRequestProof,
    response: z.object({
      v: z.literal(agentProtocolVersion),
      /** For the next request. */
      nonce: z.string(),
      /** The size of the whole file. */
      bytes: z.int().nonnegative(),
      /** Base64; each part except the last has `filePartBytes` bytes. */
      content: z.base64(),
    }),
    problems,
  }),
  modKeys: endpoint({
    method: 'POST',
    path: '/api/game-agent/mod-keys/:taskId',
    summary: 'Return the keys that a running task of a Game Agent needs to download mods',
    access: 'agent',
    params: z.object({ taskId: id }),
    body: agentRequestProof,
    response: z.object({
      v: z.literal(agentProtocolVersion),
      nonce: z.string(),
      curseforge: z.string(),
    }),
    problems,
  }),
} as const;
