import { createHash, createHmac, sign } from 'node:crypto';
import {
  agentSecretInfo,
  type EnrolmentAnswer,
  type EnrolmentRequest,
  enrolAgentText,
  enrolApiText,
  enrolmentAnswer,
  enrolmentExchange,
} from '#contracts/servers/agent-enrolment.ts';
import { agentProtocolVersion } from '#contracts/servers/agent-protocol.ts';
import { deriveSharedSecret, type ExchangeKey, newExchangeKey } from '#runtime/auth/key-exchange.ts';
import type { Answer } from '../../../kernel/testing/ask.ts';
import { testOwner } from '../../../kernel/testing/feature-api.ts';
import { type AgentIdentity, agentIdentity, type ConnectOptions, post } from './scripted-agent.ts';
import type { TestGateway } from './test-gateway.ts';

/** What an agent with a code sends, and what it keeps. */
export interface Enrolling {
  readonly request: EnrolmentRequest;
  readonly code: string;
  readonly exchange: ExchangeKey;
  readonly identity: AgentIdentity;
}

type Asked = Omit<EnrolmentRequest, 'mac' | 'signature'>;

const macOf = (code: string, text: string) => createHmac('sha256', code).update(text).digest('base64url');

/** Proven and signed the way an agent that knows this code does it. */
export const proven = (asked: Asked, code: string, { privateKey }: AgentIdentity): EnrolmentRequest => {
  const text = enrolAgentText(asked);
  const signature = sign(null, Buffer.from(text), privateKey).toString('base64url');
  return { ...asked, mac: macOf(code, text), signature };
};

export const enrolling = (
  enrolment: string,
  code: string,
  changes: Partial<EnrolmentRequest> = {},
  identity: AgentIdentity = agentIdentity('not known yet'),
): Enrolling => {
  const exchange = newExchangeKey();
  const asked: Asked = {
    v: agentProtocolVersion,
    enrolment,
    exchangeKey: exchange.publicKey,
    agentKey: identity.agentKey,
    nonce: createHash('sha256').update(exchange.publicKey).digest('base64url'),
    game: null,
    agentVersion: 'scripted',
    platform: 'linux-x64',
    ...changes,
  };
  return { request: proven(asked, code, identity), code, exchange, identity };
};

/** Creates one the way the panel does. */
export const makeEnrolment = async (
  { gateway }: Pick<TestGateway, 'gateway'>,
  serverId: string,
): Promise<{ readonly id: string; readonly code: string }> => {
  const created = await gateway.enrolments.create(serverId, {
    actor: { ...testOwner, kind: 'desktop' },
    address: '203.0.113.9',
  });
  if ('refused' in created) throw new Error(created.refused);
  return { id: created.enrolment.id, code: created.code.reveal() };
};

export const sendEnrolment = (
  port: number,
  request: unknown,
  options: ConnectOptions = {},
): Promise<Answer> => post(port, enrolmentExchange.path, request, options);

/** Who the agent is from now on. @throws when the API has not shown that it knows the code */
export const enrolledAs = (
  { request, code, exchange, identity }: Enrolling,
  answer: Answer,
): AgentIdentity => {
  if (answer.status !== 200) throw new Error(answer.text);
  const { proof, ...unproven }: EnrolmentAnswer = enrolmentAnswer.parse(answer.json);
  const text = enrolApiText(request, unproven);
  if (proof !== macOf(code, text)) throw new Error('the API has not shown the code');
  const secret = deriveSharedSecret({
    own: exchange,
    other: unproven.exchangeKey,
    salt: createHash('sha256').update(text).digest(),
    info: agentSecretInfo,
  });
  return { ...identity, serverId: unproven.serverId, secret: secret ?? '' };
};
