import { parseArgs } from 'node:util';
import { kill, openDiscordBot } from '#harness/discord-bot.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { bundleForScript } from '../../../build/script-process.ts';
import { openTestCluster } from '../../../server/kernel/testing/test-cluster.ts';
import type { Bench } from '../harness/report.ts';
import { measureDrain } from './drain.ts';
import { measurePosts } from './posts.ts';
import { measureStarts, memoryOf } from './starts.ts';

const memoryAimMiB = 80;

export const botBench: Bench = {
  summary:
    'the Discord bot against a simulated Discord: start, memory, time to a post, 10,000 events at once',
  async run(say, args = []) {
    const { values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        starts: { type: 'string', default: '5' },
        singles: { type: 'string', default: '50' },
        seconds: { type: 'string', default: '60' },
        events: { type: 'string', default: '10000' },
        json: { type: 'boolean' },
      },
    });
    await bundleForScript();
    await using running = new AsyncDisposableStack();
    const folder = running.use(await temporaryFolder('bench-bot'));
    const postgres = running.use(await openTestCluster(folder.path, await freePort(), { fsync: 'on' }));
    await postgres.start();
    const stack = running.use(
      await openDiscordBot({ databaseUrl: postgres.databaseUrl, channelNames: ['log'] }),
    );

    const starts = await measureStarts(stack, Number(values.starts), folder.path, say);
    const bot = stack.startBot();
    running.defer(() => kill(bot));
    const times = await measurePosts(
      stack,
      { singles: Number(values.singles), seconds: Number(values.seconds) },
      say,
    );
    const events = Number(values.events);
    const drain = await measureDrain(stack, events, say);

    const { 'the bot': own, 'bare discord.js client': bare } = starts;
    const ratio = (figure: string) => (own[figure] ?? Number.NaN) / (bare[figure] ?? Number.NaN);
    const idleMiB = own['RSS MiB'] ?? Number.NaN;
    const wrong = drain.missing + drain.doubled + drain.outOfOrder;
    const throttled = drain['429 beyond the first'];
    return {
      title: 'The Discord bot, with the API, Postgres and a simulated Discord on this machine',
      tables: {
        [`From process start, and memory when idle; medians of ${values.starts}`]: {
          ...starts,
          'the bot ÷ bare client': Object.fromEntries(
            Object.keys(own).map((figure) => [figure, ratio(figure)]),
          ),
          [`the bot after ${events} events at once`]: memoryOf(bot),
        },
        'From the event to its message in Discord': times,
        'Events at once, into one channel': { [`${events} events`]: drain },
      },
      aims: [
        {
          what: 'bot when idle, RSS MiB',
          value: idleMiB,
          aim: `< ${memoryAimMiB}`,
          met: idleMiB < memoryAimMiB,
        },
        {
          what: '429 beyond the first of each bucket',
          value: throttled,
          aim: '0',
          met: throttled === 0,
        },
        { what: 'events missing, doubled or out of order', value: wrong, aim: '0', met: wrong === 0 },
      ],
    };
  },
};
