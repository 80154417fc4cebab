import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { startDiscord } from '#simulators/discord/discord.ts';
import { connectOnce } from './discord-connection.ts';

// Guarantee: an attempt that is over leaves nothing on the session's signal, which would keep its client in memory.
test('an ended attempt lets go', async () => {
  await using discord = await startDiscord();
  const { signal } = new AbortController();
  const { verdict } = await connectOnce({
    token: new Secret('a-token-that-nobody-knows'),
    guildId: '',
    discordApiUrl: discord.apiUrl,
    onStatus: () => undefined,
    log: createLog({ component: 'bot', level: 'silent' }),
    signal,
  });
  expect(verdict.kind).toBe('refused');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
