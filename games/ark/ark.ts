import { sourceRcon } from '../source-rcon/source-rcon.ts';
import type { SoldGame } from '../store-forms.ts';
import { give } from './give.ts';
import { longestCommandBytes } from './limits.ts';
import { readLogLine, severityOf, stampLength } from './log-lines.ts';
import { ban, kick, unban, whitelistAdd, whitelistRemove } from './moderation.ts';
import { readPlayerList } from './player-list.ts';
import { maskCommand, maskReply } from './secrets.ts';
import { broadcast, message, save, say } from './speech.ts';
import { store } from './store.ts';

const shared = {
  connect: sourceRcon({
    longestCommandBytes,
    endOfReply: 'quiet',
    isUnsolicited: (body) => /^\s*Keep Alive\s*$/i.test(body),
  }),
  longestCommandBytes,
  // It saves nothing itself: SaveWorld and its answer come first.
  shutdown: { command: 'DoExit', isTyped: false },
  store,
  maskCommand,
  maskReply,
  severityOf,
  stampLength,
  /**
   * The console has no message for a fault: it gives the same empty answer to an unknown command as to one that it carried out
   * (github.com/conqp/rcon, issue 21).
   */
  isErrorReply: () => false,
  listPlayers: { command: 'ListPlayers', read: readPlayerList },
  actions: {
    broadcast,
    say,
    save,
    give,
    message,
    kick,
    ban,
    unban,
    'whitelist-add': whitelistAdd,
    'whitelist-remove': whitelistRemove,
  },
} satisfies Partial<SoldGame>;

export const arkEvolved: SoldGame = {
  id: 'ark-se',
  ...shared,
  // Evolved writes none: text that looks like an id there is a part of a player's name.
  readLogLine: (line) => readLogLine(line, false),
};

export const arkAscended: SoldGame = {
  id: 'ark-asa',
  firstAnswerMs: 15_000,
  ...shared,
  readLogLine: (line) => readLogLine(line, true),
};
