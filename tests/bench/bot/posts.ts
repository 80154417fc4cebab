import { createHistogram } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { REST, Routes } from 'discord.js';
import type { DiscordBot } from '#harness/discord-bot.ts';
import { numbersIn } from '#harness/posted-chat.ts';
import { type Discord, usualBot } from '#simulators/discord/discord.ts';
import type { Channel } from '#simulators/discord/state.ts';
import { eventMessage } from '../../../bot/events/event-message.ts';
import { recordEvent } from '../../../server/kernel/events/record-event.ts';

const mostMs = 60_000;
/** Longer than the bot's pause between two messages to a channel, and random in relation to its polling. */
const pauseMs = () => 1500 + Math.random() * 1000;
const perSecond = 5;
const microsecondsPerMs = 1000;

const watchPosts = (discord: Discord) => {
  const { changes, state } = discord;
  const waiting = new Map<number, PromiseWithResolvers<number>>();
  let looked = state.posted.length;
  const look = () => {
    const now = performance.now();
    for (const number of numbersIn(state.posted.slice(looked))) waiting.get(number)?.resolve(now);
    looked = state.posted.length;
  };
  changes.on('change', look);
  return {
    /** The time from the start of `act`, which makes the event `number`, until Discord shows it. */
    async msOf(number: number, act: () => Promise<unknown>): Promise<number> {
      const shown = Promise.withResolvers<number>();
      waiting.set(number, shown);
      const late = setTimeout(() => shown.reject(new Error(`${number} is not posted`)), mostMs);
      const began = performance.now();
      const [, ended] = await Promise.all([act(), shown.promise]).finally(() => clearTimeout(late));
      waiting.delete(number);
      return ended - began;
    },
    [Symbol.dispose]: () => void changes.off('change', look),
  };
};

const figuresOf = (times: readonly number[]) => {
  const histogram = createHistogram();
  for (const ms of times) histogram.record(Math.max(1, Math.round(ms * microsecondsPerMs)));
  return {
    messages: times.length,
    'p50 ms': histogram.percentile(50) / microsecondsPerMs,
    'p99 ms': histogram.percentile(99) / microsecondsPerMs,
    'max ms': histogram.max / microsecondsPerMs,
  };
};

export interface PostsOptions {
  /** Number of single events, each alternating with a plain post. */
  readonly singles: number;
  /** For how long events arrive at a steady pace. */
  readonly seconds: number;
}

/** The time from an event's insert until Discord shows it, compared with the same message sent by discord.js alone. */
export const measurePosts = async (
  { discord, people, api }: DiscordBot,
  { singles, seconds }: PostsOptions,
  say: (line: string) => void,
) => {
  using posts = watchPosts(discord);
  const rest = new REST({ api: discord.apiUrl }).setToken(usualBot.token);
  const other = people.createChannel('plain');
  const { db } = api.context.database;
  let number = 0;
  const record = () => {
    number += 1;
    const payload = { playerId: null, name: 'Otter', text: String(number) };
    return posts.msOf(number, () => recordEvent(db, 'chat.message', payload));
  };
  const post = () => {
    number += 1;
    const body = messageOf(number, other);
    return posts.msOf(number, () => rest.post(Routes.channelMessages(other.id), { body }));
  };

  say(`${singles} events, one at a time`);
  const plain: number[] = [];
  const single: number[] = [];
  for (let index = 0; index < singles; index += 1) {
    plain.push(await post());
    await delay(pauseMs());
    single.push(await record());
  }
  say(`${perSecond} events a second for ${seconds} s`);
  const steady: Promise<number>[] = [];
  for (let index = 0; index < seconds * perSecond; index += 1) {
    steady.push(record());
    await delay(1000 / perSecond);
  }
  return {
    'the message by discord.js alone': figuresOf(plain),
    'one event at a time': figuresOf(single),
    [`${perSecond} events a second`]: figuresOf(await Promise.all(steady)),
  };
};

const messageOf = (number: number, { id: channelId }: Channel) => {
  const at = new Date().toISOString();
  const payload = { playerId: null, name: 'Otter', text: String(number) };
  const event = { id: String(number), at, kind: 'chat.message', severity: 'info', payload } as const;
  return eventMessage(
    {
      id: `plain-${number}`,
      channelId,
      lane: 'rest',
      openedAt: at,
      isRepeat: false,
      roleIds: [],
      leftOut: 0,
      events: [{ ...event, serverId: null, serverName: null }],
    },
    'en',
  );
};
