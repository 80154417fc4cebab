import { ApplicationCommandOptionType } from 'discord.js';
import { playersHttp } from '#contracts/players.ts';
import { type BotCommand, says } from './command.ts';
import { described, named } from './language.ts';
import { gameDeadlineMs, oneLine, reportReply } from './moderation.ts';
import { completeServers, findServer, serverOption } from './servers.ts';
import { nameText } from './text.ts';

export const announceCommand: BotCommand = {
  definition: {
    ...named('announce', 'anunciar'),
    ...described('Say something to everyone on a server', 'Diga algo a todos em um servidor'),
    options: [
      serverOption(true),
      {
        type: ApplicationCommandOptionType.String,
        ...named('text', 'texto'),
        ...described('The message', 'O que é dito'),
        required: true,
        max_length: 300,
      },
    ],
  },
  isPrivate: true,
  async run(asked) {
    const { api, language, options } = asked;
    const found = await findServer(asked, options.getString('server', true));
    if ('why' in found) return says(found.why);
    const { id, name } = found.server;
    const text = oneLine(options.getString('text', true));
    const given = { params: { id }, body: { text } };
    const report = await api(playersHttp.broadcast, given, { deadlineMs: gameDeadlineMs });
    return reportReply(report, `**${nameText(name)}**`, language);
  },
  complete: completeServers,
};
