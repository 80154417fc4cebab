import { longestReply } from '#contracts/games.ts';
import { mostReplyBytes, type Reply, toReply } from '../wire/reply.ts';

export interface ReplyLines {
  add(line: string): void;
  /** More has arrived than any reply contains. */
  isEndless(): boolean;
  toReply(): Reply;
}

export const createReplyLines = (): ReplyLines => {
  const kept: string[] = [];
  let received = 0;
  let isCut = false;
  return {
    add(line) {
      if (received > longestReply) isCut = true;
      else kept.push(line);
      received += line.length + 1;
    },
    isEndless: () => received > mostReplyBytes,
    toReply: () => toReply(kept.join('\n'), isCut),
  };
};
