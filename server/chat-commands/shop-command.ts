import type { ChatCommand, ChatLine } from './chat-commands.ts';
import type { ChatRules } from './chat-rules.ts';
import type { PrivateAnswers } from './private-answers.ts';
import { entriesText, type ListedProduct, pagesOf, type ShownLists } from './shop-list.ts';

export interface ShopCommandOptions {
  readonly answers: PrivateAnswers;
  readonly rules: () => Promise<ChatRules>;
  readonly products: (serverId: string) => Promise<readonly ListedProduct[]>;
  readonly shown: ShownLists;
  readonly now: () => number;
}

/** `!shop [page]` whispers what is for sale, a line at a time. */
export const createShopCommand = ({
  answers,
  rules,
  products,
  shown,
  now,
}: ShopCommandOptions): ChatCommand => ({
  name: 'shop',
  async run(line: ChatLine, argument) {
    const words = await answers.words();
    const { productsPerPage } = await rules();
    const pages = pagesOf(await products(line.serverId), productsPerPage, words);
    if (pages.length === 0) return void (await answers.tell(line, words.nothingForSale));
    const wanted = argument === '' ? 1 : Number(/^\d{1,4}$/.exec(argument)?.[0] ?? 0);
    const page = pages[wanted - 1];
    if (!page) return void (await answers.tell(line, words.noSuchPage(pages.length)));
    const sentMs = now();
    const reach = await answers.tell(line, words.page(wanted, pages.length, entriesText(page)));
    if (reach !== 'not') shown.show(line, page, sentMs);
  },
});
