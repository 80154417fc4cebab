import { expect, test } from 'vitest';
import { enrolmentsHttp } from '#contracts/servers/agent-enrolment.ts';
import { agentCloseCodes } from '#contracts/servers/agent-protocol.ts';
import { testOwner } from '../../../kernel/testing/feature-api.ts';
import { enrolledAs, enrolling, makeEnrolment, sendEnrolment } from '../testing/enrolling-agent.ts';
import { gatewayForThisFile } from '../testing/gateway-of-a-test.ts';
import {
  type AgentIdentity,
  agentIdentity,
  askNonce,
  framesOf,
  greetSocket,
  joinSocket,
  poll,
  post,
} from '../testing/scripted-agent.ts';
import { startTestGateway } from '../testing/test-gateway.ts';

let movedMs = 0;
const wallNow = () => Date.now() + movedMs;
const by = { actor: testOwner, address: '203.0.113.9' };
const { api, database, servers, newServer } = await gatewayForThisFile({ wallNow });

const newCode = (serverId: string, of = api) => makeEnrolment(of, serverId);
const enrol = async (serverId: string): Promise<AgentIdentity> => {
  const { id, code } = await newCode(serverId);
  const agent = enrolling(id, code);
  return enrolledAs(agent, await sendEnrolment(api.port, agent.request));
};
let networks = 0;
/** Why it is not let in, over either link; from a separate network, since wrong proofs are counted by address. */
const refusalOf = async (identity: AgentIdentity): Promise<[string, string]> => {
  networks += 1;
  const from = { headers: { 'X-Forwarded-For': `198.18.${networks}.1`, 'X-Forwarded-Proto': 'https' } };
  using agent = await greetSocket(api.port, identity, from);
  const { code } = await agent.next('refused');
  return [code, String((await poll(api.port, identity, from)).json.code)];
};
const wrong = ['AGENT_PROOF_WRONG', 'AGENT_PROOF_WRONG'];

// Guarantee: an enrolled agent is admitted by the secret that both sides derived, which never crossed the wire and is not
// readable in the database, and the panel sees each step.
test('enrolment', async () => {
  const serverId = await newServer();
  const { id, code } = await newCode(serverId);
  await api.gateway.enrolments.markDownloaded(id);
  expect(await api.gateway.enrolments.read(serverId)).toMatchObject({ id, state: 'open', usedAt: null });
  const agent = enrolling(id, code);
  const answer = await sendEnrolment(api.port, agent.request);
  const identity = enrolledAs(agent, answer);
  expect(identity).toMatchObject({ serverId });
  expect(answer.json).toMatchObject({ serverName: `Server ${serverId}`, game: 'minecraft' });
  using _socket = await joinSocket(api.port, identity);
  expect(framesOf(await poll(api.port, identity))[0]).toMatchObject({ type: 'welcome' });
  const shown = await api.gateway.enrolments.read(serverId);
  expect(shown).toMatchObject({ state: 'used', downloadedAt: expect.any(String), lastFailure: null });
  const { rows } = await database.pool.query(
    'select secret, agent_key from game_agents where server_id = $1',
    [serverId],
  );
  expect(rows).toEqual([{ secret: expect.stringMatching(/^v1\./), agent_key: agent.request.agentKey }]);
  for (const told of [api.log(), JSON.stringify(api.told), answer.text])
    for (const secret of [code, identity.secret]) expect(told).not.toContain(secret);
  expect(api.told.filter((event) => event.serverId === serverId).map(({ kind }) => kind)).toEqual([
    'agent.pinned',
    'agent.connected',
  ]);
});

// Guarantee: the shared secret no longer opens an enrolled server, not even with the enrolled key, and an agent's own
// secret opens no other server.
test('secrets stay apart', async () => {
  const [first, second, plain] = [await newServer(), await newServer(), await newServer()];
  const identity = await enrol(first);
  const other = await enrol(second);
  const { secret: shared } = agentIdentity('x');
  expect(await refusalOf(agentIdentity(first))).toEqual(wrong);
  expect(await refusalOf({ ...identity, secret: shared })).toEqual(wrong);
  expect(await refusalOf({ ...identity, serverId: second })).toEqual(wrong);
  expect(await refusalOf({ ...other, serverId: plain })).toEqual(wrong);
  using _still = await joinSocket(api.port, identity);
  using _shared = await joinSocket(api.port, agentIdentity(plain));
});

// Guarantee: an enrolment replaces the present agent: it is sent away immediately, and never comes back.
test('enrolment over a pinned agent', async () => {
  const serverId = await newServer();
  const old = agentIdentity(serverId);
  using socket = await joinSocket(api.port, old);
  const identity = await enrol(serverId);
  expect((await socket.closed).code).toBe(agentCloseCodes.refused);
  expect(await refusalOf(old)).toEqual(wrong);
  using again = await joinSocket(api.port, identity);
  const newest = await enrol(serverId);
  expect((await again.closed).code).toBe(agentCloseCodes.refused);
  expect(await refusalOf(identity)).toEqual(wrong);
  using _newest = await joinSocket(api.port, newest);
});

// Guarantee: replacing an agent removes its own secret; the shared one opens the server again.
test('replaced in the panel', async () => {
  const serverId = await newServer();
  const identity = await enrol(serverId);
  using socket = await joinSocket(api.port, identity);
  await api.gateway.replace(serverId, by);
  expect((await socket.closed).code).toBe(agentCloseCodes.refused);
  expect(await refusalOf(identity)).toEqual(wrong);
  using _shared = await joinSocket(api.port, agentIdentity(serverId));
});

// Guarantee: the same request gets the same response while its code lasts, even from an API that was killed after it
// had committed; after 15 minutes, and after another agent took the place, it gets none.
test('the answer is lost', async () => {
  const serverId = await newServer();
  const { id, code } = await newCode(serverId);
  const agent = enrolling(id, code);
  const first = await sendEnrolment(api.port, agent.request);
  expect((await sendEnrolment(api.port, agent.request)).json).toEqual(first.json);
  {
    await using next = await startTestGateway({ database, servers, wallNow });
    const again = await sendEnrolment(next.port, agent.request);
    expect(again.json).toEqual(first.json);
    using _socket = await joinSocket(next.port, enrolledAs(agent, again));
  }
  movedMs += 15 * 60_000;
  expect((await sendEnrolment(api.port, agent.request)).json.code).toBe('AGENT_ENROLMENT_ENDED');
  const newer = await newCode(serverId);
  const second = enrolling(newer.id, newer.code);
  await sendEnrolment(api.port, second.request);
  await api.gateway.replace(serverId, by);
  expect((await sendEnrolment(api.port, second.request)).json.code).toBe('AGENT_ENROLMENT_ENDED');
});

// Guarantee: of many agents that use one code at the same moment exactly one is enrolled.
test('a race', async () => {
  const serverId = await newServer();
  const { id, code } = await newCode(serverId);
  const agents = Array.from({ length: 8 }, () => enrolling(id, code));
  const answers = await Promise.all(agents.map(({ request }) => sendEnrolment(api.port, request)));
  expect(answers.map(({ status, json }) => (status === 200 ? 'in' : json.code)).sort()).toEqual([
    ...Array.from({ length: 7 }, () => 'AGENT_ENROLMENT_USED'),
    'in',
  ]);
  const [winner] = agents.filter((_agent, index) => answers[index]?.status === 200);
  const { rows } = await database.pool.query('select agent_key from game_agents where server_id = $1', [
    serverId,
  ]);
  expect(rows).toEqual([{ agent_key: winner?.request.agentKey }]);
});

// Guarantee: an agent that got in by the shared secret while the enrolment was written does not stay.
test('a hello beside the enrolment', async () => {
  const serverId = await newServer();
  const { id, code } = await newCode(serverId);
  const agent = enrolling(id, code);
  const old = agentIdentity(serverId);
  const nonces = await Promise.all(Array.from({ length: 6 }, () => askNonce(api.port)));
  const [answer] = await Promise.all([
    sendEnrolment(api.port, agent.request),
    ...nonces.map((nonce) => poll(api.port, old, { nonce })),
  ]);
  using _socket = await joinSocket(api.port, enrolledAs(agent, answer));
  expect(await refusalOf(old)).toEqual(wrong);
});

// Guarantee: what an agent said before the enrolment cannot be replayed after it, and neither can what the new one said.
test('hellos played back', async () => {
  const serverId = await newServer();
  const old = agentIdentity(serverId);
  const shown = { nonce: await askNonce(api.port), changes: { clientNonce: 'A'.repeat(43) } };
  const unused = { ...shown, nonce: await askNonce(api.port) };
  framesOf(await poll(api.port, old, shown));
  const identity = await enrol(serverId);
  expect((await poll(api.port, old, shown)).json.code).toBe('AGENT_PROOF_WRONG');
  expect((await poll(api.port, old, unused)).json.code).toBe('AGENT_PROOF_WRONG');
  const fresh = { ...shown, nonce: await askNonce(api.port) };
  framesOf(await poll(api.port, identity, fresh));
  expect((await poll(api.port, identity, fresh)).json.code).toBe('AGENT_NONCE_INVALID');
});

// Guarantee: a newer code ends the previous one, cancelling ends it, too, and an archived server gets none.
test('one open code', async () => {
  const serverId = await newServer();
  const first = await newCode(serverId);
  const second = await newCode(serverId);
  const tryOf = async ({ id, code }: typeof first) =>
    (await sendEnrolment(api.port, enrolling(id, code).request)).json.code;
  expect(await tryOf(first)).toBe('AGENT_ENROLMENT_ENDED');
  expect(await api.gateway.enrolments.cancel(serverId, by)).toMatchObject({ id: second.id, state: 'ended' });
  expect(await tryOf(second)).toBe('AGENT_ENROLMENT_ENDED');
  await Promise.all(Array.from({ length: 5 }, () => newCode(serverId)));
  const { rows } = await database.pool.query(
    'select count(*)::int as open from agent_enrolments where server_id = $1 and not is_ended',
    [serverId],
  );
  expect(rows).toEqual([{ open: 1 }]);
  await database.pool.query('update game_servers set archived_at = now() where id = $1', [serverId]);
  const refused = await post(api.port, enrolmentsHttp.create.path.replace(':serverId', serverId), {});
  expect(refused.json.code).toBe('SERVER_ARCHIVED');
  const { rows: audits } = await database.pool.query(
    'select action, after::text from audit_logs where target = $1 order by id',
    [`server:${serverId}`],
  );
  expect(audits.map(({ action }) => action)).toEqual([
    ...['agents.enrol', 'agents.enrol', 'agents.cancel-enrolment'],
    ...Array.from({ length: 5 }, () => 'agents.enrol'),
  ]);
  for (const { code } of [first, second]) expect(JSON.stringify(audits)).not.toContain(code);
});

// Guarantee: the code that was created last is the one that is shown, even after the clock was set back.
test('a clock that was set back', async () => {
  const serverId = await newServer();
  await newCode(serverId);
  movedMs = -3_600_000;
  try {
    const { id } = await newCode(serverId);
    expect(await api.gateway.enrolments.read(serverId)).toMatchObject({ id, state: 'open' });
  } finally {
    movedMs = 0;
  }
});

// Guarantee: a code that was created while the clock was ahead is worth nothing once the clock is corrected.
test('a clock that was ahead', async () => {
  const serverId = await newServer();
  movedMs = 24 * 3_600_000;
  const { id, code } = await newCode(serverId);
  expect(await api.gateway.enrolments.read(serverId)).toMatchObject({ id, state: 'open' });
  movedMs = 0;
  expect(await api.gateway.enrolments.read(serverId)).toMatchObject({ id, state: 'ended' });
  const { json } = await sendEnrolment(api.port, enrolling(id, code).request);
  expect(json.code).toBe('AGENT_ENROLMENT_ENDED');
});

// Guarantee: refusals before an agent was enrolled, or after it, are not shown with an enrolment that was used.
test('a refusal beside it', async () => {
  const serverId = await newServer();
  const { id, code } = await newCode(serverId);
  const shown = () => api.gateway.enrolments.read(serverId);
  const refuse = async () => {
    const { json } = await sendEnrolment(api.port, enrolling(id, `${code.slice(0, -4)}AAAA`).request);
    expect(json.code).toBe('AGENT_ENROLMENT_REFUSED');
  };
  await refuse();
  expect(await shown()).toMatchObject({ lastFailure: { code: 'AGENT_ENROLMENT_REFUSED' } });
  expect((await sendEnrolment(api.port, enrolling(id, code).request)).status).toBe(200);
  expect(await shown()).toMatchObject({ state: 'used', lastFailure: null });
  await refuse();
  expect(await shown()).toMatchObject({ state: 'used', lastFailure: null });
});
