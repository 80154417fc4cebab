import { readChatRules } from '../parse-command.ts';
import type { ChatContext } from './chat-context.ts';
import type { ChatLine } from './chat-line.ts';
import { entriesText, pagesOf, readProductsOn } from './shop-list.ts';

/** The owner's words may be so long that they would leave no room for products. */
const longestHint = 60;

/** `!shop [page]` whispers what is for sale, a line at a time. */
export const showShop = async (chat: ChatContext, line: ChatLine, argument: string): Promise<void> => {
  const { answers } = chat;
  const words = await answers.words();
  const { productsPerPage, typed } = await readChatRules(chat.settings);
  const hintOf = (more: string | null) => {
    const hint = words.pageHint(typed('buy'), more);
    return hint.length <= longestHint ? hint : '';
  };
  const tailRoom = hintOf(`${typed('shop')} 999`).length;
  const pages = pagesOf(await readProductsOn(chat, line.serverId), productsPerPage, words, tailRoom);
  if (pages.length === 0) return void (await answers.tell(line, words.nothingForSale));
  const wanted = argument === '' ? 1 : Number(/^\d{1,4}$/.exec(argument)?.[0] ?? 0);
  const page = pages[wanted - 1];
  if (!page) return void (await answers.tell(line, words.noSuchPage(pages.length)));
  const sentMs = chat.now();
  const hint = hintOf(wanted < pages.length ? `${typed('shop')} ${wanted + 1}` : null);
  const text = words.page(wanted, pages.length, entriesText(page)) + hint;
  const reach = await answers.tell(line, text);
  if (reach !== 'not') chat.shown.show(line, page, sentMs);
};
