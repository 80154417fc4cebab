import type { GameId, games } from './games.ts';

export interface WhitelistCommands {
  readonly command: string;
  readonly counterCommand: string;
  /** Replies that prove them, one per line; `*` stands for any text. Empty: any reply counts. */
  readonly success: string;
  readonly taken: string;
  /** As soon as it has one entry, no one else can join. */
  readonly isStrict: boolean;
  /** The game ignores it unless the server runs with this option. */
  readonly option: string | null;
}

interface GameDetails<HasWhitelist extends boolean> {
  /** Drawn for Castellan in a square of 24 by 24, and not the game's own logo. */
  readonly glyph: string;
  /** How much of the first tone is mixed into the second, in percent: no mark has the colour of a state. */
  readonly hue: readonly [first: Tone, percent: number, second: Tone];
  readonly whitelist: HasWhitelist extends true ? WhitelistCommands : null;
  /** Its replies to gifts prove them; otherwise a person looks in the game. */
  readonly provesGifts: boolean;
  /** Its servers load mods with one of several loaders. */
  readonly hasLoaders: boolean;
  /** Its commands for gifts take a number that each server gives a player. */
  readonly hasSurvivorNumbers: boolean;
}

type Tone = 'ok' | 'warn' | 'bad' | 'busy';

const arkWhitelist = {
  command: 'AllowPlayerToJoinNoCheck {platformId}',
  counterCommand: 'DisallowPlayerToJoinNoCheck {platformId}',
  success: '',
  taken: '',
  isStrict: false,
  option: '-exclusivejoin',
} as const;

/** What single pages of the panel need of a game. `games` is in the panel's first load, which has no room for it. */
export const gameDetails: {
  readonly [Id in GameId]: GameDetails<(typeof games)[Id]['hasWhitelist']>;
} = {
  'ark-se': {
    // A footprint.
    glyph:
      'M12 2.5c1.3 0 2.1 2.2 2.1 5S13.3 13 12 13s-2.1-2.7-2.1-5.5.8-5 2.1-5ZM5.2 6.6c1.2-.7 2.8.7 4 2.9s1.5 4.2.4 4.8-2.7-.6-3.9-2.7-1.7-4.3-.5-5ZM18.8 6.6c1.2.7.7 2.9-.5 5s-2.8 3.4-3.9 2.7-.8-2.6.4-4.8 2.8-3.6 4-2.9ZM12 14c2.6 0 4.2 1.9 4.2 4s-1.7 3.5-4.2 3.5S7.8 20.1 7.8 18s1.6-4 4.2-4Z',
    hue: ['warn', 75, 'bad'],
    whitelist: arkWhitelist,
    provesGifts: false,
    hasLoaders: false,
    hasSurvivorNumbers: true,
  },
  'ark-asa': {
    // An obelisk.
    glyph: 'M12 1.5 16.5 7 15 18H9L7.5 7ZM5 19.5h14V22H5Z',
    hue: ['busy', 50, 'ok'],
    whitelist: arkWhitelist,
    provesGifts: false,
    hasLoaders: false,
    hasSurvivorNumbers: true,
  },
  'seven-days-to-die': {
    // A gravestone.
    glyph: 'M6.5 18.5V9.5a5.5 5.5 0 0 1 11 0v9ZM9 9.2v1.6h6V9.2ZM9 12.7v1.6h6v-1.6ZM3.5 20h17v2h-17Z',
    hue: ['bad', 55, 'busy'],
    whitelist: {
      command: 'whitelist add {platformId}',
      counterCommand: 'whitelist remove {platformId}',
      success: '',
      taken: '',
      isStrict: true,
      option: null,
    },
    provesGifts: true,
    hasLoaders: false,
    hasSurvivorNumbers: false,
  },
  minecraft: {
    // A cube.
    glyph: 'M12 2 20.2 6.5 12 11 3.8 6.5ZM3 8.2l8.2 4.5v9L3 17.2ZM21 8.2l-8.2 4.5v9L21 17.2Z',
    hue: ['ok', 80, 'warn'],
    whitelist: {
      command: 'whitelist add {player}',
      counterCommand: 'whitelist remove {player}',
      success: 'Added * to the whitelist\nPlayer is already whitelisted',
      taken: 'Removed * from the whitelist\nPlayer is not whitelisted',
      isStrict: false,
      option: null,
    },
    provesGifts: true,
    hasLoaders: true,
    hasSurvivorNumbers: false,
  },
  palworld: {
    // An egg.
    glyph:
      'M12 2c4 0 7.5 6.6 7.5 11.6a7.5 7.5 0 0 1-15 0C4.5 8.6 8 2 12 2ZM10 7.5a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4ZM14.6 12.4a2.1 2.1 0 1 0 0 4.2 2.1 2.1 0 0 0 0-4.2Z',
    hue: ['busy', 75, 'ok'],
    whitelist: null,
    provesGifts: false,
    hasLoaders: false,
    hasSurvivorNumbers: false,
  },
};
