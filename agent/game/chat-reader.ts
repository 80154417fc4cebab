import { join } from 'node:path';
import * as z from 'zod';
import type { AgentFrame } from '#contracts/servers/agent-protocol.ts';
import type { Game, LogObservation } from '#games/game.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import type { Log } from '#runtime/log.ts';
import { readJsonFile } from '#runtime/read-json.ts';
import type { PresentNames } from './present-names.ts';

type Reading = Omit<Extract<AgentFrame, { type: 'chat-reading' }>, 'v' | 'type'>;

/** Reads the game's log, chat in the forms that the server's owner chose included. */
export interface ChatReader {
  /** The forms from now on; they are kept for the next start. */
  setForms(forms: readonly string[]): void;
  read(line: string): LogObservation | null;
  /** What the API has not been told yet; null: nothing. */
  take(): Reading | null;
  /** Everything is told again, on a new connection. */
  rewind(): void;
}

const kept = z.object({ forms: z.array(z.string()) });
const longestExample = 400;
/** Counts change with every line of a busy chat. */
const tellEveryMs = 30_000;

export const openChatReader = async (options: {
  readonly stateFolder: string;
  readonly game: Pick<Game, 'readLogLine' | 'chatForms' | 'isUnreadChat'>;
  readonly present: PresentNames;
  /** A line as it may be shown. */
  readonly mask: (line: string) => string;
  /** There is something to take. */
  readonly onNews: () => void;
  readonly log: Log;
}): Promise<ChatReader> => {
  const { stateFolder, game, present, mask, onNews, log } = options;
  const path = join(stateFolder, 'chat-forms.json');
  let forms: readonly string[] = (await readJsonFile(kept, path))?.forms ?? [];
  let unread: Reading['unread'] = { count: 0, example: null };
  let lastText = '';
  let isDue = false;
  let toldMs = Number.NEGATIVE_INFINITY;
  let writing = Promise.resolve();

  return {
    setForms(next) {
      if (JSON.stringify(next) !== JSON.stringify(forms)) {
        forms = next;
        unread = { count: 0, example: null };
        writing = writing
          .then(() => writeFileAtomically(path, JSON.stringify({ forms: next }), 0o600))
          .catch((error: unknown) => log.warn({ err: error }, 'could not store the forms of chat'));
      }
      isDue = true;
      toldMs = Number.NEGATIVE_INFINITY;
      onNews();
    },
    read(line) {
      const own = game.readLogLine(line, present.isOnline);
      if (own?.kind === 'chat') lastText = own.text;
      if (own !== null) return own;
      const names = present.all();
      const seen = game.chatForms?.read(line, forms, names) ?? null;
      const isUnread = game.chatForms?.isUnread(line, forms, names) ?? game.isUnreadChat?.(line, names);
      // A mod of 7 Days to Die repeats what it has handled.
      const isRepeated = lastText !== '' && line.endsWith(` ${lastText}`);
      if (seen === null && isUnread === true && !isRepeated) {
        unread = { count: unread.count + 1, example: mask(line).slice(0, longestExample).toWellFormed() };
        isDue = true;
      }
      return seen;
    },
    take() {
      if (!isDue || performance.now() - toldMs < tellEveryMs) return null;
      isDue = false;
      toldMs = performance.now();
      return { forms: forms.length, unread };
    },
    rewind() {
      isDue = forms.length > 0 || unread.count > 0;
      toldMs = Number.NEGATIVE_INFINITY;
    },
  };
};
