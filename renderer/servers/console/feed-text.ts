import { plainText } from '../plain-text.ts';
import type { FeedItem } from './console-feed.ts';

/** The text that the filter searches. */
const searchedIn = (item: FeedItem): string => {
  if (item.kind === 'line') return item.text;
  if (item.kind === 'entry') return `${item.entry.command}\n${item.entry.reply ?? ''}`;
  return '';
};

/** The items that contain the text, whatever its case; all of them if it is empty. */
export const filtered = (items: readonly FeedItem[], wanted: string): readonly FeedItem[] => {
  const text = wanted.trim().toLocaleLowerCase();
  if (text === '') return items;
  return items.filter((item) => searchedIn(item).toLocaleLowerCase().includes(text));
};

const asText = (item: FeedItem): string => {
  switch (item.kind) {
    case 'line':
      return `${item.at} ${plainText(item.text)}`;
    case 'entry': {
      const { command, actor, outcome, reply } = item.entry;
      const answer = reply ? `\n${plainText(reply)}` : '';
      return `${item.at} > ${plainText(command)} [${plainText(actor.name ?? actor.kind)}: ${outcome ?? '…'}]${answer}`;
    }
    case 'skipped':
      return `${item.at} [… ${item.count}]`;
    case 'gap':
      return `${item.at} [… ?]`;
  }
};

/** For a file or the clipboard, one line each; times in UTC. */
export const feedAsText = (items: readonly FeedItem[]): string => items.map(asText).join('\n');
