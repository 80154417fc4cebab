import { fstatSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { createLog } from '#runtime/log.ts';
import { runProgram, StartupError } from '#runtime/program.ts';
import { startDiscord, usualBot } from './discord.ts';
import { createPage } from './page/page.ts';

const portNumber = (text: string): number => {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError('It must be a port.');
  return port;
};

const channels = ['welcome', 'status', 'events', 'chat'];

const { port } = new Command('node tests/simulators/discord/main.ts')
  .description(
    'Simulates Discord with one guild, and a page on which a person takes part in it. Prints one line ' +
      '`READY {"url":…,"apiUrl":…,"guildId":…,"channelIds":…,"token":…,"applicationId":…}` and runs until SIGTERM or ' +
      'the end of a piped stdin.',
  )
  .option('--port <number>', '0 for any free one', portNumber, 0)
  .parse()
  .opts<{ readonly port: number }>();

const isPiped = (): boolean => {
  const stdin = fstatSync(0);
  return stdin.isFIFO() || stdin.isSocket();
};

await runProgram(
  async ({ resources, stop }) => {
    const discord = resources.use(
      await startDiscord({ port }).catch((error) => {
        throw new StartupError(`The simulated Discord cannot start: ${error.message}`, { cause: error });
      }),
    );
    const people = discord.addGuild('The Keep', { channels });
    for (const name of ['Ada', 'Björn', 'Chiara']) people.join(name);
    discord.showPage(createPage(discord, people));
    if (isPiped()) process.stdin.on('end', () => stop('stdin ended')).resume();
    const { token, applicationId } = usualBot;
    const channelIds = Object.fromEntries(channels.map((name) => [name, people.channelNamed(name).id]));
    const ready = {
      url: discord.url,
      apiUrl: discord.apiUrl,
      guildId: people.guild.id,
      channelIds,
      token,
      applicationId,
    };
    process.stdout.write(`READY ${JSON.stringify(ready)}\n`);
  },
  { log: createLog({ component: 'discord-simulator', level: 'warn', fd: 2 }) },
);
