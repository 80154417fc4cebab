import { discordUsersHttp } from '#contracts/discord/discord-users.ts';
import { type Asked, type BotCommand, card, pageButtons, pageOf, type Reply, says } from './command.ts';
import { described, named, numberText, pointsText, relativeTime, words } from './language.ts';
import { nameText } from './text.ts';

const perPage = 10;
/** The newest entries; the panel lists them all. */
const mostRows = 100;

const texts = words(
  {
    title: (points: string) => `You have ${points}`,
    none: 'No points came or went yet.',
    unlinked: 'No player is linked to your Discord account yet. Use `/link` first.',
    kinds: {
      grant: 'Given',
      purchase: 'Bought',
      refund: 'Refunded',
      charge: 'Charged again',
      correction: 'Taken back',
      transfer: 'Transferred',
      merge: 'Accounts linked',
      season: 'New season',
      reward: 'Reward',
    },
  },
  {
    title: (points: string) => `Você tem ${points}`,
    none: 'Nenhum ponto entrou ou saiu ainda.',
    unlinked: 'Nenhum jogador está vinculado à sua conta do Discord ainda. Use `/vincular` primeiro.',
    kinds: {
      grant: 'Recebido',
      purchase: 'Comprado',
      refund: 'Reembolsado',
      charge: 'Cobrado de novo',
      correction: 'Retirado',
      transfer: 'Transferido',
      merge: 'Contas vinculadas',
      season: 'Nova temporada',
      reward: 'Recompensa',
    },
  },
);

const show = async ({ api, language }: Asked, wanted: number): Promise<Reply> => {
  const text = texts[language];
  const { member } = await api(discordUsersHttp.me, {});
  if (!member) return says(text.unlinked);
  const { rows } = await api(discordUsersHttp.ledger, { query: { limit: mostRows } });
  const pages = Math.max(1, Math.ceil(rows.length / perPage));
  const page = Math.min(wanted, pages - 1);
  const lines = rows.slice(page * perPage, (page + 1) * perPage).map(({ at, kind, change, reward }) => {
    const amount = `${change > 0 ? '+' : '−'}${numberText(Math.abs(change), language)}`;
    return `**${amount}** ${text.kinds[kind]}${reward ? `: ${nameText(reward.name)}` : ''} ${relativeTime(at)}`;
  });
  return {
    embeds: [
      card({
        title: text.title(pointsText(member.balance, language)),
        text: `${nameText(member.name)}\n\n${lines.join('\n') || text.none}`,
      }),
    ],
    components: pageButtons(['points', 'page'], page, pages),
  };
};

export const pointsCommand: BotCommand = {
  definition: {
    ...named('points', 'pontos'),
    ...described('See your points and your latest changes', 'Veja seus pontos e as últimas mudanças'),
  },
  isPrivate: true,
  run: (asked) => show(asked, 0),
  buttons: { page: { answers: 'update', press: (asked, [page]) => show(asked, pageOf(page)) } },
};
