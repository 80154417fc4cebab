import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import type { SupportedGame } from '../supported-game.ts';
import { connectTelnet } from '../telnet/telnet.ts';
import { give } from './give.ts';
import { sevenDaysLayout } from './layout.ts';
import { longestCommandBytes } from './limits.ts';
import { isExecution, isUnreadChat, readLogLine, severityOf, stampLength } from './log-lines.ts';
import { ban, bannedAs, kick, unban, whitelistAdd, whitelistRemove } from './moderation.ts';
import { sevenDaysMods } from './mods.ts';
import { readPlayerList } from './player-list.ts';
import { isErrorReply } from './refusals.ts';
import { sevenDaysRehearsal } from './rehearsal.ts';
import { sevenDaysSaves } from './saves.ts';
import { maskCommand, maskReply } from './secrets.ts';
import { broadcast, message, save } from './speech.ts';
import { store } from './store.ts';

/** Its console speaks telnet, and mixes the game's log into the answers. */
export const sevenDaysToDie: SupportedGame = {
  id: 'seven-days-to-die',
  connect: connectTelnet,
  longestCommandBytes,
  shutdown: { command: 'shutdown', isTyped: false },
  // Each question writes four lines to its log; joins and leaves are read there.
  listPlayers: { command: 'lp', restMs: 60_000, read: readPlayerList },
  actions: {
    broadcast,
    say: broadcast,
    save,
    give,
    message,
    kick,
    ban,
    unban,
    'whitelist-add': whitelistAdd,
    'whitelist-remove': whitelistRemove,
  },
  bannedAs,
  store,
  consoleAdvice: {
    enable: consoleReasons['seven-days-enable'],
    password: consoleReasons['seven-days-password'],
  },
  layout: sevenDaysLayout,
  mods: sevenDaysMods,
  saves: sevenDaysSaves,
  rehearsal: sevenDaysRehearsal,
  maskCommand,
  maskReply,
  readLogLine,
  isUnreadChat,
  severityOf,
  stampLength,
  isErrorReply,
  isExecution,
};
