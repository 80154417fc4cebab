import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { discordEventsHttp } from '#contracts/discord/discord-events.ts';
import type { Secret } from '#runtime/secret.ts';
import type { Settings } from '#simulators/discord/context.ts';
import { type Discord, startDiscord, usualBot } from '#simulators/discord/discord.ts';
import type { People } from '#simulators/discord/people.ts';
import type { Channel } from '#simulators/discord/state.ts';
import { programsFolder } from '../../build/bundle.ts';
import { call } from '../../server/kernel/testing/call.ts';
import {
  startTestApi,
  type TestApi,
  testBotSecret,
  testDesktopCredential,
} from '../../server/kernel/testing/test-api.ts';
import { whenInUse } from '../../server/kernel/testing/when-in-use.ts';

export interface DiscordBotOptions {
  readonly databaseUrl: Secret;
  /** Each gets a rule that sends all chat lines there. */
  readonly channelNames: readonly string[];
  readonly settings?: Partial<Settings>;
}

/** The API and a simulated Discord, for a bot in a separate process that can be started and killed repeatedly. */
export interface DiscordBot extends AsyncDisposable {
  readonly discord: Discord;
  readonly people: People;
  readonly channels: readonly Channel[];
  readonly api: TestApi;
  readonly database: pg.Client;
  /** @param env in addition to what it needs */
  startBot(env?: Readonly<Record<string, string>>): ChildProcess;
}

const guildId = '222222222222222222';

/** @throws when the programs are not bundled */
export const openDiscordBot = async (options: DiscordBotOptions): Promise<DiscordBot> => {
  const { databaseUrl, channelNames, settings } = options;
  await using opening = new AsyncDisposableStack();
  const discord = opening.use(
    await startDiscord({
      settings: {
        // A restarted bot may sign in immediately.
        identifyWindowMs: 0,
        sessionStarts: { total: 10_000, remaining: 10_000, maxConcurrency: 1 },
        ...settings,
      },
    }),
  );
  const people = discord.addGuild('The Keep', { id: guildId, channels: channelNames });
  const channels = channelNames.map((name) => people.channelNamed(name));
  const api = opening.use(await startTestApi({ databaseUrl, workers: [] }));
  await whenInUse(api);
  for (const { id: channelId } of channels) {
    const fields = { isEnabled: true, kinds: ['chat.message' as const], severities: [], serverIds: [] };
    const body = { ...fields, channelId, roleId: null };
    const made = await call(api.port, discordEventsHttp.create, { as: testDesktopCredential, body });
    if (made.status !== 200) throw new Error(made.text);
  }
  const database = new pg.Client({ connectionString: databaseUrl.reveal() });
  await database.connect();
  opening.defer(() => database.end());
  const owned = opening.move();
  return {
    discord,
    people,
    channels,
    api,
    database,
    startBot: (env = {}) =>
      spawn(process.execPath, [join(programsFolder, 'bot.mjs')], {
        env: {
          DISCORD_BOT_TOKEN: usualBot.token,
          GUILD_ID: guildId,
          API_URL: `http://127.0.0.1:${api.port}`,
          INTERNAL_API_SECRET: testBotSecret,
          DISCORD_API_URL: discord.apiUrl,
          LOG_LEVEL: 'error',
          ...env,
        },
        stdio: ['pipe', 'ignore', 'inherit'],
      }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};

/** Kills a process and waits for its end. */
export const kill = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
};
