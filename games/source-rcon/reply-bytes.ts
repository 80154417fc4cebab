import { longestReply } from '#contracts/games.ts';
import { mostReplyBytes, type Reply, toReply } from '../wire/reply.ts';

/** UTF-8 needs at most three bytes for what counts as one character of a text. */
const keptBytes = longestReply * 3;
/** Counted for a frame without a body, so that empty frames reach the limit too. */
const frameOverheadBytes = 14;

/** A reply that arrives in several frames. */
export interface ReplyBytes {
  add(body: Buffer): void;
  isEmpty(): boolean;
  /** More has arrived than any reply contains. */
  isEndless(): boolean;
  /** Decoded over all frames together: one may end in the middle of a character. */
  toReply(isWhole: boolean): Reply;
}

export const createReplyBytes = (): ReplyBytes => {
  const kept: Buffer[] = [];
  let keptSoFar = 0;
  let received = 0;
  let isCut = false;
  return {
    add(body) {
      received += body.length + frameOverheadBytes;
      if (keptSoFar > keptBytes) isCut ||= body.length > 0;
      else if (body.length > 0) kept.push(body);
      keptSoFar += body.length;
    },
    isEmpty: () => keptSoFar === 0,
    isEndless: () => received > mostReplyBytes,
    toReply: (isWhole) => toReply(Buffer.concat(kept).toString(), isCut || !isWhole),
  };
};
