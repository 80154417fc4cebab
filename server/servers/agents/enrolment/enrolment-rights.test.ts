import { expect, test } from 'vitest';
import { adminsHttp } from '#contracts/identity/admins.ts';
import { secretsHttp } from '#contracts/operations/secrets.ts';
import { agentDownloadsHttp } from '#contracts/servers/agent-downloads.ts';
import { enrolmentsHttp } from '#contracts/servers/agent-enrolment.ts';
import { agentsHttp } from '#contracts/servers/agents.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { apiForThisFile } from '../../../kernel/testing/api-of-a-test.ts';
import {
  call,
  changeAdmin,
  customRole,
  newApiKey,
  newCluster,
  person,
} from '../../../kernel/testing/call.ts';
import { testDesktopCredential as owner } from '../../../kernel/testing/test-api.ts';
import { enrolledAs, enrolling, sendEnrolment } from '../testing/enrolling-agent.ts';

const running = apiForThisFile();

const newServer = async (port: number, name: string): Promise<string> => {
  const body = { clusterId: await newCluster(port), name, game: 'minecraft' } as const;
  return String((await call(port, gameServersHttp.create, { as: owner, body })).json.id);
};

// Guarantee: only a person who holds agents.write for that server and has just confirmed who they are creates a code;
// scripts may look and cancel, and no one else sees that there is an enrolment.
test('who may', async () => {
  const { port } = running();
  const serverId = await newServer(port, 'mine');
  const otherId = await newServer(port, 'another');
  const params = { serverId };
  const make = async (as: string | undefined, on = serverId) =>
    (await call(port, enrolmentsHttp.create, { ...(as ? { as } : {}), params: { serverId: on } })).json.code;
  expect(await make(undefined)).toBe('UNAUTHENTICATED');
  const viewer = await person(port, { role: 'viewer' });
  expect(await make(viewer.token)).toBe('FORBIDDEN');
  for (const endpoint of [enrolmentsHttp.read, enrolmentsHttp.cancel, agentDownloadsHttp.list])
    expect((await call(port, endpoint, { as: viewer.token, params })).json.code).toBe('FORBIDDEN');
  const admin = await person(port, { role: 'admin' });
  const { key } = await newApiKey(port, admin.token, {
    name: 'script',
    permissions: ['agents.write'],
    expiresInDays: 1,
  });
  expect(await make(key)).toBe('PERSON_REQUIRED');
  expect((await call(port, enrolmentsHttp.read, { as: key, params })).json).toEqual({ enrolment: null });
  const unconfirmed = { as: owner, params, confirmed: false };
  expect((await call(port, enrolmentsHttp.create, unconfirmed)).json.code).toBe('STEP_UP_REQUIRED');
  expect(await make(admin.token)).toMatch(/^[\w-]{22}$/);
  const helper = await person(port, { role: null, serverGrants: [{ serverId, role: 'admin' }] });
  expect(await make(helper.token)).toMatch(/^[\w-]{22}$/);
  expect(await make(helper.token, otherId)).toBe('FORBIDDEN');
  expect(await make(admin.token, 'nowhere')).toBe('NOT_FOUND');
});

// Guarantee: a code dies with the right, the account and the password of the person who made it.
test.each(['removal', 'disabling', 'another role', 'a password reset'])(
  'a code after %s of its maker',
  async (end) => {
    const { port } = running();
    const serverId = await newServer(port, `dies by ${end}`);
    const maker = await person(port, { role: await customRole(port, ['agents.write', 'servers.read']) });
    const params = { serverId };
    const made = enrolmentsHttp.create.response.parse(
      (await call(port, enrolmentsHttp.create, { as: maker.token, params })).json,
    );
    const { id } = maker;
    if (end === 'removal') await call(port, adminsHttp.remove, { as: owner, params: { id } });
    else if (end === 'disabling') await changeAdmin(port, { as: owner, id, edit: { disabled: true } });
    else if (end === 'another role') await changeAdmin(port, { as: owner, id, edit: { role: 'viewer' } });
    else
      await call(port, adminsHttp.resetPassword, {
        as: owner,
        params: { id },
        body: { password: 'quite another password' },
      });
    const { request } = enrolling(made.enrolment.id, made.code);
    expect((await sendEnrolment(port, request)).json.code).toBe('AGENT_ENROLMENT_ENDED');
    expect((await call(port, enrolmentsHttp.read, { as: owner, params })).json).toMatchObject({
      enrolment: { state: 'ended' },
    });
  },
);

// Guarantee: a program does not open a server again to all who know the shared secret: only a person takes an agent's own secret away.
test('who replaces an agent that has its own secret', async () => {
  const { port } = running();
  const serverId = await newServer(port, 'own secret');
  const params = { serverId };
  const made = enrolmentsHttp.create.response.parse(
    (await call(port, enrolmentsHttp.create, { as: owner, params })).json,
  );
  const agent = enrolling(made.enrolment.id, made.code);
  enrolledAs(agent, await sendEnrolment(port, agent.request));
  const { key } = await newApiKey(port, owner, {
    name: 'replacing',
    permissions: ['agents.write'],
    expiresInDays: 1,
  });
  expect((await call(port, agentsHttp.replace, { as: key, params })).json.code).toBe('PERSON_REQUIRED');
  expect((await call(port, agentsHttp.replace, { as: owner, params })).status).toBe(200);
});

// Guarantee: the code and the agent's own secret count among the sealed secrets that re-encryption renews.
test('they count as secrets', async () => {
  const { port } = running();
  const serverId = await newServer(port, 'counted');
  const count = async () => {
    const read = secretsHttp.status.response.parse(
      (await call(port, secretsHttp.status, { as: owner })).json,
    );
    return read.keys.reduce((sum, { count: of }) => sum + of, 0);
  };
  const before = await count();
  const made = enrolmentsHttp.create.response.parse(
    (await call(port, enrolmentsHttp.create, { as: owner, params: { serverId } })).json,
  );
  expect(await count()).toBe(before + 1);
  const agent = enrolling(made.enrolment.id, made.code);
  enrolledAs(agent, await sendEnrolment(port, agent.request));
  expect(await count()).toBe(before + 2);
});
