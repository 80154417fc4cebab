import { expect, test } from 'vitest';
import type { EnrolmentRequest } from '#contracts/servers/agent-enrolment.ts';
import { newExchangeKey } from '#runtime/auth/key-exchange.ts';
import { testOwner } from '../../../kernel/testing/feature-api.ts';
import { enrolling, makeEnrolment, proven, sendEnrolment } from '../testing/enrolling-agent.ts';
import { gatewayForThisFile } from '../testing/gateway-of-a-test.ts';
import { agentIdentity, type ConnectOptions } from '../testing/scripted-agent.ts';

let movedMs = 0;
const by = { actor: testOwner, address: '203.0.113.9' };
const { api, database, servers } = await gatewayForThisFile({ wallNow: () => Date.now() + movedMs });
await servers.add('mine');
await servers.add('other');
await servers.add('archived');

const newCode = (serverId = 'mine') => makeEnrolment(api, serverId);
type Code = Awaited<ReturnType<typeof newCode>>;

const rightCode = 'AGENT_ENROLMENT_REFUSED';
const shape = 'INVALID_REQUEST';
const keyOfZeros = Buffer.alloc(32).toString('base64url');
/** A point of order 8 on Curve25519. */
const smallOrder = Buffer.from(
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  'hex',
).toString('base64url');
const flipped = (text: string) => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;

interface Attack {
  readonly name: string;
  /** What an attacker sends who has, or has not, what the code of this moment opens. */
  readonly send: (code: Code) => Promise<unknown> | unknown;
  readonly refusal: string;
  readonly options?: ConnectOptions;
}

/** One member changed after everything was proven: neither the code's proof nor the signature matches any more. */
const altered = (name: keyof EnrolmentRequest, value: (kept: string) => unknown): Attack => ({
  name: `${name} altered on the way`,
  send: ({ id, code }) => {
    const { request } = enrolling(id, code);
    return { ...request, [name]: value(String(request[name])) };
  },
  refusal: rightCode,
});

const attacks: readonly Attack[] = [
  altered('exchangeKey', () => newExchangeKey().publicKey),
  altered('agentKey', () => agentIdentity('x').agentKey),
  altered('nonce', flipped),
  altered('game', () => 'minecraft'),
  altered('agentVersion', (kept) => `${kept} `),
  altered('platform', () => 'win32-x64'),
  altered('mac', flipped),
  altered('signature', flipped),
  altered('enrolment', flipped),
  {
    name: 'lengths moved between members',
    send: ({ id, code }) => {
      const { request } = enrolling(id, code, { agentVersion: 'ab', platform: 'c' });
      return { ...request, agentVersion: 'a', platform: 'bc' };
    },
    refusal: rightCode,
  },
  {
    name: 'a line feed that would move a member',
    send: ({ id, code }) => {
      const { request } = enrolling(id, code, { agentVersion: 'a', platform: 'b\n1:c' });
      return { ...request, agentVersion: 'a\n1:b', platform: 'c' };
    },
    refusal: rightCode,
  },
  {
    name: 'a guessed code',
    send: ({ id, code }) => enrolling(id, flipped(code)).request,
    refusal: rightCode,
  },
  { name: 'an empty code', send: ({ id }) => enrolling(id, '').request, refusal: rightCode },
  {
    name: 'the id in place of the code',
    send: ({ id }) => enrolling(id, id).request,
    refusal: rightCode,
  },
  {
    name: 'an enrolment that does not exist',
    send: ({ code }) => enrolling('doesnotexist', code).request,
    refusal: rightCode,
  },
  {
    name: "another server's code for this enrolment",
    send: async ({ id }) => enrolling(id, (await newCode('other')).code).request,
    refusal: rightCode,
  },
  {
    name: 'a signature by another key than the one named',
    send: ({ id, code }) => {
      const { request, identity } = enrolling(id, code);
      const { mac: _, signature: __, ...asked } = request;
      return { ...request, signature: proven(asked, code, agentIdentity(identity.serverId)).signature };
    },
    refusal: rightCode,
  },
  {
    name: 'a key that no one can hold',
    send: ({ id, code }) =>
      enrolling(id, code, { agentKey: Buffer.alloc(32, 0xff).toString('base64url') }).request,
    refusal: rightCode,
  },
  {
    name: 'an exchange key of zeros',
    send: ({ id, code }) => enrolling(id, code, { exchangeKey: keyOfZeros }).request,
    refusal: rightCode,
  },
  {
    name: 'an exchange key of small order',
    send: ({ id, code }) => enrolling(id, code, { exchangeKey: smallOrder }).request,
    refusal: rightCode,
  },
  {
    name: 'a code that is too late',
    send: ({ id, code }) => {
      movedMs += 15 * 60_000;
      return enrolling(id, code).request;
    },
    refusal: 'AGENT_ENROLMENT_ENDED',
  },
  {
    name: 'a guessed code of an enrolment that is too late',
    send: ({ id, code }) => {
      movedMs += 15 * 60_000;
      return enrolling(id, flipped(code)).request;
    },
    refusal: rightCode,
  },
  {
    name: 'a code that a newer one ended',
    send: async ({ id, code }) => {
      await newCode();
      return enrolling(id, code).request;
    },
    refusal: 'AGENT_ENROLMENT_ENDED',
  },
  {
    name: 'a code that was cancelled',
    send: async ({ id, code }) => {
      await api.gateway.enrolments.cancel('mine', by);
      return enrolling(id, code).request;
    },
    refusal: 'AGENT_ENROLMENT_ENDED',
  },
  {
    name: 'a code used by another agent',
    send: async ({ id, code }) => {
      await sendEnrolment(api.port, enrolling(id, code).request);
      return enrolling(id, code).request;
    },
    refusal: 'AGENT_ENROLMENT_USED',
  },
  {
    name: 'a code used by the same agent with another exchange key',
    send: async ({ id, code }) => {
      const first = enrolling(id, code);
      await sendEnrolment(api.port, first.request);
      return enrolling(id, code, {}, first.identity).request;
    },
    refusal: 'AGENT_ENROLMENT_USED',
  },
  {
    name: 'an exchange played back when its code is over',
    send: async ({ id, code }) => {
      const { request } = enrolling(id, code);
      await sendEnrolment(api.port, request);
      movedMs += 15 * 60_000;
      return request;
    },
    refusal: 'AGENT_ENROLMENT_ENDED',
  },
  {
    name: 'an exchange played back when the agent was replaced',
    send: async ({ id, code }) => {
      const { request } = enrolling(id, code);
      await sendEnrolment(api.port, request);
      await api.gateway.replace('mine', by);
      return request;
    },
    refusal: 'AGENT_ENROLMENT_ENDED',
  },
  {
    name: 'a server that was archived meanwhile',
    send: async () => {
      const { id, code } = await newCode('archived');
      servers.inUse.delete('archived');
      return enrolling(id, code).request;
    },
    refusal: 'AGENT_SERVER_UNKNOWN',
  },
  {
    name: 'a server archived in the database, of which memory does not know yet',
    send: async () => {
      await servers.add('going');
      const { id, code } = await newCode('going');
      await database.pool.query(`update game_servers set archived_at = now() where id = 'going'`);
      return enrolling(id, code).request;
    },
    refusal: 'AGENT_SERVER_UNKNOWN',
  },
  {
    name: 'an agent of another game',
    send: ({ id, code }) => enrolling(id, code, { game: 'ark-se' }).request,
    refusal: 'AGENT_GAME_MISMATCH',
  },
  {
    name: 'another version of the protocol',
    send: ({ id, code }) => ({ ...enrolling(id, code).request, v: 2 }),
    refusal: 'AGENT_VERSION_UNSUPPORTED',
  },
  {
    name: 'from elsewhere without TLS',
    send: ({ id, code }) => enrolling(id, code).request,
    options: { headers: { 'X-Forwarded-For': '198.51.100.7', 'X-Forwarded-Proto': 'http' } },
    refusal: 'AGENT_TLS_REQUIRED',
  },
  {
    name: 'a member more',
    send: ({ id, code }) => ({ ...enrolling(id, code).request, serverId: 'other' }),
    refusal: shape,
  },
  {
    name: 'a key with padding',
    send: ({ id, code }) => ({ ...enrolling(id, code).request, agentKey: `${keyOfZeros.slice(0, 42)}=` }),
    refusal: shape,
  },
  {
    name: 'an id that is SQL',
    send: ({ code }) => enrolling("' or 1=1 --", code).request,
    refusal: rightCode,
  },
  { name: 'an id with NUL', send: ({ code }) => enrolling('a\0b', code).request, refusal: rightCode },
  { name: 'a list in place of a request', send: () => [], refusal: shape },
  {
    name: 'a body beyond all measure',
    send: ({ id, code }) => ({ ...enrolling(id, code).request, platform: 'x'.repeat(200_000) }),
    refusal: 'PAYLOAD_TOO_LARGE',
  },
];

const stored = async () => {
  const { rows } = await database.pool.query(`
    select (select jsonb_agg(to_jsonb(a) order by server_id) from game_agents a) as agents,
           (select jsonb_agg(to_jsonb(e) order by id) from agent_enrolments e) as enrolments,
           (select count(*) from audit_logs) as audits`);
  return rows;
};

let attacker = 0;
/** Each from a separate network: wrong proofs are counted by address. */
const fromElsewhere = (): ConnectOptions => {
  attacker += 1;
  return { headers: { 'X-Forwarded-For': `198.18.${attacker}.1`, 'X-Forwarded-Proto': 'https' } };
};

// Guarantee: none of these enrols an agent, and none changes anything in the database.
test.each(attacks)('$name: $refusal', async ({ send, refusal, options }) => {
  const body = await send(await newCode());
  const before = await stored();
  const answer = await sendEnrolment(api.port, body, options ?? fromElsewhere());
  expect(answer.json.code).toBe(refusal);
  expect(await stored()).toEqual(before);
});

// Guarantee: an enrolment that does not exist and a wrong code cannot be told apart.
test('nothing for a guesser', async () => {
  const { id, code } = await newCode();
  const [unknown, wrong] = await Promise.all(
    [enrolling('doesnotexist', code), enrolling(id, flipped(code))].map(({ request }) =>
      sendEnrolment(api.port, request, fromElsewhere()),
    ),
  );
  const { instance: _, ...first } = unknown?.json ?? {};
  const { instance: __, ...second } = wrong?.json ?? {};
  expect(first).toEqual(second);
});

// Guarantee: a guesser is soon told to wait, and a client from elsewhere that knows the code still gets in.
test('guesses are counted', async () => {
  const { id, code } = await newCode();
  const from = fromElsewhere();
  const codes: unknown[] = [];
  for (let count = 0; count < 12; count += 1)
    codes.push((await sendEnrolment(api.port, enrolling(id, flipped(code)).request, from)).json.code);
  expect(codes.at(-1)).toBe('AGENT_THROTTLED');
  expect((await sendEnrolment(api.port, enrolling(id, code).request, from)).status).toBe(200);
});
