import { ApplicationCommandOptionType } from 'discord.js';
import { consoleHttp } from '#contracts/console.ts';
import { type BotCommand, says } from './command.ts';
import { described, named } from './language.ts';
import { gameDeadlineMs, outcomeText } from './moderation.ts';
import { completeServers, findServer, serverOption } from './servers.ts';
import { codeBlock, nameText } from './text.ts';

/** The most characters of a reply; the console's history has all of it. */
const mostOfReply = 3500;

export const rconCommand: BotCommand = {
  definition: {
    ...named('rcon', 'rcon'),
    ...described('Send a command to the console of a server', 'Envie um comando ao console de um servidor'),
    options: [
      serverOption(true),
      {
        type: ApplicationCommandOptionType.String,
        ...named('command', 'comando'),
        ...described(
          'The command, as you would type it in the console',
          'O comando, como você o digitaria no console',
        ),
        required: true,
        max_length: 1000,
      },
    ],
  },
  isPrivate: true,
  async run(asked) {
    const { api, language, options } = asked;
    const found = await findServer(asked, options.getString('server', true));
    if ('why' in found) return says(found.why);
    const { id, name } = found.server;
    const command = options.getString('command', true);
    const run = { body: { serverIds: [id], command } };
    const { entries } = await api(consoleHttp.run, run, { deadlineMs: gameDeadlineMs });
    const [entry] = entries;
    const reply = entry?.reply ? `\n${codeBlock(entry.reply, mostOfReply)}` : '';
    return says(`${outcomeText(entry?.outcome ?? null, language)}: **${nameText(name)}**${reply}`);
  },
  complete: completeServers,
};
