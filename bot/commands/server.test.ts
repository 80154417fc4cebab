import { afterEach, expect, test } from 'vitest';
import { discordRightsHttp } from '#contracts/discord/discord-rights.ts';
import { powerHttp } from '#contracts/servers/power.ts';
import { eventually } from '#harness/eventually.ts';
import { Secret } from '#runtime/secret.ts';
import type { Member, StoredMessage } from '#simulators/discord/state.ts';
import { call, newServer } from '../../server/kernel/testing/call.ts';
import { testDesktopCredential as as } from '../../server/kernel/testing/test-api.ts';
import { joinPowerAgent, type PowerAgent } from '../../server/servers/power/testing/power-agent.ts';
import { createApiClient } from '../api-client.ts';
import { answerTo, botForThisFile, buttonId, textOf } from './testing/bot-of-a-test.ts';

const bot = botForThisFile();
afterEach(() => bot().reachApiBy(null));

/** The bot checks every few seconds. */
const patientMs = 30_000;
const run = (
  who: Member,
  action: string,
  server: string,
  more: { countdown?: number } = {},
  locale = 'en-US',
) => answerTo(bot().people.runCommand(who, bot().channel, 'server', { action, server, ...more }, { locale }));
const press = (who: Member, stored: StoredMessage, label: string) =>
  answerTo(bot().people.pressButton(who, stored, buttonId(stored, label)));
const shows = (stored: StoredMessage, text: string) =>
  eventually(() => expect(textOf(stored)).toContain(text), patientMs);

const managed = async (name: string): Promise<{ serverId: string; agent: PowerAgent }> => {
  const { port, context } = bot();
  const serverId = await newServer(port, { name });
  await eventually(() => expect(context.servers.directory.get(serverId)).not.toBeNull());
  const agent = await joinPowerAgent(port, serverId);
  await eventually(async () =>
    expect((await call(port, powerHttp.read, { as, params: { serverId } })).json.process).toBeTruthy(),
  );
  return { serverId, agent };
};
let staff = 0;
const holder = async (): Promise<Member> => {
  const { people, port } = bot();
  staff += 1;
  const role = people.createRole(`Operators ${staff}`);
  const mapped = await call(port, discordRightsHttp.set, {
    as,
    params: { id: role.id },
    body: { name: 'Operators', permissions: ['servers.power'] },
  });
  expect(mapped.status, mapped.text).toBe(200);
  const member = people.join(`Operator ${staff}`);
  people.setRoles(member, [role.id]);
  return member;
};

// Guarantee: without the permission a person starts and stops nothing, and everyone may look.
test('without the right', async () => {
  const { serverId, agent } = await managed('Fjord');
  using _ = agent;
  const eve = bot().people.join('Eve');
  expect(textOf(await run(eve, 'start', serverId))).toContain('You may not do this');
  const asked = await run(eve, 'stop', serverId);
  expect(textOf(await press(eve, asked, 'Stop'))).toContain('You may not do this');
  expect(textOf(await run(eve, 'status', serverId))).toMatch(/Fjord.*stopped/s);
  expect(textOf(await run(eve, 'status', serverId, {}, 'pt-BR'))).toContain('desligado');
  expect(agent.tasks).toEqual([]);
});

// Guarantee: the answer waits for what really happens, shows the progress, and says how it ended.
test('a start that fails', async () => {
  const { serverId, agent } = await managed('Reef');
  using _ = agent;
  const operator = await holder();
  const answer = await run(operator, 'start', serverId);
  const task = await agent.nextTask();
  expect(task.task).toMatchObject({ action: 'start' });
  agent.progress(task.id, { step: 'The game starts', done: 0, total: null });
  await shows(answer, 'The game starts');
  agent.end(task.id, 'failed', 'The port is taken.');
  await shows(answer, 'Failed');
  expect(textOf(answer)).toContain('The port is taken');
});

// Guarantee: a stop is confirmed first, with its countdown, and happens once, however often the button is pressed; a
// dismissed one stays dismissed.
test('a stop by a button', async () => {
  const { serverId, agent } = await managed('Quarry');
  using _ = agent;
  const operator = await holder();
  const left = await run(operator, 'restart', serverId);
  expect(textOf(await press(operator, left, 'Cancel'))).toContain('Nothing was done');
  expect(agent.tasks).toEqual([]);

  const asked = await run(operator, 'stop', serverId, { countdown: 90 });
  expect(textOf(asked)).toContain('This is announced in the game for 90 s.');
  const answer = await press(operator, asked, 'Stop');
  const task = await agent.nextTask();
  expect(task.task).toMatchObject({ action: 'stop', countdown: { seconds: 90 } });
  expect(textOf(answer)).toContain('is being stopped');
  const other = await run(await holder(), 'start', serverId);
  expect(textOf(other)).toContain('is already being started, stopped or restarted');
  agent.tell({});
  agent.end(task.id, 'done');
  await shows(answer, 'Done');
  expect(textOf(answer)).toContain('stopped');
  expect(agent.tasks).toHaveLength(1);
});

// Guarantee: when the API cannot be reached, the answer claims neither that the act began nor that it did not.
test('an API that does not answer', async () => {
  const { serverId, agent } = await managed('Tower');
  using _ = agent;
  const operator = await holder();
  const asked = await run(operator, 'stop', serverId);
  bot().reachApiBy(createApiClient('http://127.0.0.1:1', new Secret('unused')));
  const answer = await press(operator, asked, 'Stop');
  await shows(answer, 'it is not known whether this was started');
  expect(agent.tasks).toEqual([]);
});
