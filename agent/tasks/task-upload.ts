import { createHash, sign } from 'node:crypto';
import { problems } from '#contracts/kernel/problems.ts';
import { agentProtocolVersion, challengeAnswer } from '#contracts/servers/agent-protocol.ts';
import {
  largestUpload,
  type UploadedPart,
  type UploadProof,
  uploadContentType,
  uploadPartBytes,
  uploadProofHeader,
  uploadProofText,
  uploadsHttp,
} from '#contracts/servers/agent-uploads.ts';
import { agentEndpoints } from '#contracts/servers/agents.ts';
import { sleep } from '#runtime/sleep.ts';
import { askApi } from '../connection/api-request.ts';
import { addressBelow } from '../connection/connection.ts';
import type { ConnectionEnd } from '../connection/connection-verdict.ts';
import { type Identity, macOf } from '../connection/proof.ts';

/** Sends a task's content part by part, each proven separately. @throws {Error} when the API does not accept it */
type Upload = (taskId: string, content: Buffer, signal: AbortSignal) => Promise<void>;

export const createUpload = (options: {
  readonly apiUrl: URL;
  readonly pins: readonly string[];
  readonly identity: Pick<Identity, 'serverId' | 'secret' | 'key'>;
  /** For one request: the API allows no longer. */
  readonly answerMs?: number;
  /** Between two tries. */
  readonly retryMs?: number;
  /** For the whole upload. */
  readonly mostMs?: number;
}): Upload => {
  const { apiUrl, pins, identity, answerMs = 30_000, retryMs = 2000, mostMs = 30 * 60_000 } = options;
  const v = agentProtocolVersion;

  const askForNonce = (signal: AbortSignal) =>
    askApi({
      url: addressBelow(apiUrl, agentEndpoints.challenge.path),
      body: JSON.stringify({ v }),
      answer: challengeAnswer,
      pins,
      timeoutMs: answerMs,
      signal,
    });

  const sendPart = (part: UploadedPart, content: Buffer, nonce: string, signal: AbortSignal) => {
    const { taskId } = part;
    const url = addressBelow(apiUrl, uploadsHttp.part.path.replace(':taskId', taskId));
    url.search = new URLSearchParams({ part: `${part.part}`, parts: `${part.parts}` }).toString();
    return askApi({
      url,
      body: content,
      headers: {
        'Content-Type': uploadContentType,
        [uploadProofHeader]: encode(uploadProofOf(identity, part, content, nonce)),
      },
      answer: uploadsHttp.part.response,
      pins,
      timeoutMs: answerMs,
      signal,
    });
  };

  return async (taskId, content, cancelled) => {
    if (content.length > largestUpload) throw new Error(`At most ${largestUpload} bytes can be uploaded.`);
    const signal = AbortSignal.any([cancelled, AbortSignal.timeout(mostMs)]);
    const parts = Math.max(1, Math.ceil(content.length / uploadPartBytes));
    let nonce: string | null = null;
    for (let part = 0; part < parts; ) {
      const bytes = content.subarray(part * uploadPartBytes, (part + 1) * uploadPartBytes);
      const asked: Awaited<ReturnType<typeof askForNonce>> = nonce
        ? await sendPart({ taskId, part, parts, length: bytes.length }, bytes, nonce, signal)
        : await askForNonce(signal);
      const hadNonce = nonce !== null;
      nonce = 'answer' in asked ? asked.answer.nonce : null;
      if ('answer' in asked) part += hadNonce ? 1 : 0;
      else if (signal.aborted) throw new Error('The upload was cancelled, or took too long.');
      else if (isFinal(asked.end))
        throw new Error(`The API did not take the upload: ${reasonOf(asked.end)}.`);
      else await sleep(retryMs, signal);
    }
  };
};

/** Proves that this part comes from the agent. */
export const uploadProofOf = (
  { serverId, secret, key }: Pick<Identity, 'serverId' | 'secret' | 'key'>,
  part: UploadedPart,
  content: Buffer,
  nonce: string,
): UploadProof => {
  const shown = {
    v: agentProtocolVersion as typeof agentProtocolVersion,
    serverId,
    nonce,
    agentKey: key.publicKey,
    sha256: createHash('sha256').update(content).digest('base64url'),
  };
  const text = uploadProofText(shown, part);
  return {
    ...shown,
    proof: macOf(secret, text).toString('base64url'),
    signature: sign(null, Buffer.from(text), key.privateKey).toString('base64url'),
  };
};

const encode = (proof: UploadProof): string => Buffer.from(JSON.stringify(proof)).toString('base64url');

/** An API that is away or restarting is waited for; its own refusal is final. */
const isFinal = (end: ConnectionEnd): boolean =>
  end.cause === 'http' && end.status < 500 && end.status !== 429 && end.code !== 'AGENT_NONCE_INVALID';

const reasonOf = (end: ConnectionEnd): string => {
  if (end.cause !== 'http') return end.cause;
  const { code, status } = end;
  return code !== null && Object.hasOwn(problems, code)
    ? `${problems[code as keyof typeof problems].title} (${code})`
    : `HTTP status ${status}`;
};
