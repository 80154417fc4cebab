import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { discordEventsHttp } from '#contracts/discord-events.ts';
import type { Secret } from '#runtime/secret.ts';
import { startDiscord, usualBot } from '#simulators/discord/discord.ts';
import type { Fate, RestRequest } from '#simulators/discord/faults.ts';
import type { Channel } from '#simulators/discord/state.ts';
import { programsFolder } from '../../build/bundle.ts';
import { call } from '../../server/testing/call.ts';
import { startTestApi, testBotSecret, testDesktopCredential } from '../../server/testing/test-api.ts';
import { whenInUse } from '../../server/testing/when-in-use.ts';

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
  /** Messages whose answer was lost while the bot lived on. */
  readonly lostAnswers: number;
  readonly messages: number;
  /** Of events in channels. */
  readonly missing: number;
  readonly doubled: number;
  readonly outOfOrder: number;
  readonly seconds: number;
}

const guildId = '222222222222222222';
const channelNames = ['log', 'staff'];
/** Every tenth event is an alert. */
const alertEvery = 10;
const batchEvents = 50;

/** How an attempt to post ends, in turn: not made, made and unheard, made and heard just before the death, unheard without a death. */
const ends = ['dropped', 'unheard', 'heard', 'unheard-alive'] as const;

/**
 * Lets a bot post events into two channels while it is killed as by `kill -9` around its posts, and counts what a reader
 * sees. Discord remembers no nonce here, so that the channel's history alone tells what was posted.
 */
export const runKills = async ({ databaseUrl, events, kills, say }: KillsOptions): Promise<KillsOutcome> => {
  const startedMs = performance.now();
  await using running = new AsyncDisposableStack();
  const discord = running.use(
    await startDiscord({
      settings: {
        identifyWindowMs: 0,
        nonceWindowMs: 0,
        sessionStarts: { total: 10_000, remaining: 10_000, maxConcurrency: 1 },
      },
    }),
  );
  const people = discord.addGuild('The Keep', { id: guildId, channels: channelNames });
  const channels = channelNames.map((name) => people.channelNamed(name));
  const api = running.use(await startTestApi({ databaseUrl, workers: [] }));
  await whenInUse(api);
  for (const { id: channelId } of channels) {
    const fields = { isEnabled: true, kinds: ['chat.message' as const], severities: [], serverIds: [] };
    const body = { ...fields, channelId, roleId: null };
    const made = await call(api.port, discordEventsHttp.create, { as: testDesktopCredential, body });
    if (made.status !== 200) throw new Error(made.text);
  }
  const database = new pg.Client({ connectionString: databaseUrl.reveal() });
  await database.connect();
  running.defer(() => database.end());
  await record(database, events);

  let bot: ChildProcess | null = null;
  let isOver = false;
  let killed = 0;
  let lostAnswers = 0;
  let posts = 0;
  const everyNth = Math.max(1, Math.floor((2 * events) / batchEvents / (kills * 2)));
  const start = () => {
    const begun = spawn(process.execPath, [join(programsFolder, 'bot.mjs')], {
      env: {
        DISCORD_BOT_TOKEN: usualBot.token,
        GUILD_ID: guildId,
        API_URL: `http://127.0.0.1:${api.port}`,
        INTERNAL_API_SECRET: testBotSecret,
        DISCORD_API_URL: discord.apiUrl,
        LOG_LEVEL: 'error',
      },
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    begun.once('exit', () => {
      if (!isOver) start();
    });
    bot = begun;
  };
  const kill = () => {
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
      discord.changes.once('change', () => setImmediate(kill));
      return 'answer';
    }
    kill();
    return end === 'dropped' ? 'drop' : 'lose-answer';
  };

  start();
  running.defer(async () => {
    isOver = true;
    if (!bot || bot.exitCode !== null) return;
    const exited = once(bot, 'exit');
    bot.kill('SIGKILL');
    await exited;
  });
  // As long as there is progress: a machine that is busy takes longer, one that hangs takes too long.
  let seen = 0;
  const isDone = async () =>
    killed === kills &&
    channels.every((channel) => new Set(numbersIn(channel)).size === events) &&
    (await isSettled(database));
  for (let idleSeconds = 0; !(await isDone()) && idleSeconds < 60; idleSeconds += 1) {
    await delay(1000);
    const now = posts + killed;
    if (now !== seen) idleSeconds = 0;
    seen = now;
  }

  const tallies = channels.map((channel) => tally(numbersIn(channel), events));
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

const record = async (database: pg.Client, events: number): Promise<void> => {
  await database.query(
    `insert into event_logs (kind, severity, payload)
     select 'chat.message', case when number % $2 = 0 then 'alert' else 'info' end,
            jsonb_build_object('playerId', null, 'name', 'Otter', 'text', number::text)
       from generate_series(1, $1::int) as number`,
    [events, alertEvery],
  );
};

/** The bot has told the API that all is posted, so that nothing is sent once more. */
const isSettled = async (database: pg.Client): Promise<boolean> => {
  const { rowCount } = await database.query('select from discord_event_lanes where batch is not null');
  return rowCount === 0;
};

/** What a reader sees, from the top. */
const numbersIn = ({ messages }: Channel): number[] =>
  [...messages.values()].flatMap(({ message }) =>
    message.embeds.flatMap(({ description = '' }) =>
      [...description.matchAll(/Otter\u2069: \u2068(\d+)\u2069/g)].map(([, number]) => Number(number)),
    ),
  );

const tally = (numbers: readonly number[], events: number) => {
  const isAlert = (number: number) => number % alertEvery === 0;
  const steps = [numbers.filter(isAlert), numbers.filter((number) => !isAlert(number))].flatMap((lane) =>
    lane.slice(1).map((number, index) => number - (lane[index] ?? 0)),
  );
  const distinct = new Set(numbers).size;
  return {
    missing: events - distinct,
    doubled: numbers.length - distinct,
    outOfOrder: steps.filter((step) => step < 0).length,
  };
};
