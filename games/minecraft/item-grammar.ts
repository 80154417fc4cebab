import { reasons } from '#contracts/reasons.ts';

/** In characters; an item with more data may not fit into a command. */
const longestItem = 1000;
const plainItem = /^(?:[a-z0-9_.-]+:)?[a-z0-9_./-]+/;
const closing: Readonly<Record<string, string>> = { '[': ']', '{': '}', '(': ')' };

/** Null, or why this is not an item: `iron_ingot`, `minecraft:iron_ingot`, and either of them with `[components]` or `{data}`. */
export const itemFault = (item: string): string | null => {
  if (item.length > longestItem) return reasons['item-too-long'](longestItem);
  const [plain] = plainItem.exec(item) ?? [];
  if (plain === undefined) return reasons['minecraft-item-shape'];
  const data = item.slice(plain.length);
  if (data === '') return null;
  return isOneBracket(data) ? null : reasons['minecraft-item-data'];
};

/** One bracketed text and nothing after it: anything after it could be another amount, or another player's argument. */
const isOneBracket = (text: string): boolean => {
  const open: string[] = [];
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quote !== '') {
      if (character === '\\') at += 1;
      else if (character === quote) quote = '';
      continue;
    }
    const close = closing[character];
    if (close !== undefined) open.push(close);
    else if (open.length === 0) return false;
    else if (character === '"' || character === "'") quote = character;
    else if (character === ']' || character === '}' || character === ')') {
      if (open.pop() !== character) return false;
      if (open.length === 0) return at === text.length - 1 && text.charAt(0) !== '(';
    }
  }
  return false;
};
