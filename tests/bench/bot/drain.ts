import type { DiscordBot } from '#harness/discord-bot.ts';
import { isSettled, numbersIn, recordChat, tally, untilDone } from '#harness/posted-chat.ts';
import type { RequestRecord } from '#simulators/discord/context.ts';
import { usualBuckets } from '#simulators/discord/rate-limits.ts';

/** Inserts `events` at the same time and waits until Discord shows them all in the first channel. */
export const measureDrain = async (
  { discord, channels: [channel], database }: DiscordBot,
  events: number,
  say: (line: string) => void,
) => {
  if (!channel) throw new Error('there is no channel');
  say(`${events} events at once`);
  const before = channel.messages.size;
  const messages = () => [...channel.messages.values()].slice(before);
  const began = discord.requests.length;
  const beganMs = Date.now();
  await recordChat(database, events);
  let told = 0;
  const isDone = async () => {
    const shown = new Set(numbersIn(messages())).size;
    if (shown - told >= events / 10) {
      say(`${shown} are posted`);
      told = shown;
    }
    return shown === events && (await isSettled(database));
  };
  await untilDone(isDone, () => discord.requests.length);

  const posts = discord.requests
    .slice(began)
    .filter(({ bucket, status }) => bucket === 'create-message' && status === 200);
  const seconds = ((posts.at(-1)?.at ?? Number.NaN) - beganMs) / 1000;
  const { limit, windowMs } = usualBuckets['create-message'] ?? { limit: 1, windowMs: 0 };
  const leastSeconds = ((Math.ceil(posts.length / limit) - 1) * windowMs) / 1000;
  return {
    messages: posts.length,
    seconds,
    'least by the limit, s': leastSeconds,
    // NaN if all messages fit into one window.
    ratio: leastSeconds > 0 ? seconds / leastSeconds : Number.NaN,
    ...tally(numbersIn(messages()), events),
    ...throttlesIn(discord.requests),
  };
};

/** A bucket's size may only be known from its first 429. */
const throttlesIn = (requests: readonly RequestRecord[]) => {
  const throttled = requests.filter(({ status }) => status === 429);
  const buckets = new Set(throttled.map(({ method, bucket, path }) => `${method} ${bucket} ${path}`));
  return { 'answers 429': throttled.length, '429 beyond the first': throttled.length - buckets.size };
};
