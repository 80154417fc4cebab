import { games } from '#contracts/servers/games.ts';
import { type Asked, type BotCommand, card, pageButtons, pageOf, type Reply, says } from './command.ts';
import { described, words } from './language.ts';
import { completeServers, findServer, readServers, serverOption, stateText } from './servers.ts';
import { nameText } from './text.ts';

const perPage = 10;

const texts = words(
  {
    title: 'Servers',
    none: 'There are no servers yet.',
    players: (count: number) => (count === 1 ? '1 player' : `${count} players`),
  },
  {
    title: 'Servidores',
    none: 'Ainda não há servidores.',
    players: (count: number) => (count === 1 ? '1 jogador' : `${count} jogadores`),
  },
);

const show = async (asked: Asked, wanted: number): Promise<Reply> => {
  const { language } = asked;
  const text = texts[language];
  const servers = await readServers(asked);
  if (servers.length === 0) return says(text.none);
  const pages = Math.ceil(servers.length / perPage);
  const page = Math.min(wanted, pages - 1);
  const lines = servers.slice(page * perPage, (page + 1) * perPage).map((server) => {
    const { state, shown, players } = server.status;
    const count = state === 'online' && players !== null ? ` · ${text.players(players)}` : '';
    return `**${nameText(server.name)}** (${games[server.game].name})\n${stateText(shown, language)}${count}`;
  });
  return {
    embeds: [card({ title: text.title, text: lines.join('\n\n') })],
    components: pageButtons(['status', 'page'], page, pages),
  };
};

export const statusCommand: BotCommand = {
  definition: {
    name: 'status',
    ...described('See how the game servers are doing', 'Veja como estão os servidores de jogo'),
    options: [serverOption(false)],
  },
  isPrivate: false,
  async run(asked) {
    const chosen = asked.options.getString('server');
    if (chosen === null) return show(asked, 0);
    const found = await findServer(asked, chosen);
    if ('why' in found) return says(found.why);
    const { name, status } = found.server;
    const count = status.players === null ? '' : ` · ${texts[asked.language].players(status.players)}`;
    return says(`**${nameText(name)}**\n${stateText(status.shown, asked.language)}${count}`);
  },
  complete: completeServers,
  buttons: { page: { answers: 'update', press: (asked, [page]) => show(asked, pageOf(page)) } },
};
