import type { GameId } from '#contracts/games.ts';

interface ConsoleAdvice {
  /** Where the game's console is switched on. */
  readonly enable: string;
  readonly password: string;
}

/** What to look at in a game's own set-up. */
export const consoleAdvice = {
  'ark-se': {
    enable: 'RCONEnabled=True and RCONPort in GameUserSettings.ini',
    password: 'ServerAdminPassword in GameUserSettings.ini',
  },
  'ark-asa': {
    enable: 'RCONEnabled=True and RCONPort in GameUserSettings.ini',
    password: 'ServerAdminPassword in GameUserSettings.ini',
  },
  'seven-days-to-die': {
    enable: 'TelnetEnabled and TelnetPort in serverconfig.xml',
    password: 'TelnetPassword in serverconfig.xml',
  },
  minecraft: {
    enable: 'enable-rcon=true and rcon.port in server.properties',
    password: 'rcon.password in server.properties',
  },
} as const satisfies Record<GameId, ConsoleAdvice>;
