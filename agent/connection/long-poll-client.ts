import * as z from 'zod';
import {
  type ApiFrame,
  agentProtocolVersion,
  challengeAnswer,
  largestAgentFrame,
  pollAnswer,
} from '#contracts/servers/agent-protocol.ts';
import { agentEndpoints } from '#contracts/servers/agents.ts';
import { askApi } from './api-request.ts';
import { addressBelow, type ConnectionOptions } from './connection.ts';
import type { ConnectionEnd } from './connection-verdict.ts';
import type { Budget, EncodedFrame } from './outbox.ts';
import { isProvenApi, makeHello } from './proof.ts';
import { readFrame } from './read-frame.ts';

/** Room for everything around the frames in the body of a poll: the hello, with its id at its longest, and some reserve. */
const helloBytes = 4096;
export const pollBudget: Budget = { bytes: largestAgentFrame - helloBytes, frames: 200 };

/** Consecutive polls, each with the nonce of the previous answer. */
export interface LongPollClient {
  /** The frames of an API that has proven itself, starting with the welcome. Never rejects; one at a time. */
  poll(
    frames: readonly EncodedFrame[],
    hold: boolean,
  ): Promise<{ readonly frames: readonly ApiFrame[] } | { readonly end: ConnectionEnd }>;
}

type LongPollOptions = Pick<ConnectionOptions, 'apiUrl' | 'pins' | 'identity' | 'timing'> & {
  readonly signal: AbortSignal;
};

/** Unknown frames of a later API are skipped, as over a WebSocket. */
const looseAnswer = pollAnswer.extend({ frames: z.array(z.unknown()) });

export const createLongPollClient = ({
  apiUrl,
  pins,
  identity,
  timing,
  signal,
}: LongPollOptions): LongPollClient => {
  const v = agentProtocolVersion;
  let nonce: string | null = null;

  const askForNonce = async () => {
    const asked = await askApi({
      url: addressBelow(apiUrl, agentEndpoints.challenge.path),
      body: JSON.stringify({ v }),
      answer: challengeAnswer,
      pins,
      timeoutMs: timing.answerMs,
      signal,
    });
    if ('end' in asked) return asked.end;
    nonce = asked.answer.nonce;
    return null;
  };

  const pollOnce = async (frames: readonly EncodedFrame[], hold: boolean) => {
    const obstacle = nonce === null ? await askForNonce() : null;
    if (obstacle) return { end: obstacle };
    const hello = makeHello(identity, nonce ?? '');
    nonce = null;
    const asked = await askApi({
      url: addressBelow(apiUrl, agentEndpoints.poll.path),
      body: `{"v":${v},"hello":${JSON.stringify(hello)},"frames":[${frames.join(',')}],"hold":${hold}}`,
      answer: looseAnswer,
      pins,
      timeoutMs: hold ? timing.heldMs : timing.answerMs,
      signal,
    });
    if ('end' in asked) return asked;
    const heard: ApiFrame[] = [];
    for (const raw of asked.answer.frames) {
      const frame = readFrame(JSON.stringify(raw));
      if (frame === null)
        return { end: { cause: 'misunderstood', detail: 'a frame that is none of the protocol' } as const };
      if (frame !== 'unknown') heard.push(frame);
    }
    const [welcome] = heard;
    if (welcome?.type !== 'welcome' || !isProvenApi(welcome.proof, hello, identity.secret))
      return { end: { cause: 'unproven' } as const };
    nonce = asked.answer.nonce;
    return { frames: heard };
  };

  return {
    async poll(frames, hold) {
      const hadNonce = nonce !== null;
      const first = await pollOnce(frames, hold);
      // It is too old, or the API restarted: a fresh one decides.
      const isStaleNonce =
        hadNonce && 'end' in first && first.end.cause === 'http' && first.end.code === 'AGENT_NONCE_INVALID';
      return isStaleNonce ? pollOnce(frames, hold) : first;
    },
  };
};
