import { expect, test } from 'vitest';
import { type BotGuild, discordEventsHttp } from '#contracts/discord/discord-events.ts';
import { discordStatusHttp } from '#contracts/discord/discord-status.ts';
import { settingsHttp } from '#contracts/operations/settings.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { eventually } from '#harness/eventually.ts';
import { call, newServer } from '../../server/kernel/testing/call.ts';
import {
  asOwner,
  change,
  channel,
  clusterId,
  create,
  discord,
  discordStatusForThisFile,
  game,
  isConfirmed,
  kept,
  messages,
  only,
  patientMs,
  people,
  postedInto,
  requestsOf,
  restartBot,
  running,
  shows,
  sole,
  startBot,
  stopBot,
  textOf,
} from '../harness/discord-status.ts';
import { startMinecraft } from '../simulators/minecraft-simulator.ts';

discordStatusForThisFile();

// Guarantee: one message shows state, players, map and address, and is edited in place only when one of them changes; names notify
// no one and cause no formatting; the console's address is not in it.
test('a server', async () => {
  await create();
  await shows('Online');
  const { id } = sole().message;
  game.world.join('__Ann__');
  await shows(String.raw`\_\_Ann\_\_`);
  expect(sole().message.id).toBe(id);
  expect(textOf(sole())).toContain('play.example.org');
  expect(textOf(sole())).toContain(String.raw`The\_Isle`);
  expect(textOf(sole())).not.toContain(String(game.port));
  expect(sole().pinged).toEqual({ users: [], roles: [], everyone: false });
  await isConfirmed();
  const edits = requestsOf('PATCH');
  await change({ showsNames: false });
  await eventually(() => expect(textOf(sole())).not.toContain('Ann'), patientMs);
  expect(requestsOf('PATCH')).toBe(edits + 1);
  // An edit whose success was not recorded yet is made again.
  await isConfirmed();
  // Another full round: nothing has changed.
  await restartBot();
  await eventually(() => expect(requestsOf('GET')).toBeGreaterThan(0), patientMs);
  game.world.leave('__Ann__');
  await shows('"value":"0"');
  expect(requestsOf('PATCH')).toBe(edits + 2);
  expect(postedInto(channel)).toHaveLength(1);
  expect(discord.requests.filter(({ status }) => status === 429)).toEqual([]);
  expect(sole().message.id).toBe(id);
}, 120_000);

// Guarantee: a cluster's message shows each of its servers, in the community's language; a server that leaves the cluster leaves it.
test('a cluster in Portuguese', async () => {
  const { port } = running();
  const general = async () => {
    const { json } = await call(port, settingsHttp.list, asOwner);
    const sections = json.sections as { name: string; version: number }[];
    return sections.find(({ name }) => name === 'general')?.version ?? 0;
  };
  const speak = async (language: 'en' | 'pt-BR') =>
    call(port, settingsHttp.change, {
      ...asOwner,
      params: { section: 'general' },
      body: { version: await general(), values: { language } },
    });
  const nothing = await startMinecraft();
  const second = await newServer(port, { name: 'Second', clusterId, host: '127.0.0.1', port: nothing.port });
  await nothing[Symbol.asyncDispose]();
  await create({ target: { kind: 'cluster', id: clusterId } });
  await shows(/Second.*Offline.*The game has not answered yet/);
  expect((await speak('pt-BR')).status).toBe(200);
  await shows(/Second.*O jogo ainda não respondeu/);
  expect((await speak('en')).status).toBe(200);
  await shows(/Second.*The game has not answered yet/);
  await call(port, gameServersHttp.archive, { ...asOwner, params: { id: second } });
  await eventually(() => expect(textOf(sole())).not.toContain('Second'), patientMs);
  await shows('Online');
}, 180_000);

// Guarantee: a game that does not answer is shown as such, with the time of its last answer; nothing about its console is shown.
test('a game that is away', async () => {
  await using other = await startMinecraft();
  const { port, password } = other;
  const id = await newServer(running().port, { host: '127.0.0.1', port, password });
  await create({ target: { kind: 'server', id }, joins: [] });
  await shows('Online');
  await other.goOffline();
  await shows(/Offline.*The game last answered <t:/);
  expect(textOf(sole())).not.toContain(String(port));
  await other.comeBack();
  await shows('Online');
}, 120_000);

// Guarantee: it moves to a new channel and disappears with its rule; nothing is left behind, even if the bot was offline.
test('another channel, off, and away', async () => {
  const old = channel;
  const other = people.createChannel('elsewhere');
  await create();
  await shows('Online');
  await isConfirmed();
  await change({ channelId: other.id });
  await shows('Online', other);
  await eventually(() => expect(messages(old)).toEqual([]), patientMs);
  await change({ isEnabled: false });
  await eventually(() => expect(messages(other)).toEqual([]), patientMs);
  await change({ isEnabled: true });
  await shows('Online', other);
  await eventually(async () => expect((await only()).shownAt).toEqual(expect.any(String)), patientMs);
  await stopBot();
  const { id } = await only();
  await call(running().port, discordStatusHttp.remove, { ...asOwner, params: { id } });
  await startBot();
  await eventually(() => expect(messages(other)).toEqual([]), patientMs);
  expect(await kept()).toEqual([]);
}, 120_000);

// Guarantee: obstacles are shown, and it continues by itself: a closed channel, a deleted channel, an archived server.
test('obstacles', async () => {
  const { port } = running();
  const botRole = people.roleNamed('Castellan Bot');
  people.setOverwrite(channel, botRole.id, { deny: ['embedLinks'] });
  await eventually(async () => {
    const { json } = await call(port, discordEventsHttp.list, asOwner);
    const { channels: known } = json.guild as BotGuild;
    expect(known.find(({ id }) => id === channel.id)?.missing).toEqual(['embedLinks']);
  }, patientMs);
  expect(await create()).toMatchObject({ obstacle: 'permissions-missing', missing: ['embedLinks'] });
  expect(messages()).toEqual([]);
  people.setOverwrite(channel, botRole.id, { allow: ['embedLinks'] });
  await shows('Online');
  await isConfirmed();
  const target = await newServer(port, { name: 'Gone' });
  await change({ target: { kind: 'server', id: target } });
  await shows('Gone');
  await call(port, gameServersHttp.archive, { ...asOwner, params: { id: target } });
  await eventually(() => expect(messages()).toEqual([]), patientMs);
  expect(await only()).toMatchObject({ obstacle: 'target-gone' });
  await change({ target: { kind: 'cluster', id: clusterId } });
  await shows('Online');
  people.deleteChannel(channel);
  await eventually(async () => expect((await only()).obstacle).toBe('channel-unknown'), patientMs);
}, 180_000);

// Guarantee: Discord's refusal of what the permissions allow is shown, and the channel gets no requests for a while.
test('a refusal', async () => {
  // The bot is not notified.
  channel.overwrites = [{ id: people.roleNamed('Castellan Bot').id, type: 0, allow: '0', deny: '16384' }];
  await create();
  await eventually(async () => expect((await only()).obstacle).toBe('refused'), patientMs);
  const refused = discord.requests.filter(({ path, status }) => path.includes(channel.id) && status === 403);
  expect(refused).toHaveLength(1);
}, 120_000);
