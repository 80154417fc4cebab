import { once } from 'node:events';
import { expect, test } from 'vitest';
import { discordStatusHttp, type NewStatusMessage } from '#contracts/discord/discord-status.ts';
import { kill, openDiscordBot } from '#harness/discord-bot.ts';
import { eventually } from '#harness/eventually.ts';
import { noFaults } from '#simulators/discord/faults.ts';
import { apiDatabase } from '../../../server/kernel/testing/api-database.ts';
import { call, newServer } from '../../../server/kernel/testing/call.ts';
import { testDesktopCredential as as } from '../../../server/kernel/testing/test-api.ts';

const patientMs = 60_000;

// Guarantee: a bot that is killed during a post, an edit or a deletion, done or not, leaves one message, which is correct.
test('the bot is killed while it keeps a status message', { timeout: 300_000 }, async () => {
  await using database = await apiDatabase();
  await using run = await openDiscordBot({ databaseUrl: database.url, channelNames: ['one', 'two'] });
  const { discord, api, channels } = run;
  const [one, two] = channels;
  if (!one || !two) throw new Error('no channels');
  const serverId = await newServer(api.port, { name: 'Island' });
  const joinsAt = (address: string) => [{ serverId, address, map: '' }];
  const body: NewStatusMessage = {
    isEnabled: true,
    channelId: one.id,
    target: { kind: 'server', id: serverId },
    showsNames: false,
    joins: joinsAt('first'),
  };
  let version = 1;
  let id = '';
  const create = async () => {
    const made = await call(api.port, discordStatusHttp.create, { as, body });
    expect(made.status, made.text).toBe(200);
    id = String(made.json.id);
  };
  const change = (edit: Partial<NewStatusMessage>) => async () => {
    const told = { version, ...edit };
    const answer = await call(api.port, discordStatusHttp.change, { as, params: { id }, body: told });
    expect(answer.status, answer.text).toBe(200);
    version += 1;
  };
  const messages = () => [one, two].flatMap((channel) => [...channel.messages.values()]);
  const shows = (text: string) =>
    eventually(() => {
      expect(messages()).toHaveLength(1);
      expect(JSON.stringify(messages()[0]?.message.embeds)).toContain(text);
    }, patientMs);

  const deeds = [
    ['POST', 'lose-answer', create, 'first'],
    ['PATCH', 'lose-answer', change({ joins: joinsAt('second') }), 'second'],
    ['PATCH', 'drop', change({ joins: joinsAt('third') }), 'third'],
    ['DELETE', 'lose-answer', change({ channelId: two.id }), 'third'],
    ['POST', 'drop', change({ channelId: one.id, joins: joinsAt('fourth') }), 'fourth'],
  ] as const;
  for (const [method, fate, deed, text] of deeds) {
    const killed = run.startBot();
    const ended = once(killed, 'exit');
    discord.faults.fateOf = (request) => {
      if (request.method !== method || !request.path.includes('/messages')) return 'answer';
      killed.kill('SIGKILL');
      return fate;
    };
    await deed();
    await ended;
    Object.assign(discord.faults, noFaults());
    const bot = run.startBot();
    await shows(text);
    await kill(bot);
  }
});
