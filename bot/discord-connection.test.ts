import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { startDiscord, usualBot } from '#simulators/discord/discord.ts';
import { connectOnce } from './discord-connection.ts';

// Guarantee: an attempt that has ended leaves nothing on the session's signal, which would keep its client in memory.
test('an ended attempt lets go', async () => {
  await using discord = await startDiscord();
  const { signal } = new AbortController();
  const { verdict } = await connectOnce({
    token: new Secret('a-token-that-nobody-knows'),
    guildId: '',
    discordUrls: discord.urls,
    onStatus: () => undefined,
    log: createLog({ component: 'bot', level: 'silent' }),
    signal,
  });
  expect(verdict.kind).toBe('refused');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

// Guarantee: a bot that is stopped, or given another token, while Discord keeps it waiting leaves immediately and for good.
test.each(['hello', 'ready'] as const)('stopped before %s', async (silentFrom) => {
  await using discord = await startDiscord();
  discord.faults.silentFrom = silentFrom;
  const stopping = new AbortController();
  const connection = connectOnce({
    token: new Secret(usualBot.token),
    guildId: '',
    discordUrls: discord.urls,
    onStatus: () => undefined,
    log: createLog({ component: 'bot', level: 'silent' }),
    signal: stopping.signal,
  });
  const reached = () =>
    silentFrom === 'hello' ? discord.gateway.connections : discord.gateway.identified.length;
  await eventually(() => expect(reached()).toBe(1));
  stopping.abort();
  expect((await connection).wasReady).toBe(false);
  await eventually(() => expect(discord.gateway.connections).toBe(0));
});
