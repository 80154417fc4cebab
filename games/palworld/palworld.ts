import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import { maskReply, maskSecrets } from '../mask-command.ts';
import { noMods } from '../mods-layout.ts';
import { restConsole } from '../rest/rest-console.ts';
import type { SupportedGame } from '../supported-game.ts';
import { ban, broadcast, kick, save, shutdown, unban } from './actions.ts';
import { isErrorReply } from './answers.ts';
import { palworldLayout } from './layout.ts';
import { longestCommandBytes } from './limits.ts';
import { isUnreadChat, readLogLine, stampLength } from './log-lines.ts';
import { readPlayerList } from './player-list.ts';
import { requestOf } from './request.ts';
import { store } from './store.ts';

const saveGames = 'Pal/Saved/SaveGames';

/** Administrators sign in through the chat, and the game logs what they type: `Ann executed the command. adminpassword x`. */
const secretCommands = [/^.{0,200}\bexecuted the command\. \/?adminpassword(?=\s)/i];

/**
 * Its console is a REST API with basic authentication; RCON, which cannot carry names outside of ASCII, is deprecated
 * (https://docs.palworldgame.com/api/rcon). The API has no whitelist, no private messages and no gifts.
 */
export const palworld: SupportedGame = {
  id: 'palworld',
  connect: restConsole({
    longestCommandBytes,
    user: 'admin',
    login: { method: 'GET', path: '/v1/api/info' },
    isWelcome: (info) => 'version' in info && 'servername' in info,
    requestOf,
  }),
  longestCommandBytes,
  shutdown,
  // Each question writes a line to the game's output; it is also the only way to notice that the game is gone.
  listPlayers: { command: 'players', restMs: 15_000, read: readPlayerList },
  actions: {
    broadcast,
    say: broadcast,
    save,
    give: null,
    message: null,
    kick,
    ban,
    unban,
    'whitelist-add': null,
    'whitelist-remove': null,
  },
  store,
  consoleAdvice: {
    enable: consoleReasons['palworld-enable'],
    password: consoleReasons['palworld-password'],
  },
  layout: palworldLayout,
  mods: noMods,
  saves: {
    // `0` holds the worlds; the list of bans is beside it and outlives a restored world.
    find: async (server) => ({
      places: (await server.folders(saveGames)).includes('0') ? [`${saveGames}/0`] : [],
      leftOut: [],
    }),
    passing: [],
    pause: null,
  },
  // Both servers would announce themselves to players under one name.
  rehearsal: null,
  maskCommand: (command) => maskSecrets(command, secretCommands),
  maskReply: (command, reply) => maskReply(command, reply, secretCommands),
  readLogLine,
  isUnreadChat,
  // It marks none of its lines.
  severityOf: () => null,
  stampLength,
  isErrorReply,
};
