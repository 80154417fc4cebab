import { expect, test } from 'vitest';
import { type BotGuild, discordEventsHttp } from '#contracts/discord/discord-events.ts';
import { discordStatusHttp } from '#contracts/discord/discord-status.ts';
import { eventually } from '#harness/eventually.ts';
import { nextTimes, noFaults } from '#simulators/discord/faults.ts';
import { call } from '../../server/kernel/testing/call.ts';
import {
  asOwner,
  channel,
  create,
  discord,
  discordStatusForThisFile,
  game,
  hourMs,
  isConfirmed,
  messages,
  of,
  only,
  patientMs,
  people,
  postedInto,
  requestsOf,
  restartBot,
  running,
  setApiAway,
  shows,
  skipMs,
  sole,
  startBot,
  stopBot,
  textOf,
} from '../harness/discord-status.ts';

discordStatusForThisFile();

// Guarantee: a post whose answer is lost, or that fails, leaves one message, also if the bot ends in between.
test.each([
  ['an answer that is lost', 'lose-answer', false],
  ['an answer that is lost, and an end', 'lose-answer', true],
  ['a connection that breaks', 'drop', true],
  ['an error after it was made', { status: 500, isDone: true }, true],
] as const)(
  '%s',
  async (_what, fate, isEnd) => {
    discord.faults.fateOf = nextTimes(4, fate, of('POST'));
    const before = requestsOf('POST');
    await create();
    await eventually(() => expect(requestsOf('POST')).toBeGreaterThan(before), patientMs);
    if (isEnd) await restartBot();
    await isConfirmed();
    await shows('Online');
    game.world.join('Bob');
    await shows('Bob');
    game.world.leave('Bob');
    await eventually(() => expect(textOf(sole())).not.toContain('Bob'), patientMs);
  },
  120_000,
);

// Guarantee: a deleted message is posted again once, also if it was deleted while the bot was offline.
test('a deleted message', async () => {
  await create();
  await shows('Online');
  await isConfirmed();
  people.deleteMessage(sole());
  await eventually(() => expect(postedInto(channel)).toHaveLength(2), patientMs);
  await eventually(() => expect(sole().message.id).toBe(postedInto(channel)[1]?.message.id), patientMs);
  await isConfirmed();
  await stopBot();
  people.deleteMessage(sole());
  await startBot();
  await eventually(() => expect(postedInto(channel)).toHaveLength(3), patientMs);
  await shows('Online');
}, 120_000);

// Guarantee: a message that Discord no longer lets anyone edit is replaced, and no other edit waits for it.
test('a message that is too old', async () => {
  await create();
  await shows('Online');
  await isConfirmed();
  const { id } = sole().message;
  discord.faults.refuseOldEdits = true;
  skipMs(2 * hourMs);
  game.world.join('Cid');
  await shows('Cid');
  expect(sole().message.id).not.toBe(id);
  game.world.leave('Cid');
  await eventually(() => expect(textOf(sole())).not.toContain('Cid'), patientMs);
}, 120_000);

// Guarantee: while the API is down the message says so, and afterwards it is correct again, also if the bot was killed before.
test('the API away', async () => {
  await stopBot();
  await startBot({ awayAfterMs: 500 });
  await create();
  await shows('Online');
  await isConfirmed();
  setApiAway(true);
  await shows('nothing is known since <t:');
  setApiAway(false);
  await shows('Online');
  // Each try of the edit is carried out, but its answer does not arrive.
  discord.faults.fateOf = nextTimes(4, 'lose-answer', of('PATCH'));
  setApiAway(true);
  await shows('nothing is known since <t:');
  setApiAway(false);
  await shows('Online');
  setApiAway(true);
  await shows('nothing is known since <t:');
  await stopBot();
  setApiAway(false);
  await startBot();
  await shows('Online');
  expect(postedInto(channel)).toHaveLength(1);
}, 120_000);

// Guarantee: another bot finds a message that was never reported to the API and that says that the API is down.
test('the API away before it is told of a post', async () => {
  await stopBot();
  await startBot({ awayAfterMs: 500 });
  discord.faults.fateOf = (request) => {
    if (of('POST')(request)) setApiAway(true);
    return 'answer';
  };
  await create();
  await shows('nothing is known since <t:');
  await stopBot();
  Object.assign(discord.faults, noFaults());
  setApiAway(false);
  await startBot();
  await isConfirmed();
  await shows('Online');
  expect(postedInto(channel)).toHaveLength(1);
}, 120_000);

// Guarantee: while the history cannot be read, no message counts as missing: no second post, and no forgotten removal.
test('a history that cannot be read', async () => {
  const botRole = people.roleNamed('Castellan Bot');
  discord.faults.fateOf = nextTimes(4, 'lose-answer', of('POST'));
  await create();
  await eventually(() => expect(messages()).toHaveLength(1), patientMs);
  await stopBot();
  people.setOverwrite(channel, botRole.id, { deny: ['readMessageHistory'] });
  people.setOverwrite(channel, people.guild.id, { deny: ['readMessageHistory'] });
  const { id } = await only();
  await call(running().port, discordStatusHttp.remove, { ...asOwner, params: { id } });
  await startBot();
  // The bot has reported the channel, and was told what to remove there.
  await eventually(async () => {
    const { json } = await call(running().port, discordEventsHttp.list, asOwner);
    const { channels: known } = json.guild as BotGuild;
    expect(known.find((one) => one.id === channel.id)?.missing).toEqual(['readHistory']);
  }, patientMs);
  const removals = () => running().api.context.database.db.selectFrom('discord_status_removals');
  const asked = discord.requests.length;
  const second = people.createChannel('beside');
  await create({ channelId: second.id });
  await shows('Online', second);
  expect(messages()).toHaveLength(1);
  expect(discord.requests.slice(asked).filter(({ path }) => path.includes(channel.id))).toEqual([]);
  expect(await removals().selectAll().execute()).toHaveLength(1);
  people.setOverwrite(channel, botRole.id, { allow: ['readMessageHistory'] });
  await stopBot();
  await startBot();
  await eventually(() => expect(messages()).toEqual([]), patientMs);
}, 120_000);
