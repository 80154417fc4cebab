import { createHash, createHmac, sign } from 'node:crypto';
import {
  type UploadedPart,
  uploadContentType,
  uploadProofHeader,
  uploadProofText,
} from '#contracts/servers/agent-uploads.ts';
import { type Answer, ask } from '../../../kernel/testing/ask.ts';
import { type AgentIdentity, askNonce } from './scripted-agent.ts';

interface Changes {
  readonly identity?: AgentIdentity;
  readonly nonce?: string;
  /** What the request says, if it differs from what was proven. */
  readonly said?: Partial<UploadedPart>;
  readonly body?: string;
  readonly header?: Record<string, unknown>;
  readonly rawHeader?: string;
}

/** Uploads a part the way an agent does, except for `changes`. */
export const sendPart = async (
  port: number,
  identity: AgentIdentity,
  proven: Omit<UploadedPart, 'length'>,
  content: string,
  changes: Changes = {},
): Promise<Answer> => {
  const { serverId, agentKey, secret, privateKey } = changes.identity ?? identity;
  const nonce = changes.nonce ?? (await askNonce(port));
  const sha256 = createHash('sha256').update(content).digest('base64url');
  const shown = { nonce, serverId, agentKey, sha256 };
  const text = uploadProofText(shown, { ...proven, length: Buffer.byteLength(content) });
  const header = {
    v: 1,
    ...shown,
    proof: createHmac('sha256', secret).update(text).digest('base64url'),
    signature: sign(null, Buffer.from(text), privateKey).toString('base64url'),
    ...changes.header,
  };
  const said = { ...proven, ...changes.said };
  return ask(port, `/api/game-agent/uploads/${said.taskId}?part=${said.part}&parts=${said.parts}`, {
    method: 'POST',
    headers: {
      'Content-Type': uploadContentType,
      [uploadProofHeader]: changes.rawHeader ?? Buffer.from(JSON.stringify(header)).toString('base64url'),
    },
    body: changes.body ?? content,
  });
};
