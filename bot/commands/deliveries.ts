import { discordUsersHttp, type OwnDelivery } from '#contracts/discord/discord-users.ts';
import { type Asked, type BotCommand, card, pageButtons, pageOf, type Reply, says } from './command.ts';
import { described, named, relativeTime, words } from './language.ts';
import { nameText } from './text.ts';

const perPage = 10;
/** The newest; the panel lists them all. */
const mostRows = 100;

const texts = words(
  {
    title: 'Your deliveries',
    none: 'Nothing has been bought for your players yet. See `/shop`.',
    refunded: 'points returned',
    states: {
      pending: '🕓 about to be delivered',
      waiting: '🕓 waits',
      sending: '📦 on its way',
      delivered: '✅ delivered',
      failed: '❌ failed',
      unknown: '❔ an admin is looking into it',
      cancelled: '❌ cancelled',
    },
    waits: {
      player: 'until your player is on the server',
      server: 'until the server is back',
      'survivor-number': 'for your survivor number; ask an admin',
      retry: 'for the next try',
      license: 'until Castellan works again',
      discord: 'for your role on the Discord server',
    },
  },
  {
    title: 'Suas entregas',
    none: 'Nada foi comprado ainda para seus jogadores. Veja `/shop`.',
    refunded: 'pontos devolvidos',
    states: {
      pending: '🕓 prestes a ser entregue',
      waiting: '🕓 espera',
      sending: '📦 a caminho',
      delivered: '✅ entregue',
      failed: '❌ falhou',
      unknown: '❔ um administrador vai verificar',
      cancelled: '❌ cancelada',
    },
    waits: {
      player: 'até seu jogador estar no servidor',
      server: 'até o servidor voltar',
      'survivor-number': 'pelo número do seu sobrevivente; fale com um administrador',
      retry: 'pela próxima tentativa',
      license: 'até o Castellan voltar a funcionar',
      discord: 'por seu cargo no servidor do Discord',
    },
  },
);

const show = async ({ api, language }: Asked, wanted: number): Promise<Reply> => {
  const text = texts[language];
  const { rows } = await api(discordUsersHttp.deliveries, { query: { limit: mostRows } });
  if (rows.length === 0) return says(text.none);
  const pages = Math.ceil(rows.length / perPage);
  const page = Math.min(wanted, pages - 1);
  const line = ({ productName, quantity, state, waitsFor, isRefunded, createdAt }: OwnDelivery) => {
    const waits = waitsFor === null ? '' : ` ${text.waits[waitsFor]}`;
    const refunded = isRefunded ? ` (${text.refunded})` : '';
    return `**${nameText(productName)}** × ${quantity} ${relativeTime(createdAt)}\n${text.states[state]}${waits}${refunded}`;
  };
  const lines = rows.slice(page * perPage, (page + 1) * perPage).map(line);
  return {
    embeds: [card({ title: text.title, text: lines.join('\n') })],
    components: pageButtons(['deliveries', 'page'], page, pages),
  };
};

export const deliveriesCommand: BotCommand = {
  definition: {
    ...named('deliveries', 'entregas'),
    ...described(
      'See what happened to what was bought for you',
      'Veja o que aconteceu com o que foi comprado para você',
    ),
  },
  isPrivate: true,
  run: (asked) => show(asked, 0),
  buttons: { page: { answers: 'update', press: (asked, [page]) => show(asked, pageOf(page)) } },
};
