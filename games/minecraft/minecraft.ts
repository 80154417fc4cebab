import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import { sourceRcon } from '../source-rcon/source-rcon.ts';
import type { SupportedGame } from '../supported-game.ts';
import { chatForms } from './chat-forms.ts';
import { give } from './give.ts';
import { minecraftLayout } from './layout.ts';
import { longestCommandBytes } from './limits.ts';
import { readLogAnswer, readLogLine, severityOf, stampLength } from './log-lines.ts';
import { ban, kick, unban, whitelistAdd, whitelistRemove } from './moderation.ts';
import { minecraftMods } from './mods.ts';
import { readPlayerList } from './player-list.ts';
import { isErrorReply } from './refusals.ts';
import { minecraftRehearsal } from './rehearsal.ts';
import { minecraftSaves } from './saves.ts';
import { maskCommand, maskReply } from './secrets.ts';
import { broadcast, message, save } from './speech.ts';
import { store } from './store.ts';

/** Java Edition from 1.8, vanilla and Paper. Its commands address players by name; names change owners, so use the current list. */
export const minecraft: SupportedGame = {
  id: 'minecraft',
  connect: sourceRcon({
    longestCommandBytes,
    endOfReply: 'odd-type-fence',
    fenceCommand: 'list',
    isUnsolicited: () => false,
  }),
  longestCommandBytes,
  shutdown: { command: 'stop', isTyped: true },
  // EssentialsX reads the word after its own `list` as a group.
  listPlayers: { command: 'list uuids', alternative: 'minecraft:list uuids', read: readPlayerList },
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
  store,
  consoleAdvice: {
    enable: consoleReasons['minecraft-enable'],
    password: consoleReasons['minecraft-password'],
  },
  layout: minecraftLayout,
  mods: minecraftMods,
  saves: minecraftSaves,
  rehearsal: minecraftRehearsal,
  maskCommand,
  maskReply,
  readLogLine,
  chatForms,
  severityOf,
  stampLength,
  isErrorReply,
  readLogAnswer,
};
