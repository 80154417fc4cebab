import { createHash } from 'node:crypto';
import type { APIEmbed, APIEmbedField, APIMessage, RESTPatchAPIChannelMessageJSONBody } from 'discord.js';
import type { ShownServer, StatusBoard } from '#contracts/discord/discord-status.ts';
import { formatFor } from '#contracts/kernel/format.ts';
import type { Language } from '#contracts/kernel/language.ts';
import { plural } from '#contracts/kernel/language.ts';
import { games } from '#contracts/servers/games.ts';
import { safeText } from '../events/discord-text.ts';

/** https://docs.discord.com/developers/resources/message#embed-object-embed-limits; 6,000 characters in all. */
const mostFields = 25;
const mostFieldCharacters = 1024;
/** For all fields of a cluster; the rest is for names, the title and the mark. */
const mostClusterCharacters = 3200;
const mostServerCharacters = 3600;
const mostNameCharacters = 60;

type State = ShownServer['state'];

/** Stripe colors that stand out on both Discord's dark and light backgrounds. */
const colors: Readonly<Record<State, number>> = {
  online: 0x2f9e6e,
  starting: 0xd9912b,
  offline: 0xd6453d,
  unknown: 0x7d8590,
};
const marks: Readonly<Record<State, string>> = {
  online: '🟢',
  starting: '🟡',
  offline: '🔴',
  unknown: '⚪',
};

const words = {
  en: {
    states: { online: 'Online', starting: 'Starting', offline: 'Offline', unknown: 'Unknown' },
    since: (time: string) => `since ${time}`,
    answered: (time: string) => `The game last answered ${time}.`,
    neverAnswered: 'The game has not answered yet.',
    away: (time: string) => `Castellan does not answer, so nothing is known since ${time}.`,
    count: (count: number) => plural.en(count, 'player', 'players'),
    countUnknown: 'Players: unknown',
    players: 'Players',
    map: 'Map',
    address: 'Join',
    more: (count: number) => `and ${plural.en(count, 'more', 'more')}`,
    moreServers: (count: number) => `and ${plural.en(count, 'more server', 'more servers')}`,
    noServers: 'There are no servers in this cluster.',
  },
  'pt-BR': {
    states: { online: 'Online', starting: 'Iniciando', offline: 'Offline', unknown: 'Desconhecido' },
    since: (time: string) => `desde ${time}`,
    answered: (time: string) => `O jogo respondeu pela última vez ${time}.`,
    neverAnswered: 'O jogo ainda não respondeu.',
    away: (time: string) => `O Castellan não responde, por isso nada se sabe desde ${time}.`,
    count: (count: number) => plural.pt(count, 'jogador', 'jogadores'),
    countUnknown: 'Jogadores: desconhecido',
    players: 'Jogadores',
    map: 'Mapa',
    address: 'Entrar',
    more: (count: number) => `e mais ${plural.pt(count, 'outro', 'outros')}`,
    moreServers: (count: number) => `e mais ${plural.pt(count, 'servidor', 'servidores')}`,
    noServers: 'Não há servidores neste cluster.',
  },
} as const;

type StatusBody = Required<
  Pick<RESTPatchAPIChannelMessageJSONBody, 'content' | 'embeds' | 'allowed_mentions'>
>;

const product = 'Castellan';

/** Finds a message again by its mark: Discord's history has no nonces. */
export const isStatusOf = (post: string, { embeds }: Pick<APIMessage, 'embeds'>): boolean =>
  embeds.some(({ footer }) => footer?.text === `${product} · ${post}`);

/** A digest of what a message shows, independent of the post that created it. */
export const digestOf = (board: StatusBoard, language: Language): string =>
  createHash('sha256')
    .update(JSON.stringify(statusBody({ board, language })))
    .digest('base64url');

/** The message that shows how a server or the servers of a cluster are. The same facts give the same message. */
export const statusBody = ({
  board,
  language,
  post,
  awaySince,
}: {
  readonly board: StatusBoard;
  readonly language: Language;
  /** The post that creates the message, so that it can be found; once its id is known, it needs no mark. */
  readonly post?: string;
  /** The API has been unreachable since then, and the board may be out of date. */
  readonly awaySince?: Date;
}): StatusBody => {
  const embed = awaySince
    ? awayEmbed(board, language, awaySince)
    : board.kind === 'server' && board.servers[0]
      ? serverEmbed(board.servers[0], language)
      : clusterEmbed(board, language);
  return {
    content: '',
    embeds: [
      {
        ...embed,
        footer: { text: post === undefined ? (board.community ?? product) : `${product} · ${post}` },
      },
    ],
    // No one is notified, whatever a name says.
    allowed_mentions: { parse: [] },
  };
};

/** Each reader sees it in their own language and time zone. */
const timeOf = (at: string | Date): string =>
  `<t:${Math.floor((typeof at === 'string' ? Date.parse(at) : at.getTime()) / 1000)}:R>`;

/** Shown unformatted, for copying; characters that would end the frame are left out. */
const framed = (text: string): string => `\`${text.replaceAll('`', '')}\``;

const stateLine = ({ state, since }: ShownServer, language: Language): string => {
  const text = words[language];
  return `**${text.states[state]}**${since === null ? '' : ` · ${text.since(timeOf(since))}`}`;
};

/** For a game that does not answer. */
const answerLine = ({ state, answeredAt }: ShownServer, language: Language): string[] => {
  if (state === 'online') return [];
  const text = words[language];
  return [answeredAt === null ? text.neverAnswered : text.answered(timeOf(answeredAt))];
};

const countOf = (count: number, language: Language): string => words[language].count(count);

/** As many whole names as fit. */
const namesWithin = (names: readonly string[], count: number, language: Language, most: number): string => {
  const text = words[language];
  const room = most - text.more(count).length - 2;
  const told: string[] = [];
  let length = 0;
  for (const name of names) {
    const safe = safeText(name, mostNameCharacters);
    if (length + safe.length + 2 > room) break;
    told.push(safe);
    length += safe.length + 2;
  }
  const left = Math.max(0, Math.max(count, names.length) - told.length);
  return [...told, ...(left > 0 ? [text.more(left)] : [])].join(', ');
};

const serverEmbed = (server: ShownServer, language: Language): APIEmbed => {
  const text = words[language];
  const { players, names, map, address } = server;
  const lines = [stateLine(server, language), ...answerLine(server, language)];
  if (names && players !== null && names.length > 0)
    lines.push('', namesWithin(names, players, language, mostServerCharacters));
  const fields: APIEmbedField[] = [
    ...(players === null
      ? []
      : [{ name: text.players, value: formatFor(language).number(players), inline: true }]),
    ...(map === '' ? [] : [{ name: text.map, value: safeText(map), inline: true }]),
    ...(address === '' ? [] : [{ name: text.address, value: framed(address), inline: true }]),
  ];
  return {
    color: colors[server.state],
    author: { name: games[server.game].name },
    title: `${marks[server.state]} ${safeText(server.name)}`,
    description: lines.join('\n'),
    ...(fields.length > 0 && { fields }),
  };
};

const clusterEmbed = ({ title, servers }: StatusBoard, language: Language): APIEmbed => {
  const text = words[language];
  const shown = servers.length > mostFields ? servers.slice(0, mostFields - 1) : servers;
  const left = servers.length - shown.length;
  const share = Math.min(mostFieldCharacters, Math.floor(mostClusterCharacters / Math.max(1, shown.length)));
  const counts = servers.flatMap(({ players }) => (players === null ? [] : [players]));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const fields: APIEmbedField[] = shown.map((server) => ({
    name: `${marks[server.state]} ${safeText(server.name, 40)}`,
    value: linesOf(server, language, share),
  }));
  if (left > 0) fields.push({ name: text.moreServers(left), value: '…' });
  const lines = [
    servers.length === 0
      ? text.noServers
      : `**${counts.length > 0 ? countOf(total, language) : text.countUnknown}**`,
  ];
  return {
    color: colors[stateOfAll(servers)],
    title: safeText(title),
    description: lines.join('\n'),
    ...(fields.length > 0 && { fields }),
  };
};

/** A server among others, the most important first: what does not fit is left out whole. */
const linesOf = (server: ShownServer, language: Language, most: number): string => {
  const text = words[language];
  const { state, players, names, address, map } = server;
  const wanted = [
    stateLine(server, language),
    ...answerLine(server, language),
    ...(state === 'online' ? [players === null ? text.countUnknown : countOf(players, language)] : []),
    ...(address === '' ? [] : [`${text.address}: ${framed(address)}`]),
    ...(map === '' ? [] : [`${text.map}: ${safeText(map)}`]),
  ];
  const lines: string[] = [];
  let length = 0;
  for (const line of wanted) {
    if (length + line.length + 1 > most) continue;
    lines.push(line);
    length += line.length + 1;
  }
  const room = most - length;
  if (names && players !== null && names.length > 0 && room > 40)
    lines.push(namesWithin(names, players, language, room));
  return lines.join('\n');
};

/** One server that answers makes the message worth a look; otherwise the worst known state. */
const stateOfAll = (servers: readonly ShownServer[]): State => {
  const has = (state: State) => servers.some((server) => server.state === state);
  return (['online', 'starting', 'offline'] as const).find(has) ?? 'unknown';
};

const awayEmbed = ({ title, servers }: StatusBoard, language: Language, since: Date): APIEmbed => {
  const text = words[language];
  const joins = servers
    .filter(({ address }) => address !== '')
    .slice(0, mostFields)
    .map(({ name, address }) => ({ name: safeText(name, 40), value: framed(address) }));
  return {
    color: colors.unknown,
    title: `${marks.unknown} ${safeText(title)}`,
    description: text.away(timeOf(since)),
    ...(joins.length > 0 && { fields: joins }),
  };
};
