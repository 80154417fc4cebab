import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import { sourceRcon } from '../source-rcon/source-rcon.ts';
import type { SupportedGame } from '../supported-game.ts';
import { give } from './give.ts';
import { arkAscendedLayout, arkEvolvedLayout } from './layout.ts';
import { longestCommandBytes } from './limits.ts';
import { isUnreadChat, readLogLine, severityOf, stampLength } from './log-lines.ts';
import { ban, kick, unban, whitelistAdd, whitelistRemove } from './moderation.ts';
import { arkAscendedMods, arkEvolvedMods } from './mods.ts';
import { readPlayerList } from './player-list.ts';
import { arkSaves } from './saves.ts';
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
  consoleAdvice: { enable: consoleReasons['ark-enable'], password: consoleReasons['ark-password'] },
  saves: arkSaves,
  // A map takes 6 to 20 GB of memory, and the paths of its folders and of a cluster are fixed.
  rehearsal: null,
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
} satisfies Partial<SupportedGame>;

export const arkEvolved: SupportedGame = {
  id: 'ark-se',
  layout: arkEvolvedLayout,
  mods: arkEvolvedMods,
  ...shared,
  // Evolved writes none: text that looks like an id there is a part of a player's name.
  readLogLine: (line, isOnline) => readLogLine(line, false, isOnline),
  isUnreadChat,
};

export const arkAscended: SupportedGame = {
  id: 'ark-asa',
  layout: arkAscendedLayout,
  mods: arkAscendedMods,
  firstAnswerMs: 15_000,
  ...shared,
  readLogLine: (line, isOnline) => readLogLine(line, true, isOnline),
  isUnreadChat,
};
