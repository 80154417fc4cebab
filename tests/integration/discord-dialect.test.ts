import { expect, test } from 'vitest';
import { kill, openDiscordBot } from '#harness/discord-bot.ts';
import { eventually } from '#harness/eventually.ts';
import { numbersIn, recordChat, tally } from '#harness/posted-chat.ts';
import { startDialect } from '#simulators/discord/dialect.ts';
import { nextTimes } from '#simulators/discord/faults.ts';
import { apiDatabase } from '../../server/kernel/testing/api-database.ts';

const patientMs = 60_000;

// Guarantee: another implementation of Discord's protocol, at another place and with its own manners, needs only three addresses:
// events are posted once, commands are answered, and a dropped connection is resumed.
test('another service that speaks the protocol', { timeout: 180_000 }, async () => {
  await using database = await apiDatabase();
  await using place = await openDiscordBot({
    databaseUrl: database.url,
    channelNames: ['log'],
    settings: { interactionDeadlineMs: 60_000 },
  });
  const { discord, people, channels } = place;
  const [channel] = channels;
  if (!channel) throw new Error('there is no channel');
  await using dialect = await startDialect(discord);
  const { api, gateway, cdn } = dialect.urls;
  discord.faults.fateOf = nextTimes(
    1,
    'lose-answer',
    ({ method, path }) => method === 'POST' && path.endsWith('/messages'),
  );
  await recordChat(place.database, 60);
  const bot = place.startBot({ DISCORD_API_URL: api, DISCORD_GATEWAY_URL: gateway, DISCORD_CDN_URL: cdn });
  try {
    const posted = () => tally(numbersIn(channel.messages.values()), 60);
    await eventually(() => expect(posted()).toEqual({ missing: 0, doubled: 0, outOfOrder: 0 }), patientMs);

    const ada = people.join('Ada');
    const answered = async () => {
      const answer = await people.runCommand(ada, channel, 'status').message;
      expect(answer?.message.embeds.length).toBe(1);
    };
    await answered();

    const { gateway: wire } = discord;
    expect([wire.identified.length, wire.resumed]).toEqual([1, 0]);
    wire.cut(4000);
    await eventually(() => expect(wire.resumed).toBe(1), patientMs);
    await answered();
    expect(wire.identified.length).toBe(1);
    expect(dialect.counts.gateway).toBe(2);
  } finally {
    await kill(bot);
  }
});
