import { createHash, createHmac, sign } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { problems } from '#contracts/kernel/problems.ts';
import {
  agentSecretInfo,
  type EnrolmentAnswer,
  enrolAgentText,
  enrolApiText,
  enrolmentAnswer,
  enrolmentExchange,
} from '#contracts/servers/agent-enrolment.ts';
import { deriveSharedSecret } from '#runtime/auth/key-exchange.ts';
import { equalBytes } from '#runtime/auth/secret-token.ts';
import { Secret } from '#runtime/secret.ts';
import { askApi } from '../connection/api-request.ts';
import { addressBelow } from '../connection/connection.ts';
import { type ConnectionEnd, isDistrusted, judgeConnection } from '../connection/connection-verdict.ts';
import type { EnrolmentDraft } from './enrolment-draft.ts';

export interface Enrolled {
  readonly answer: EnrolmentAnswer;
  /** The agent's secret, which never crossed the wire. */
  readonly secret: Secret;
}

interface EnrolmentFault {
  /** For people. */
  readonly fault: string;
  /** The API cannot have accepted this request and never will: the draft is useless. */
  readonly isFinal: boolean;
  /** Another request has already used the code. */
  readonly isUsed?: boolean;
}

const tries = 6;
const usualRetryMs = 3000;
const timeoutMs = 20_000;

const macOf = (code: Secret, text: string): Buffer =>
  createHmac('sha256', code.reveal()).update(text).digest();

/** Exchanges keys with the API, each side proving that it knows the code. Retries when the API cannot be reached. */
export const askEnrolment = async (options: {
  readonly apiUrl: URL;
  readonly pins: readonly string[];
  readonly code: Secret;
  readonly draft: EnrolmentDraft;
  /** Called before it is tried again. */
  readonly onRetry: (why: string) => void;
  readonly retryMs?: number;
}): Promise<Enrolled | EnrolmentFault> => {
  const { apiUrl, pins, code, draft, onRetry, retryMs = usualRetryMs } = options;
  const text = enrolAgentText(draft.asked);
  const body = JSON.stringify({
    ...draft.asked,
    mac: macOf(code, text).toString('base64url'),
    signature: sign(null, Buffer.from(text), draft.agentKey.privateKey).toString('base64url'),
  });
  /** A request may have been accepted and its answer lost: only its own keys get that answer again. */
  let isTaken = !draft.isNew;
  for (let count = 1; ; count += 1) {
    const asked = await askApi({
      url: addressBelow(apiUrl, enrolmentExchange.path),
      body,
      answer: enrolmentAnswer,
      pins,
      timeoutMs,
      signal: new AbortController().signal,
    });
    if ('answer' in asked) return believe(asked.answer, draft, code);
    isTaken ||= mayHelp(asked.end);
    const fault = faultOf(asked.end, isTaken);
    if (count === tries || !mayHelp(asked.end)) return fault;
    onRetry(fault.fault);
    await delay(retryMs);
  }
};

/** Nothing in an answer counts before it has proven that it comes from the API that made the code. */
const believe = (answer: EnrolmentAnswer, draft: EnrolmentDraft, code: Secret): Enrolled | EnrolmentFault => {
  const { proof, ...unproven } = answer;
  const text = enrolApiText(draft.asked, unproven);
  const secret = equalBytes(Buffer.from(proof, 'base64url'), macOf(code, text))
    ? deriveSharedSecret({
        own: draft.exchangeKey,
        other: answer.exchangeKey,
        salt: createHash('sha256').update(text).digest(),
        info: agentSecretInfo,
      })
    : null;
  if (secret === null)
    return {
      fault:
        'What answers there is not the Castellan that made this code. Nothing was written. Check the address, and check that nothing stands between this machine and Castellan.',
      isFinal: false,
    };
  return { answer, secret: new Secret(secret) };
};

/** The API is away, or temporarily out of use. */
const mayHelp = (end: ConnectionEnd): boolean =>
  (end.cause === 'unreachable' && !isDistrusted(end.detail)) || (end.cause === 'http' && end.status >= 500);

/** Final even for a resumed request, whose earlier answer might otherwise still come. */
const final: readonly (string | null)[] = ['AGENT_ENROLMENT_ENDED', 'AGENT_ENROLMENT_USED'];

const faultOf = (end: ConnectionEnd, isTaken: boolean): EnrolmentFault => {
  const code = end.cause === 'http' ? end.code : null;
  // Its usual remedy applies to an agent that was configured by hand.
  if (code === 'AGENT_SERVER_UNKNOWN')
    return {
      fault:
        'The server is in the archive or was deleted. Restore it in the panel, then create a new line there.',
      isFinal: !isTaken,
    };
  if (code !== null && Object.hasOwn(problems, code)) {
    const { title, meaning, remedy } = problems[code as keyof typeof problems];
    return {
      fault: `${title}: ${meaning} ${remedy}`,
      isFinal: !isTaken || final.includes(code),
      isUsed: code === 'AGENT_ENROLMENT_USED',
    };
  }
  return { fault: judgeConnection({ end, wasAcknowledged: false }).message, isFinal: false };
};
