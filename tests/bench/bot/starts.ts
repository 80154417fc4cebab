import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { healthHttp } from '#contracts/operations/health.ts';
import { type DiscordBot, kill } from '#harness/discord-bot.ts';
import { systemEnv } from '#runtime/system-env.ts';
import { usualBot } from '#simulators/discord/discord.ts';
import { usualIntents } from '#simulators/discord/signed-in.ts';
import { bundleFile } from '../../../build/bundle/bundle-file.ts';
import { pssMiB, residentMiB } from '../harness/process-usage.ts';
import { alternate } from '../harness/statistics.ts';

/** Short compared with a start of half a second. */
const lookMs = 5;
const mostMs = 60_000;
/** V8 returns memory some seconds after the last work. */
const idleMs = 10_000;

const msUntil = async (what: string, isSo: () => boolean): Promise<number> => {
  const beganMs = performance.now();
  while (!isSo()) {
    if (performance.now() - beganMs > mostMs) throw new Error(`not in ${mostMs / 1000} s: ${what}`);
    await delay(lookMs);
  }
  return performance.now() - beganMs;
};

export const memoryOf = ({ pid = 0 }: ChildProcess) => {
  const { all, anonymous } = residentMiB(pid);
  return { 'RSS MiB': all, 'of it anonymous MiB': anonymous, 'PSS MiB': pssMiB(pid) };
};

type Starts = Readonly<
  Record<'Node alone' | 'Node and its fetch' | 'bare discord.js client' | 'the bot', Record<string, number>>
>;

/** Starts the bot, a bare client and Node alone in turn, and leaves each idle for a while. */
export const measureStarts = async (
  stack: DiscordBot,
  starts: number,
  folder: string,
  say: (line: string) => void,
): Promise<Starts> => {
  const { discord, api, startBot } = stack;
  const clientFile = join(folder, 'client.mjs');
  await bundleFile(join(import.meta.dirname, 'client-main.ts'), clientFile);
  const node = (...args: string[]) =>
    spawn(process.execPath, args, {
      env: {
        ...systemEnv(),
        DISCORD_API_URL: discord.apiUrl,
        DISCORD_BOT_TOKEN: usualBot.token,
        INTENTS: String(usualIntents.reduce<number>((bits, intent) => bits | intent, 0)),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  const measure = async (start: () => ChildProcess, untilReady: () => Promise<Record<string, number>>) => {
    const ready = untilReady();
    await using running = new AsyncDisposableStack();
    const child = start();
    running.defer(() => kill(child));
    const times = await ready;
    await delay(idleMs);
    return { ...times, ...memoryOf(child) };
  };
  const signedInMs = () => {
    const before = discord.gateway.identified.length;
    return msUntil('it is signed in', () => discord.gateway.identified.length > before);
  };
  const guildMs = () => {
    const before = api.context.discord.discordEvents.guild.current();
    return msUntil('it has told its channels', () => {
      const now = api.context.discord.discordEvents.guild.current();
      return now !== null && now !== before;
    });
  };
  const forever = 'setInterval(() => undefined, 60_000);';
  // The bot calls the API with fetch, in addition to the HTTP client of discord.js.
  const fetching = `fetch('http://127.0.0.1:${api.port}${healthHttp.stack.path}').then((answer) => answer.text());`;
  return alternate(
    {
      'Node alone': () =>
        measure(
          () => node('-e', forever),
          async () => ({}),
        ),
      'Node and its fetch': () =>
        measure(
          () => node('-e', fetching + forever),
          async () => ({}),
        ),
      'bare discord.js client': () =>
        measure(
          () => node(clientFile),
          async () => ({ 'signed in ms': await signedInMs() }),
        ),
      'the bot': () =>
        measure(startBot, async () => {
          const [signedIn, atWork] = await Promise.all([signedInMs(), guildMs()]);
          return { 'signed in ms': signedIn, 'at work ms': atWork };
        }),
    },
    starts,
    (line) => say(`start and ${idleMs / 1000} s of idling, ${line}`),
  );
};
