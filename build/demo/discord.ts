import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import type { EnvChanges } from '#runtime/env-file.ts';
import { startFile, waitFor } from './program.ts';

const simulatorFile = resolve(import.meta.dirname, '../../tests/simulators/discord/main.ts');

const readyLine = z.object({
  /** The page where a person takes part. */
  url: z.url(),
  apiUrl: z.url(),
  guildId: z.string(),
  channelIds: z.record(z.string(), z.string()),
  token: z.string(),
  applicationId: z.string(),
});

export interface DemoDiscord extends AsyncDisposable {
  /** What people and programs need to take part. */
  readonly place: Pick<z.infer<typeof readyLine>, 'url' | 'guildId' | 'channelIds'>;
  readonly pid: number;
  /** Makes the bot of a stack sign in there. */
  readonly env: EnvChanges;
}

/** A simulated Discord with one server, and a page that shows its channels. It keeps nothing. */
export const startDemoDiscord = async (home: string, stopping: AbortSignal): Promise<DemoDiscord> => {
  const output = join(home, 'discord.out');
  // An earlier simulator has left its ready line there.
  await rm(output, { force: true });
  const program = startFile(simulatorFile, [], {}, output);
  const look = async () => {
    const line = /^READY (.+)\n/m.exec(await readFile(output, 'utf8'))?.[1];
    return line === undefined ? null : readyLine.parse(JSON.parse(line));
  };
  try {
    const ready = await waitFor(program, 'the simulated Discord was ready', look, stopping);
    const { url, guildId, channelIds } = ready;
    return {
      place: { url, guildId, channelIds },
      pid: program.process.pid ?? 0,
      env: {
        DISCORD_API_URL: ready.apiUrl,
        DISCORD_BOT_TOKEN: ready.token,
        CLIENT_ID: ready.applicationId,
        GUILD_ID: guildId,
      },
      [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
    };
  } catch (error) {
    await program[Symbol.asyncDispose]();
    throw error;
  }
};

/** Undoes `env`, for a stack without the simulated Discord. */
export const withoutDiscord: EnvChanges = {
  DISCORD_API_URL: null,
  DISCORD_BOT_TOKEN: null,
  CLIENT_ID: null,
  GUILD_ID: null,
};
