import type { APIApplicationCommandOptionChoice } from 'discord.js';
import { ApplicationCommandOptionType } from 'discord.js';
import { playersHttp } from '#contracts/people/players.ts';
import { type GameServer, gameServersHttp, type ShownState } from '#contracts/servers/game-servers.ts';
import type { Asked, AskedChoices } from './command.ts';
import { described, type Language, named, words } from './language.ts';
import { nameText } from './text.ts';

type Choices = readonly APIApplicationCommandOptionChoice<string>[];

export const serverOption = (required: boolean) => ({
  type: ApplicationCommandOptionType.String as const,
  ...named('server', 'servidor'),
  ...described('The game server', 'O servidor de jogo'),
  required,
  autocomplete: true as const,
});

export const playerOption = {
  type: ApplicationCommandOptionType.String as const,
  ...named('player', 'jogador'),
  ...described('The player; choose one from the list', 'O jogador; escolha um da lista'),
  required: true,
  autocomplete: true as const,
};

export const readServers = async ({ botApi }: Asked): Promise<readonly GameServer[]> =>
  (await botApi(gameServersHttp.list, {})).rows;

const isLike = (name: string, typed: string): boolean =>
  name.toLowerCase().includes(typed.trim().toLowerCase());

export const completeServers = async (
  asked: AskedChoices,
  isFit: (server: GameServer) => boolean = () => true,
): Promise<Choices> =>
  (await readServers(asked))
    .filter((server) => isLike(server.name, asked.focused.value) && isFit(server))
    .map(({ id, name }) => ({ name, value: id }));

/** The server that a choice, or text typed instead of one, means. @returns why there is none, in words */
export const findServer = async (
  asked: Asked,
  chosen: string,
): Promise<{ readonly server: GameServer } | { readonly why: string }> => {
  const servers = await readServers(asked);
  const found =
    servers.find(({ id }) => id === chosen) ??
    sole(servers.filter(({ name }) => name.toLowerCase() === chosen.trim().toLowerCase()));
  return found ? { server: found } : { why: texts[asked.language].noServer(nameText(chosen)) };
};

export const completePlayers = async ({ api, focused, option }: AskedChoices): Promise<Choices> => {
  const text = focused.value.trim();
  const serverId = option('server');
  const { rows } = await api(playersHttp.search, {
    query: { ...(text !== '' && { text }), ...(isId(serverId) && { serverId }), limit: mostRead },
  });
  return rows.map(({ id, name, platformId }) => ({
    name: platformId === null ? name : `${name} (${platformId})`,
    value: `#${id}`,
  }));
};

const mostRead = 25;

/** A choice holds `#` and a player's number, since a name may be a number; a name counts if only one player has it. */
export const findPlayer = async (
  { api, language }: Asked,
  chosen: string,
): Promise<{ readonly id: string; readonly name: string } | { readonly why: string }> => {
  const number = /^#(\d{1,18})$/.exec(chosen)?.[1];
  const byNumber =
    number === undefined ? null : await api(playersHttp.read, { params: { id: number } }).catch(() => null);
  if (byNumber) return byNumber;
  const text = chosen.trim().slice(0, 100);
  const { rows } = await api(playersHttp.search, { query: { text, limit: mostRead } });
  // Beyond a full page there may be another player of that name.
  const same = rows.length < mostRead ? rows : [];
  const found = sole(same.filter(({ name }) => name.toLowerCase() === text.toLowerCase()));
  return found ?? { why: texts[language].noPlayer(nameText(chosen)) };
};

const sole = <Row>(rows: readonly Row[]): Row | undefined => (rows.length === 1 ? rows[0] : undefined);
const isId = (value: string | null): value is string => value !== null && /^[a-z0-9]{8,64}$/.test(value);

export const stateText = (state: ShownState, language: Language): string => texts[language].states[state];

const texts = words(
  {
    noServer: (name: string) => `There is no server ${name}. Choose one from the list.`,
    noPlayer: (name: string) => `It is not clear who ${name} is. Choose a player from the list.`,
    states: {
      online: '🟢 online',
      running: '🟢 running',
      starting: '🟡 starting',
      'console-silent': '🟠 running, but its console does not answer',
      stopping: '🟡 stopping',
      stopped: '⚫ stopped',
      'program-fault': '🔴 cannot start: its program is missing or cannot be run',
      'backing-off': '🔴 crashed, restarts by itself',
      'crash-looping': '🔴 crashed too often, stays down until you start it',
      offline: '🔴 offline',
      lost: '⚪ unknown: its Game Agent is away',
      unknown: '⚪ unknown',
    },
  },
  {
    noServer: (name: string) => `Não há servidor ${name}. Escolha um da lista.`,
    noPlayer: (name: string) => `Não está claro quem é ${name}. Escolha um jogador da lista.`,
    states: {
      online: '🟢 online',
      running: '🟢 em execução',
      starting: '🟡 iniciando',
      'console-silent': '🟠 em execução, mas o console não responde',
      stopping: '🟡 desligando',
      stopped: '⚫ desligado',
      'program-fault': '🔴 não pode iniciar: o programa não existe ou não pode ser executado',
      'backing-off': '🔴 caiu, reinicia sozinho',
      'crash-looping': '🔴 caiu vezes demais, fica desligado até ser ligado',
      offline: '🔴 offline',
      lost: '⚪ desconhecido: o agente de jogo está ausente',
      unknown: '⚪ desconhecido',
    },
  },
);
