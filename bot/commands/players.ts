import { playersHttp } from '#contracts/people/players.ts';
import { type Asked, type BotCommand, card, pageButtons, pageOf, type Reply, says } from './command.ts';
import { described, named, words } from './language.ts';
import { completeServers, findServer, readServers, serverOption } from './servers.ts';
import { nameText } from './text.ts';

const perPage = 20;

const texts = words(
  { title: 'Who is playing', none: 'No one is playing right now.' },
  { title: 'Quem está jogando', none: 'Ninguém está jogando agora.' },
);

/** @param serverId empty: all servers */
const show = async (asked: Asked, serverId: string, wanted: number): Promise<Reply> => {
  const text = texts[asked.language];
  const [servers, { rows }] = await Promise.all([
    readServers(asked),
    asked.botApi(playersHttp.online, { query: serverId === '' ? {} : { serverId } }),
  ]);
  const nameOf = new Map(servers.map(({ id, name }) => [id, name]));
  const online = rows.flatMap(({ players }) => players ?? []).filter(({ serverId: id }) => nameOf.has(id));
  if (online.length === 0) return says(text.none);
  const pages = Math.ceil(online.length / perPage);
  const page = Math.min(wanted, pages - 1);
  const shown = Map.groupBy(online.slice(page * perPage, (page + 1) * perPage), (player) => player.serverId);
  const parts = [...shown].map(([id, players]) =>
    [`**${nameText(nameOf.get(id) ?? '')}**`, ...players.map(({ name }) => `• ${nameText(name, 60)}`)].join(
      '\n',
    ),
  );
  return {
    embeds: [card({ title: `${text.title} (${online.length})`, text: parts.join('\n\n') })],
    components: pageButtons(['players', 'page', serverId], page, pages),
  };
};

export const playersCommand: BotCommand = {
  definition: {
    ...named('players', 'jogadores'),
    ...described('See who is on the servers now', 'Veja quem está nos servidores agora'),
    options: [serverOption(false)],
  },
  isPrivate: false,
  async run(asked) {
    const chosen = asked.options.getString('server');
    if (chosen === null) return show(asked, '', 0);
    const found = await findServer(asked, chosen);
    return 'why' in found ? says(found.why) : show(asked, found.server.id, 0);
  },
  complete: completeServers,
  buttons: {
    page: { answers: 'update', press: (asked, [serverId = '', page]) => show(asked, serverId, pageOf(page)) },
  },
};
