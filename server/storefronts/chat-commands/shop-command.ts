import type { ChatCommand, ChatLine } from './chat-commands.ts';
import type { ChatRules } from './chat-rules.ts';
import type { PrivateAnswers } from './private-answers.ts';
import { entriesText, type ListedProduct, pagesOf, type ShownLists } from './shop-list.ts';

/** The owner's words may be so long that they would leave no room for products. */
const longestHint = 60;

/** `!shop [page]` whispers what is for sale, a line at a time. */
export const createShopCommand = ({
  answers,
  rules,
  products,
  shown,
  now,
}: {
  readonly answers: PrivateAnswers;
  readonly rules: () => Promise<ChatRules>;
  readonly products: (serverId: string) => Promise<readonly ListedProduct[]>;
  readonly shown: ShownLists;
  readonly now: () => number;
}): ChatCommand => ({
  name: 'shop',
  async run(line: ChatLine, argument) {
    const words = await answers.words();
    const { productsPerPage, typed } = await rules();
    const hintOf = (more: string | null) => {
      const hint = words.pageHint(typed('buy'), more);
      return hint.length <= longestHint ? hint : '';
    };
    const tailRoom = hintOf(`${typed('shop')} 999`).length;
    const pages = pagesOf(await products(line.serverId), productsPerPage, words, tailRoom);
    if (pages.length === 0) return void (await answers.tell(line, words.nothingForSale));
    const wanted = argument === '' ? 1 : Number(/^\d{1,4}$/.exec(argument)?.[0] ?? 0);
    const page = pages[wanted - 1];
    if (!page) return void (await answers.tell(line, words.noSuchPage(pages.length)));
    const sentMs = now();
    const hint = hintOf(wanted < pages.length ? `${typed('shop')} ${wanted + 1}` : null);
    const text = words.page(wanted, pages.length, entriesText(page)) + hint;
    const reach = await answers.tell(line, text);
    if (reach !== 'not') shown.show(line, page, sentMs);
  },
});
