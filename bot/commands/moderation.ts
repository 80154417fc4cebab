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

/** What commands to games have in common: the player, the server, and the game's reply. */

/** The game has 15 s to answer. */
export const gameDeadlineMs = 20_000;

export const reasonOption = {
  type: ApplicationCommandOptionType.String as const,
  ...named('reason', 'motivo'),
  ...described('The reason that the player sees', 'O motivo que o jogador vê'),
  max_length: 300,
};

export const playerOptions = [serverOption(true), playerOption];

const texts = words(
  {
    done: '✅ Done',
    unproven: '☑️ Sent; the game does not say whether it worked',
    failed: '❌ Refused by the game',
    later: '🕓 Not now',
    lost: '❔ No answer from the game',
    kept: '🕓 Saved; Castellan sends it until the game confirms it',
    on: (player: string, server: string) => `${player} on ${server}`,
  },
  {
    done: '✅ Feito',
    unproven: '☑️ Enviado; o jogo não diz se funcionou',
    failed: '❌ Recusado pelo jogo',
    later: '🕓 Agora não',
    lost: '❔ O jogo não respondeu',
    kept: '🕓 Salvo; o Castellan envia até o jogo confirmar',
    on: (player: string, server: string) => `${player} em ${server}`,
  },
);

export const outcomeText = (outcome: CommandOutcome | null, language: Language): string =>
  outcome === 'answered' ? texts[language].done : texts[language].lost;

export const reportReply = (
  { verdict, detail, kept }: ModerationReport,
  whom: string,
  language: Language,
): Reply => {
  const text = texts[language];
  const said = detail === '' ? '' : `\n${nameText(detail, 500)}`;
  if (kept && verdict === 'failed') return says(`${text.failed}: ${whom}${said}\n${text.kept}`);
  if (kept) return says(`${text.kept}: ${whom}`);
  return says(`${verdict === null ? text.lost : text[verdict]}: ${whom}${said}`);
};

/** The API refuses people without the permission. */
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

/** A text as the API accepts it. */
export const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').trim();
