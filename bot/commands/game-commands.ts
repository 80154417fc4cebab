import { ApplicationCommandOptionType } from 'discord.js';
import { type ModerationReport, playersHttp } from '#contracts/people/players.ts';
import { consoleHttp } from '#contracts/servers/console.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { games, type PlayerAction } from '#contracts/servers/games.ts';
import { type AskedChoices, type AskedCommand, type BotCommand, type Reply, says } from './command.ts';
import { described, type Language, named, words } from './language.ts';
import {
  completePlayers,
  completeServers,
  findPlayer,
  findServer,
  playerOption,
  serverOption,
} from './servers.ts';
import { codeBlock, nameText } from './text.ts';

// These commands send something to a game and answer with its reply. The API refuses people without the permission.

/** The game has 15 s to answer. */
const deadlineMs = 20_000;
/** The most characters of a reply; the console's history has all of it. */
const mostOfReply = 3500;

const reasonOption = {
  type: ApplicationCommandOptionType.String as const,
  ...named('reason', 'motivo'),
  ...described('The reason that the player sees', 'O motivo que o jogador vê'),
  max_length: 300,
};

const playerOptions = [serverOption(true), playerOption];

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

const onServer = async (
  asked: AskedCommand,
  work: (server: GameServer) => Promise<Reply>,
): Promise<Reply> => {
  const found = await findServer(asked, asked.options.getString('server', true));
  return 'why' in found ? says(found.why) : work(found.server);
};

const act = (asked: AskedCommand, action: PlayerAction, text = ''): Promise<Reply> =>
  onServer(asked, async (server) => {
    const { api, language, options } = asked;
    const player = await findPlayer(asked, options.getString('player', true));
    if ('why' in player) return says(player.why);
    const report = await api(
      playersHttp.act,
      { params: { id: player.id }, body: { serverId: server.id, action, text: oneLine(text) } },
      { deadlineMs },
    );
    const whom = texts[language].on(nameText(player.name), nameText(server.name));
    return reportReply(report, `**${whom}**`, language);
  });

const completeWhom = (asked: AskedChoices) =>
  asked.focused.name === 'server' ? completeServers(asked) : completePlayers(asked);

/** A text as the API accepts it. */
const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').trim();

export const kickCommand: BotCommand = {
  definition: {
    ...named('kick', 'expulsar'),
    ...described('Kick a player from a server', 'Expulse um jogador de um servidor'),
    options: [...playerOptions, reasonOption],
  },
  isPrivate: true,
  run: (asked) => act(asked, 'kick', asked.options.getString('reason') ?? ''),
  complete: completeWhom,
};

export const banCommand: BotCommand = {
  definition: {
    ...named('ban', 'banir'),
    ...described('Ban a player from a server', 'Bana um jogador de um servidor'),
    options: [...playerOptions, reasonOption],
  },
  isPrivate: true,
  run: (asked) => act(asked, 'ban', asked.options.getString('reason') ?? ''),
  complete: completeWhom,
};

export const unbanCommand: BotCommand = {
  definition: {
    ...named('unban', 'desbanir'),
    ...described('Unban a player', 'Desbana um jogador'),
    options: playerOptions,
  },
  isPrivate: true,
  run: (asked) => act(asked, 'unban'),
  complete: completeWhom,
};

export const whitelistCommand: BotCommand = {
  definition: {
    ...named('whitelist', 'whitelist'),
    ...described(
      'Put a player on the whitelist of a server, or take one off',
      'Coloque um jogador na whitelist ou tire-o',
    ),
    options: [
      {
        type: ApplicationCommandOptionType.String,
        ...named('change', 'mudanca'),
        ...described('On or off', 'Colocar ou tirar'),
        required: true,
        choices: [
          { name: 'add', name_localizations: { 'pt-BR': 'colocar' }, value: 'whitelist-add' },
          { name: 'remove', name_localizations: { 'pt-BR': 'tirar' }, value: 'whitelist-remove' },
        ],
      },
      ...playerOptions,
    ],
  },
  isPrivate: true,
  run: (asked) =>
    act(
      asked,
      asked.options.getString('change', true) === 'whitelist-add' ? 'whitelist-add' : 'whitelist-remove',
    ),
  complete: (asked) =>
    asked.focused.name === 'server'
      ? completeServers(asked, ({ game }) => games[game].hasWhitelist)
      : completeWhom(asked),
};

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
  run: (asked) =>
    onServer(asked, async ({ id, name }) => {
      const text = oneLine(asked.options.getString('text', true));
      const given = { params: { id }, body: { text } };
      const report = await asked.api(playersHttp.broadcast, given, { deadlineMs });
      return reportReply(report, `**${nameText(name)}**`, asked.language);
    }),
  complete: completeServers,
};

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
  run: (asked) =>
    onServer(asked, async ({ id, name }) => {
      const command = asked.options.getString('command', true);
      const { entries } = await asked.api(
        consoleHttp.run,
        { body: { serverIds: [id], command } },
        { deadlineMs },
      );
      const [entry] = entries;
      const { done, lost } = texts[asked.language];
      const reply = entry?.reply ? `\n${codeBlock(entry.reply, mostOfReply)}` : '';
      return says(`${entry?.outcome === 'answered' ? done : lost}: **${nameText(name)}**${reply}`);
    }),
  complete: completeServers,
};
