import { ApplicationCommandOptionType } from 'discord.js';
import type { CommandOutcome } from '#contracts/games.ts';
import { type ModerationReport, type playerActions, playersHttp } from '#contracts/players.ts';
import { type AskedChoices, type AskedCommand, type Reply, says } from './command.ts';
import { described, type Language, named, words } from './language.ts';
import {
  completePlayers,
  completeServers,
  findPlayer,
  findServer,
  playerOption,
  serverOption,
} from './servers.ts';
import { nameText } from './text.ts';

/** What commands to games have in common: whom, where, and what the game made of it. */

/** The game has 15 s for its answer. */
export const gameDeadlineMs = 20_000;

export const reasonOption = {
  type: ApplicationCommandOptionType.String as const,
  ...named('reason', 'motivo'),
  ...described('What the player is told', 'O que é dito ao jogador'),
  max_length: 300,
};

export const playerOptions = [serverOption(true), playerOption];

const texts = words(
  {
    done: '✅ Done',
    unproven: '☑️ Sent; the game does not say whether it worked',
    failed: '❌ The game refuses it',
    later: '🕓 Not now',
    lost: '❔ No answer from the game',
    on: (player: string, server: string) => `${player} on ${server}`,
  },
  {
    done: '✅ Feito',
    unproven: '☑️ Enviado; o jogo não diz se funcionou',
    failed: '❌ O jogo recusa',
    later: '🕓 Agora não',
    lost: '❔ O jogo não respondeu',
    on: (player: string, server: string) => `${player} em ${server}`,
  },
);

export const outcomeText = (outcome: CommandOutcome | null, language: Language): string =>
  outcome === 'answered' ? texts[language].done : texts[language].lost;

export const reportReply = (
  { verdict, detail }: ModerationReport,
  whom: string,
  language: Language,
): Reply => {
  const text = texts[language];
  const said = detail === '' ? '' : `\n${nameText(detail, 500)}`;
  return says(`${verdict === null ? text.lost : text[verdict]}: ${whom}${said}`);
};

/** The API refuses who may not. */
export const act = async (
  asked: AskedCommand,
  action: (typeof playerActions)[number],
  text = '',
): Promise<Reply> => {
  const { api, language, options } = asked;
  const server = await findServer(asked, options.getString('server', true));
  if ('why' in server) return says(server.why);
  const player = await findPlayer(asked, options.getString('player', true));
  if ('why' in player) return says(player.why);
  const report = await api(
    playersHttp.act,
    { params: { id: player.id }, body: { serverId: server.server.id, action, text: oneLine(text) } },
    { deadlineMs: gameDeadlineMs },
  );
  const whom = texts[language].on(nameText(player.name), nameText(server.server.name));
  return reportReply(report, `**${whom}**`, language);
};

export const completeWhom = (asked: AskedChoices) =>
  asked.focused.name === 'server' ? completeServers(asked) : completePlayers(asked);

/** As the API takes it. */
export const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').trim();
