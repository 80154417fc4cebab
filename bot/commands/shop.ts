import { ApplicationCommandOptionType, type AttachmentPayload, ButtonStyle } from 'discord.js';
import { discordUsersHttp, type ShopProduct } from '#contracts/discord/discord-users.ts';
import { games } from '#contracts/servers/games.ts';
import { cut } from '../cut.ts';
import {
  type Asked,
  type BotCommand,
  button,
  card,
  pageButtons,
  pageOf,
  type Reply,
  row,
  says,
} from './command.ts';
import { described, named, words } from './language.ts';
import { priceText } from './purchase.ts';
import { choiceText, longest, nameText } from './text.ts';

const perPage = 5;
/** Characters per product: the embeds of a message share one limit. */
const mostOfOne = Math.floor(longest.embeds / perPage) - 300;
/** The buttons' ids contain the search text. */
const longestText = 60;

const texts = words(
  { none: 'Nothing is for sale right now.', buy: (name: string) => `Buy: ${name}` },
  { none: 'Nada está à venda agora.', buy: (name: string) => `Comprar: ${name}` },
);

/** A shop without its pictures is still a shop. */
const pictureOf = async ({ api }: Asked, { id, picture }: ShopProduct): Promise<AttachmentPayload | null> => {
  if (picture === null) return null;
  const found = await api(discordUsersHttp.picture, { params: { id } }).catch(() => null);
  if (!found) return null;
  const kind = found.mediaType.replace('image/', '');
  return { attachment: Buffer.from(found.picture, 'base64'), name: `${picture.slice(0, 16)}.${kind}` };
};

const show = async (asked: Asked, text: string, wanted: number): Promise<Reply> => {
  const { api, language } = asked;
  const read = (page: number) =>
    api(discordUsersHttp.products, { query: { text, offset: page * perPage, limit: perPage } });
  let page = wanted;
  let { rows, total } = await read(page);
  const pages = Math.ceil(total / perPage);
  if (total === 0) return says(texts[language].none);
  if (rows.length === 0) {
    page = pages - 1;
    ({ rows, total } = await read(page));
  }
  const pictures = await Promise.all(rows.map((product) => pictureOf(asked, product)));
  const embeds = rows.map((product, index) => {
    const { name, category, description, game } = product;
    const facts = [games[game].name, ...(category === '' ? [] : [nameText(category)])].join(' · ');
    const thumbnail = pictures[index] && `attachment://${pictures[index].name}`;
    const lines = [priceText(product, language), facts, cut(nameLines(description), mostOfOne - 300)];
    return card(
      { title: nameText(name), text: lines.join('\n'), ...(thumbnail && { thumbnail }) },
      mostOfOne,
    );
  });
  return {
    embeds,
    files: pictures.filter((picture) => picture !== null),
    components: [
      row(
        rows.map(({ id, name }) =>
          button(['buy', 'offer', id], {
            label: texts[language].buy(choiceText(name)),
            style: ButtonStyle.Primary,
          }),
        ),
      ),
      ...pageButtons(['shop', 'page', text], page, pages),
    ],
  };
};

/** Several lines, each without Markdown. */
const nameLines = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => nameText(line, mostOfOne))
    .join('\n');

export const shopCommand: BotCommand = {
  definition: {
    ...named('shop', 'loja'),
    ...described('See what you can buy with your points', 'Veja o que você pode comprar com seus pontos'),
    options: [
      {
        type: ApplicationCommandOptionType.String,
        ...named('search', 'busca'),
        ...described('Part of the name', 'Parte do nome'),
        max_length: longestText,
      },
    ],
  },
  isPrivate: true,
  isStore: true,
  run: (asked) => show(asked, searchable(asked.options.getString('search') ?? ''), 0),
  buttons: {
    page: { answers: 'update', press: (asked, [text = '', page]) => show(asked, text, pageOf(page)) },
  },
};

/** The bar separates the values in a button's id. */
const searchable = (text: string): string => text.replaceAll('|', ' ').slice(0, longestText).toWellFormed();
