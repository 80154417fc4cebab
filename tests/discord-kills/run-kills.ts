import type { ChildProcess } from 'node:child_process';
import { kill, openDiscordBot } from '#harness/discord-bot.ts';
import { isSettled, numbersIn, recordChat, tally, untilDone } from '#harness/posted-chat.ts';
import type { Secret } from '#runtime/secret.ts';
import type { Fate, RestRequest } from '#simulators/discord/faults.ts';

export interface KillsOptions {
  readonly databaseUrl: Secret;
  readonly events: number;
  readonly kills: number;
  readonly say: (line: string) => void;
}

export interface KillsOutcome {
  readonly events: number;
  readonly channels: number;
  readonly kills: number;
  /** Messages whose answer was lost while the bot kept running. */
  readonly lostAnswers: number;
  readonly messages: number;
  /** Counts events in channels. */
  readonly missing: number;
  readonly doubled: number;
  readonly outOfOrder: number;
  readonly seconds: number;
}

const channelNames = ['log', 'staff'];
const batchEvents = 50;

/** Endings of an attempt to post, in turn: not sent; posted but unanswered; posted and answered just before death; unanswered, no death. */
const ends = ['dropped', 'unheard', 'heard', 'unheard-alive'] as const;

/**
 * Lets a bot post events into two channels while it is killed as by `kill -9` around its posts, and counts what a reader
 * sees. This Discord remembers no nonce, so only the channel's history shows what was posted.
 */
export const runKills = async ({ databaseUrl, events, kills, say }: KillsOptions): Promise<KillsOutcome> => {
  const startedMs = performance.now();
  await using running = new AsyncDisposableStack();
  const { discord, channels, database, startBot } = running.use(
    await openDiscordBot({ databaseUrl, channelNames, settings: { nonceWindowMs: 0 } }),
  );
  await recordChat(database, events);

  let bot: ChildProcess | null = null;
  let isOver = false;
  let killed = 0;
  let lostAnswers = 0;
  let posts = 0;
  const everyNth = Math.max(1, Math.floor((2 * events) / batchEvents / (kills * 2)));
  const start = () => {
    const begun = startBot();
    begun.once('exit', () => {
      if (!isOver) start();
    });
    bot = begun;
  };
  const killBot = () => {
    killed += 1;
    bot?.kill('SIGKILL');
    say(`kill ${killed} of ${kills} after ${posts} posts`);
  };

  discord.faults.fateOf = ({ method, path }: RestRequest): Fate => {
    if (method !== 'POST' || !path.endsWith('/messages')) return 'answer';
    posts += 1;
    if (killed >= kills || posts % everyNth !== 0) return 'answer';
    const end = ends[(killed + lostAnswers) % ends.length];
    if (end === 'unheard-alive') {
      lostAnswers += 1;
      return 'lose-answer';
    }
    if (end === 'heard') {
      discord.changes.once('change', () => setImmediate(killBot));
      return 'answer';
    }
    killBot();
    return end === 'dropped' ? 'drop' : 'lose-answer';
  };

  start();
  running.defer(async () => {
    isOver = true;
    if (bot) await kill(bot);
  });
  const isDone = async () =>
    killed === kills &&
    channels.every(({ messages }) => new Set(numbersIn(messages.values())).size === events) &&
    (await isSettled(database));
  await untilDone(isDone, () => posts + killed);

  const tallies = channels.map((channel) => tally(numbersIn(channel.messages.values()), events));
  const sum = (name: keyof (typeof tallies)[number]) => tallies.reduce((total, one) => total + one[name], 0);
  return {
    events,
    channels: channels.length,
    kills: killed,
    lostAnswers,
    messages: channels.reduce((total, { messages }) => total + messages.size, 0),
    missing: sum('missing'),
    doubled: sum('doubled'),
    outOfOrder: sum('outOfOrder'),
    seconds: Math.round((performance.now() - startedMs) / 1000),
  };
};
