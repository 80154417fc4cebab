import * as z from 'zod';

interface GameFacts {
  readonly name: string;
  /** The console's default port, as the game sets it up. */
  readonly defaultPort: number;
  /** The console shows the game's log while it runs; otherwise only the log itself does. */
  readonly hasLiveConsole: boolean;
  /** The game has a list of players who may join. */
  readonly hasWhitelist: boolean;
  /** Its console gives items to players. */
  readonly hasItems: boolean;
  /** Its console writes to a single player. */
  readonly hasMessages: boolean;
  /** Its items have a quality. */
  readonly hasQuality: boolean;
  /** Its mods are managed. */
  readonly hasMods: boolean;
  /** Where mods for it can be searched; without sources, files and addresses are accepted. */
  readonly modSources: readonly ('modrinth' | 'curseforge' | 'steam')[];
  /** A command that asks who is online and changes nothing. */
  readonly question: string;
}

const everything = {
  hasWhitelist: true,
  hasItems: true,
  hasQuality: true,
  hasMessages: true,
  hasMods: true,
} as const;
const arkConsole = { defaultPort: 27020, hasLiveConsole: false, question: 'ListPlayers' } as const;

/** The supported games. A new one adds a line here and a folder in games/. */
export const games = {
  'ark-se': { name: 'ARK: Survival Evolved', ...arkConsole, ...everything, modSources: ['steam'] },
  'ark-asa': { name: 'ARK: Survival Ascended', ...arkConsole, ...everything, modSources: ['curseforge'] },
  'seven-days-to-die': {
    name: '7 Days to Die',
    defaultPort: 8081,
    hasLiveConsole: true,
    question: 'listplayers',
    ...everything,
    modSources: [],
  },
  minecraft: {
    name: 'Minecraft',
    defaultPort: 25575,
    hasLiveConsole: false,
    question: 'list',
    ...everything,
    hasQuality: false,
    modSources: ['modrinth', 'curseforge'],
  },
  palworld: {
    name: 'Palworld',
    defaultPort: 8212,
    hasLiveConsole: false,
    hasWhitelist: false,
    hasItems: false,
    hasQuality: false,
    hasMessages: false,
    hasMods: false,
    modSources: [],
    question: 'players',
  },
} as const satisfies Record<string, GameFacts>;

export type GameId = keyof typeof games;
export const gameIds = Object.keys(games) as [GameId, ...GameId[]];
export const gameId = z.enum(gameIds);

/** The actions on a player, each with the fact that it depends on; null: every game has it. */
const factOfAction = {
  kick: null,
  ban: null,
  unban: null,
  message: 'hasMessages',
  'whitelist-add': 'hasWhitelist',
  'whitelist-remove': 'hasWhitelist',
} as const satisfies Record<string, keyof GameFacts | null>;
export type PlayerAction = keyof typeof factOfAction;
export const playerActions = Object.keys(factOfAction) as PlayerAction[];

/** Whether the game's console has a command for this action on a player. */
export const hasPlayerAction = (game: GameId, action: PlayerAction): boolean => {
  const fact = factOfAction[action];
  return fact === null || games[game][fact];
};

/**
 * How a console command ended. Only `answered` has a reply; the game's answer may still say that it failed.
 * - `timeout`: connected, but no answer in time
 * - `authentication failed`: the game refused the password
 * - `wrong protocol`: whatever answers there is not this game's console
 * - `connection lost`: the connection ended before the answer did
 * - `not ready`: the game answers but accepts no commands yet
 * - `expired`: it waited too long, and was not sent
 * - `agent away`: it needs the Game Agent, which is not connected
 * - `invalid command`: too long for the game, more than one line, or not a command that its console can send
 * - `unknown`: sent, but the agent or the game died before the result was written down
 */
export const commandOutcomes = [
  'answered',
  'timeout',
  'connection refused',
  'authentication failed',
  'name not found',
  'unreachable',
  'wrong protocol',
  'connection lost',
  'not ready',
  'cancelled',
  'expired',
  'agent away',
  'invalid command',
  'unknown',
] as const;
export type CommandOutcome = (typeof commandOutcomes)[number];

/** The most characters of a reply that are kept; longer replies are cut. */
export const longestReply = 65_536;
/** In characters; a game may allow fewer. */
export const longestCommand = 4000;

/** In characters, per line of a game's log. */
export const longestLogLine = 4000;

export const commandResult = z.strictObject({
  outcome: z.enum(commandOutcomes),
  reply: z.string().max(longestReply).nullable(),
  /** The reply was longer than the kept part, or nothing proves that it is complete. */
  truncated: z.boolean(),
  /** Bytes of the command may have reached the game: it must not be sent again without proof that it had no effect. */
  sent: z.boolean(),
  durationMs: z.number().nonnegative(),
  /** Identifies the console connection that carried it: commands on the same connection reached the same run of the game. */
  connection: z.string().min(1).max(64).optional(),
  /** If the answer was lost: the line of the game's log that says that the command was executed. */
  logLine: z.string().max(longestLogLine).optional(),
});
export type CommandResult = z.infer<typeof commandResult>;

/** The result of a command that the game has not answered. @param sent bytes of it may have reached the game */
export const withoutReply = (outcome: CommandOutcome, sent = false, durationMs = 0): CommandResult => ({
  outcome,
  reply: null,
  truncated: false,
  sent,
  durationMs,
});
