import { problems } from '#contracts/kernel/problems.ts';
import { licenseFaults } from '#contracts/license/license-state.ts';
import { type AgentRefusal, agentRefusals } from '#contracts/servers/agent-connection.ts';
import { agentCloseCodes } from '#contracts/servers/agent-protocol.ts';
import { pinMismatch } from './api-transport.ts';

/**
 * How a connection ended.
 * - `unreachable`: no TCP, no TLS, no answer
 * - `http`: a request or an upgrade was answered with an error; `code` is from its problem document
 * - `refused`: by a frame
 * - `closed`: the WebSocket closed
 * - `silent`: heartbeats were no longer acknowledged
 * - `unproven`: the API did not prove that it knows the secret
 * - `misunderstood`: a message violated the protocol
 * - `stopped`: from our side
 */
export type ConnectionEnd =
  | {
      readonly cause: 'unreachable';
      /** Codes of the error. */
      readonly detail: string;
      /** A sentence for people; absent for certificates. */
      readonly words?: string | undefined;
    }
  | { readonly cause: 'misunderstood'; readonly detail: string }
  | {
      readonly cause: 'http';
      readonly status: number;
      readonly code: string | null;
      readonly retryAfterSeconds: number | null;
    }
  | {
      readonly cause: 'refused';
      readonly code: AgentRefusal;
      readonly retryAfterSeconds: number | null;
    }
  | { readonly cause: 'closed'; readonly closeCode: number }
  | { readonly cause: 'silent' | 'unproven' | 'stopped' };

export interface EndedConnection {
  readonly end: ConnectionEnd;
  /** A heartbeat has been acknowledged. */
  readonly wasAcknowledged: boolean;
}

export interface ConnectionVerdict {
  /** Three of these in a row start polling. */
  readonly countsAsFailure: boolean;
  /** Null: the usual wait after a loss, growing with the tries. */
  readonly slowMs: { readonly least: number; readonly most: number } | null;
  /** What happened and what to do, for the operator. */
  readonly message: string;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const licenseWait = { least: 30 * secondMs, most: 90 * secondMs };
/** So that agents refused together do not come back together. */
const spread = 1.2;
/** The longest wait that the API may request. */
const longestWaitMs = 60 * minuteMs;

const between = (leastMs: number) => ({ least: leastMs, most: leastMs * spread });
const refusalWaitMs = (code: AgentRefusal): number | null => {
  if (code === 'AGENT_SUPERSEDED') return 5 * minuteMs;
  // The nonce came too late, or was issued before the API restarted: the next one will work.
  return code === 'AGENT_NONCE_INVALID' ? null : minuteMs;
};

const licenseMessage =
  'Castellan has no valid license at the moment, so the agent waits. See the page License in the panel.';

/** What the end of a connection means, and when to try again. */
export const judgeConnection = ({ end, wasAcknowledged }: EndedConnection): ConnectionVerdict => {
  const lost = (message: string): ConnectionVerdict => ({
    countsAsFailure: !wasAcknowledged,
    slowMs: null,
    message,
  });
  const waits = (slowMs: ConnectionVerdict['slowMs'], message: string): ConnectionVerdict => ({
    countsAsFailure: false,
    slowMs,
    message,
  });
  switch (end.cause) {
    case 'unreachable':
      return lost(
        end.words === undefined
          ? `The API cannot be reached: ${end.detail}.${certificateAdvice(end.detail)}`
          : `The API cannot be reached. ${end.words}`,
      );
    case 'misunderstood':
      return lost(`What answers at apiUrl does not speak the agent's protocol: ${end.detail}`);
    case 'http': {
      if (isRefusal(end.code)) return judgeRefusal(end.code, end.retryAfterSeconds);
      if (end.status === 403 && isLicenseFault(end.code)) return waits(licenseWait, licenseMessage);
      const asked = askedWait(end.retryAfterSeconds);
      const title = end.code === null ? '' : ` (${end.code})`;
      return { ...lost(`The API answers with HTTP status ${end.status}${title}.`), slowMs: asked };
    }
    case 'refused':
      return judgeRefusal(end.code, end.retryAfterSeconds);
    case 'closed':
      if (end.closeCode === agentCloseCodes.licenseRejected) return waits(licenseWait, licenseMessage);
      if (end.closeCode === agentCloseCodes.superseded) return judgeRefusal('AGENT_SUPERSEDED', null);
      if (end.closeCode === agentCloseCodes.refused)
        return waits(between(minuteMs), 'The API refused the agent.');
      if (end.closeCode === agentCloseCodes.goingAway) return waits(null, 'The API is restarting.');
      return lost(`The connection was closed (${end.closeCode}).`);
    case 'silent':
      return lost('The API no longer acknowledges heartbeats.');
    case 'unproven':
      return waits(
        between(minuteMs),
        'What answers at apiUrl does not know the secret, so the agent ignores it. Check apiUrl and secret in config.json.',
      );
    case 'stopped':
      return waits(null, 'Stopped.');
  }
};

const ofCertificates = /CERT|SELF_SIGNED|UNABLE_TO_/;

/** The API was reached, and its certificate is not trusted: a person has to fix that. */
export const isDistrusted = (detail: string): boolean => ofCertificates.test(detail);

const certificateAdvice = (detail: string): string => {
  if (detail.includes(pinMismatch))
    return ' Its certificate has another key than the one that this agent was given. If you changed the key, create a new line in the panel and paste it here. If you did not, something stands between this machine and Castellan. Nothing was sent to it.';
  if (/CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/.test(detail))
    return " Check this machine's clock. If it is right, renew the certificate.";
  return isDistrusted(detail)
    ? ' If you made the certificate yourself, create a new line in the panel, which names its key, and paste it here.'
    : '';
};

const judgeRefusal = (code: AgentRefusal, retryAfterSeconds: number | null): ConnectionVerdict => {
  const ownMs = refusalWaitMs(code);
  const asked = askedWait(retryAfterSeconds);
  // Our own longer waits take precedence: two agents that supersede each other must not do so every second.
  const own = ownMs === null ? null : between(ownMs);
  const slowMs = code === 'AGENT_SUPERSEDED' || asked === null ? own : asked;
  const { title, remedy } = problems[code];
  return { countsAsFailure: false, slowMs, message: `${code}: ${title}. ${remedy}` };
};

const askedWait = (seconds: number | null) =>
  seconds === null || !(seconds > 0) ? null : between(Math.min(seconds * secondMs, longestWaitMs));

const isRefusal = (code: string | null): code is AgentRefusal =>
  (agentRefusals as readonly (string | null)[]).includes(code);
const isLicenseFault = (code: string | null): boolean =>
  (licenseFaults as readonly (string | null)[]).includes(code);
