import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Kysely } from 'kysely';
import type { ProblemCode } from '#contracts/kernel/problems.ts';
import type { AgentRefusal } from '#contracts/servers/agent-connection.ts';
import {
  agentSecretInfo,
  type EnrolmentAnswer,
  type EnrolmentRequest,
  enrolAgentText,
  enrolApiText,
} from '#contracts/servers/agent-enrolment.ts';
import { agentProtocolVersion } from '#contracts/servers/agent-protocol.ts';
import { games } from '#contracts/servers/games.ts';
import { deriveSharedSecret, newExchangeKey } from '#runtime/auth/key-exchange.ts';
import { equalBytes } from '#runtime/auth/secret-token.ts';
import { countedAddress } from '#runtime/http/address-group.ts';
import { Problem } from '#runtime/problem.ts';
import { Secret } from '#runtime/secret.ts';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import type { Tables } from '../../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../../kernel/http/refusal.ts';
import type { LiveTopic } from '../../../kernel/live/live-topic.ts';
import type { Secrets } from '../../../kernel/secrets/secrets.ts';
import {
  type AgentRefusals,
  type AgentServers,
  type AllowPlain,
  isRefusedAsPlain,
  problemOf,
  type ReadOrigin,
  type RequestOrigin,
  refuseAgent,
} from '../admission.ts';
import { agentSecretColumn, isSignedBy } from '../agent-proof.ts';
import type { ReplaceAgent } from '../replace-agent.ts';
import {
  createEnrolments,
  createEnrolmentTopic,
  type EnrolmentRow,
  type Enrolments,
  enrolmentCodeColumn,
  isEnded,
  newEnrolmentCode,
} from './enrolments.ts';

/** How a code from the panel makes an agent its server's agent. */
interface AgentEnrolment {
  readonly enrolments: Enrolments;
  readonly topic: LiveTopic;
  /** Exchanges a code for an agent's own secret. @throws {Problem} when the agent is not enrolled */
  enrol(asked: EnrolmentRequest, request: IncomingMessage): Promise<EnrolmentAnswer>;
}

/** Requests of one address block: each costs a database query. */
const requestLimits = { capacity: 30, refillMs: 1000 };

const macOf = (code: Secret, text: string): Buffer =>
  createHmac('sha256', code.reveal()).update(text).digest();
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

export const createAgentEnrolment = (options: {
  readonly db: Kysely<Tables>;
  readonly secrets: Secrets;
  readonly servers: AgentServers;
  readonly install: ReplaceAgent['install'];
  readonly refusals: AgentRefusals;
  readonly allowPlain: AllowPlain;
  readonly readOrigin: ReadOrigin;
  /** Unix time in milliseconds. */
  readonly wallNow: () => number;
  readonly now: () => number;
}): AgentEnrolment => {
  const { db, secrets, servers, install, refusals, allowPlain, readOrigin, wallNow, now } = options;
  const topic = createEnrolmentTopic();
  const { changed } = topic;
  const enrolments = createEnrolments({ db, secrets, wallNow, changed });
  const budget = createTokenBuckets(requestLimits, now);

  const wrongProof = (address: string): Problem => {
    const refused = refusals.wrongProof(address);
    refusals.tell(refused, address, null);
    return refused.code === 'AGENT_THROTTLED' ? problemOf(refused) : new Problem('AGENT_ENROLMENT_REFUSED');
  };
  const codeOf = ({ id, code }: EnrolmentRow): Secret | null => {
    const opened = secrets.open(enrolmentCodeColumn, [id], code);
    return opened.outcome === 'open' ? opened.secret : null;
  };

  /** Why an agent that has proven the code is still refused. */
  const obstacle = (row: EnrolmentRow, asked: EnrolmentRequest): Refusal | null => {
    if (row.used_at && row.request_digest !== digestOf(asked)) return refuse('AGENT_ENROLMENT_USED');
    if (isEnded(row, wallNow())) return refuse('AGENT_ENROLMENT_ENDED');
    const server = servers.get(row.server_id);
    if (!server) return refuse('AGENT_SERVER_UNKNOWN');
    if (asked.game === null || asked.game === server.game) return null;
    const names = [games[server.game].name, games[asked.game].name];
    return refuse('AGENT_GAME_MISMATCH', `The panel has ${names[0]} for this server, the agent ${names[1]}.`);
  };

  const installProven = async (
    row: EnrolmentRow,
    code: Secret,
    asked: EnrolmentRequest,
    { address }: RequestOrigin,
  ): Promise<EnrolmentAnswer | Refusal> => {
    const server = servers.get(row.server_id);
    if (!server) return refuse('AGENT_SERVER_UNKNOWN');
    const own = newExchangeKey();
    const unproven = {
      v: agentProtocolVersion,
      exchangeKey: own.publicKey,
      serverId: row.server_id,
      serverName: server.name,
      game: server.game,
    } as const;
    const text = enrolApiText(asked, unproven);
    const derived = deriveSharedSecret({
      own,
      other: asked.exchangeKey,
      salt: sha256(text),
      info: agentSecretInfo,
    });
    if (derived === null) return refuse('AGENT_ENROLMENT_REFUSED');
    const answer = { ...unproven, proof: macOf(code, text).toString('base64url') };
    const { agentKey, agentVersion: version } = asked;
    const sealed = secrets.seal(agentSecretColumn, [row.server_id], new Secret(derived));
    return install(
      { serverId: row.server_id, serverName: server.name, agentKey, version, address, sealed },
      { id: row.id, requestDigest: digestOf(asked), answer, at: new Date(wallNow()) },
    );
  };

  const enrol: AgentEnrolment['enrol'] = async (asked, request) => {
    const origin = readOrigin(request);
    const { address } = origin;
    if (await isRefusedAsPlain(origin, allowPlain)) throw problemOf(refuseAgent('AGENT_TLS_REQUIRED'));
    const waitMs = budget.tryTake(countedAddress(address));
    if (waitMs > 0) throw problemOf(refuseAgent('AGENT_THROTTLED', undefined, Math.ceil(waitMs / 1000)));
    const row = await db
      .selectFrom('agent_enrolments')
      .selectAll()
      .where('id', '=', asked.enrolment)
      .executeTakeFirst();
    const code = row && codeOf(row);
    const text = enrolAgentText(asked);
    // Computed for an enrolment that does not exist, too: the time must not tell which ids exist.
    const expected = macOf(code ?? newEnrolmentCode(), text);
    const isProven = equalBytes(Buffer.from(asked.mac, 'base64url'), expected);
    const isSigned = await isSignedBy(asked.agentKey, text, asked.signature);
    if (!row || !code || !isProven || !isSigned) {
      const problem = wrongProof(address);
      if (row) enrolments.noteFailure(row.id, row.server_id, { code: problem.code, address });
      throw problem;
    }
    const outcome = obstacle(row, asked) ?? (await installProven(row, code, asked, origin));
    if (!isRefusal(outcome)) {
      changed(row.server_id);
      return outcome;
    }
    enrolments.noteFailure(row.id, row.server_id, { code: outcome.refused, address });
    throw refusalProblem(outcome);
  };

  return { enrolments, topic, enrol };
};

const digestOf = (asked: EnrolmentRequest): string => sha256(enrolAgentText(asked)).toString('base64url');

/** With a time to come again if the protocol's code has one. */
const refusalProblem = ({ refused, detail }: Refusal): Problem => {
  const codes: readonly ProblemCode[] = ['AGENT_SERVER_UNKNOWN', 'AGENT_GAME_MISMATCH'];
  if (codes.includes(refused)) return problemOf(refuseAgent(refused as AgentRefusal, detail));
  return new Problem(refused, detail === undefined ? {} : { detail });
};
