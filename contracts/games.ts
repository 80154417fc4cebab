import * as z from 'zod';

interface GameFacts {
  readonly name: string;
  /** What its console speaks. */
  readonly protocol: 'source-rcon' | 'telnet';
  /** Of the console, as the game's own set-up has it. */
  readonly defaultPort: number;
  /** The game keeps a list of who may join. */
  readonly hasWhitelist: boolean;
}

/** The games that can be administered. A new one adds a line here and a folder in games/. */
export const games = {
  'ark-se': {
    name: 'ARK: Survival Evolved',
    protocol: 'source-rcon',
    defaultPort: 27020,
    hasWhitelist: true,
  },
  'ark-asa': {
    name: 'ARK: Survival Ascended',
    protocol: 'source-rcon',
    defaultPort: 27020,
    hasWhitelist: true,
  },
  'seven-days-to-die': {
    name: '7 Days to Die',
    protocol: 'telnet',
    defaultPort: 8081,
    hasWhitelist: true,
  },
  minecraft: { name: 'Minecraft', protocol: 'source-rcon', defaultPort: 25575, hasWhitelist: true },
} as const satisfies Record<string, GameFacts>;

export type GameId = keyof typeof games;
export const gameIds = Object.keys(games) as [GameId, ...GameId[]];
export const gameId = z.enum(gameIds);

/**
 * How a console command ended. Only `answered` has a reply; the game's answer may still say that it failed.
 * - `timeout`: connected, but no answer in time
 * - `authentication failed`: the game refused the password
 * - `wrong protocol`: what answers there is not this game's console
 * - `connection lost`: the connection ended before the answer did
 * - `not ready`: the game answers but takes no commands yet
 * - `expired`: it waited too long to be sent, and was not
 * - `agent away`: it would go through the Game Agent, which is not there
 * - `invalid command`: too long for the game, or more than one line
 * - `unknown`: sent, but the agent or the game died before its end was written down
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

/** Characters of a reply that are kept; a longer one is cut there. */
export const longestReply = 65_536;
/** Characters; each game may take fewer. */
export const longestCommand = 4000;

/** Characters of a line of a game's log. */
export const longestLogLine = 4000;

export const commandResult = z.strictObject({
  outcome: z.enum(commandOutcomes),
  reply: z.string().max(longestReply).nullable(),
  /** The reply was longer than what is kept, or nothing proves that all of it came. */
  truncated: z.boolean(),
  /** Bytes of the command may have reached the game: it must not be sent again without proof that it did nothing. */
  sent: z.boolean(),
  durationMs: z.number().nonnegative(),
  /** Names the connection to the console that carried it: commands with the same name met one run of the game. */
  connection: z.string().min(1).max(64).optional(),
  /** Where the answer is lost: the line of the game's log that says that the command was executed. */
  logLine: z.string().max(longestLogLine).optional(),
});
export type CommandResult = z.infer<typeof commandResult>;
