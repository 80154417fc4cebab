import { sign } from 'node:crypto';
import type * as z from 'zod';
import {
  type AgentRequestProof,
  agentFilesHttp,
  filePartBytes,
  fileProofText,
  modKeysProofText,
} from '#contracts/servers/agent-files.ts';
import { agentProtocolVersion, challengeAnswer } from '#contracts/servers/agent-protocol.ts';
import { agentEndpoints } from '#contracts/servers/agents.ts';
import { askApi } from '../connection/api-request.ts';
import { addressBelow } from '../connection/connection.ts';
import type { ConnectionEnd } from '../connection/connection-verdict.ts';
import { type Identity, macOf } from '../connection/proof.ts';
import type { ApiFiles } from '../mods/downloads/api-files.ts';
import { PassingFault } from '../mods/downloads/download-fault.ts';
import { ModFileError, type ModFileFault } from '../mods/mod-files.ts';

type Shown = Pick<AgentRequestProof, 'nonce' | 'serverId' | 'agentKey'>;

/** Requests from the API the files and keys that a running task names, each request proven separately. */
export const createTaskFiles = (options: {
  readonly apiUrl: URL;
  readonly pins: readonly string[];
  readonly identity: Pick<Identity, 'serverId' | 'secret' | 'key'>;
  /** For one request. */
  readonly answerMs?: number;
}): ApiFiles => {
  const { apiUrl, pins, identity, answerMs = 60_000 } = options;
  const v = agentProtocolVersion;
  /** From the last answer: saves a request for each part. */
  let nextNonce: string | null = null;

  const ask = async <Schema extends z.ZodType>(
    url: URL,
    body: object,
    answer: Schema,
    refused: ModFileFault,
    signal: AbortSignal,
  ): Promise<z.output<Schema>> => {
    const asked = await askApi({
      url,
      body: JSON.stringify(body),
      answer,
      pins,
      timeoutMs: answerMs,
      signal,
    });
    if ('answer' in asked) return asked.answer;
    signal.throwIfAborted();
    throw faultOf(asked.end, refused);
  };
  const askProven = async <Schema extends z.ZodType<{ nonce: string }>>(
    url: URL,
    textOf: (shown: Shown) => string,
    answer: Schema,
    refused: ModFileFault,
    signal: AbortSignal,
  ): Promise<z.output<Schema>> => {
    const challenge = addressBelow(apiUrl, agentEndpoints.challenge.path);
    const nonce = nextNonce ?? (await ask(challenge, { v }, challengeAnswer, 'away', signal)).nonce;
    nextNonce = null;
    const given = await ask(url, requestProofOf(identity, nonce, textOf), answer, refused, signal);
    nextNonce = given.nonce;
    return given;
  };

  return {
    partBytes: filePartBytes,
    async part(taskId, fileId, part, signal) {
      const { path, response } = agentFilesHttp.part;
      const url = addressBelow(apiUrl, path.replace(':taskId', taskId).replace(':fileId', fileId));
      url.search = new URLSearchParams({ part: `${part}` }).toString();
      const textOf = (shown: Shown) => fileProofText(shown, { taskId, fileId, part });
      const { bytes, content } = await askProven(url, textOf, response, 'gone', signal);
      return { bytes, content: Buffer.from(content, 'base64') };
    },
    async curseforgeKey(taskId, signal) {
      const { path, response } = agentFilesHttp.modKeys;
      const url = addressBelow(apiUrl, path.replace(':taskId', taskId));
      const textOf = (shown: Shown) => modKeysProofText(shown, taskId);
      return (await askProven(url, textOf, response, 'key', signal)).curseforge;
    },
  };
};

/** Proves that a request comes from the agent. */
export const requestProofOf = (
  { serverId, secret, key }: Pick<Identity, 'serverId' | 'secret' | 'key'>,
  nonce: string,
  textOf: (shown: Shown) => string,
): AgentRequestProof => {
  const shown = { nonce, serverId, agentKey: key.publicKey };
  const text = textOf(shown);
  return {
    v: agentProtocolVersion,
    ...shown,
    proof: macOf(secret, text).toString('base64url'),
    signature: sign(null, Buffer.from(text), key.privateKey).toString('base64url'),
  };
};

/** An API that is away or restarting is waited for; its own refusal is final. */
const faultOf = (end: ConnectionEnd, refused: ModFileFault): Error => {
  if (end.cause !== 'http') return new PassingFault('away', `Castellan's API does not answer: ${end.cause}.`);
  const { status, code, retryAfterSeconds } = end;
  if (code === 'AGENT_NONCE_INVALID')
    return new PassingFault('away', 'The API was restarted.', { waitMs: 0 });
  const waitMs = retryAfterSeconds === null ? null : retryAfterSeconds * 1000;
  if (status === 429) return new PassingFault('limited', "Castellan's API asks to wait.", { waitMs });
  if (status >= 500)
    return new PassingFault('away', `Castellan's API fails with status ${status}.`, { waitMs });
  const what = refused === 'key' ? 'a CurseForge key: set one in the settings of mods' : 'this file';
  return new ModFileError(refused, `Castellan's API does not give ${what} (${code ?? `status ${status}`}).`);
};
