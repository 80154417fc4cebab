import * as z from 'zod';

interface GameFacts {
  readonly name: string;
  /** The protocol of its console. */
  readonly protocol: 'source-rcon' | 'telnet';
  /** The console's default port, as the game sets it up. */
  readonly defaultPort: number;
  /** The game has a list of players who may join. */
  readonly hasWhitelist: boolean;
}

/** The supported games. A new one adds a line here and a folder in games/. */
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
 * - `wrong protocol`: whatever answers there is not this game's console
 * - `connection lost`: the connection ended before the answer did
 * - `not ready`: the game answers but accepts no commands yet
 * - `expired`: it waited too long, and was not sent
 * - `agent away`: it needs the Game Agent, which is not connected
 * - `invalid command`: too long for the game, or more than one line
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
