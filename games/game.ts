import type { LineSeverity } from '#contracts/servers/console.ts';
import type { GameId } from '#contracts/servers/games.ts';
import type { Connect } from './connection.ts';

/** A player on the server, as the game lists them. */
export interface ListedPlayer {
  readonly name: string;
  /** The platform id in the game's list (`steam:…`, `eos:…`, `minecraft:…`); null if it shows none. */
  readonly platformId: string | null;
  /** What the game's commands take: an entity id, a platform id without its prefix, or a name. */
  readonly handle: string;
}

/** The meaning of a reply to a question. */
export type Reading<T> = { readonly value: T } | { readonly unreadable: string };

/**
 * What a reply to a command proves.
 * - `done`: the game says that it was carried out
 * - `failed`: it can never be carried out, such as an item that does not exist
 * - `later`: it may be carried out later, such as for an absent player
 * - `unproven`: the reply proves nothing
 */
export interface Verdict {
  readonly verdict: 'done' | 'failed' | 'later' | 'unproven';
  /** In plain words. */
  readonly reason: string;
}

/** The reason of a verdict when the game had nothing to do. */
export const wasSoAlready = 'It was so already.';

/** Actions and their inputs. Amounts are positive integers. */
export interface GameActions {
  broadcast: { readonly message: string };
  /** A line of the chat; a broadcast may appear across every player's screen. */
  say: { readonly message: string };
  save: Record<never, never>;
  give: {
    readonly player: PlayerReference;
    readonly item: string;
    readonly quantity: number;
    readonly quality?: number | undefined;
  };
  message: { readonly player: PlayerReference; readonly message: string };
  kick: { readonly player: PlayerReference; readonly reason: string };
  ban: { readonly player: PlayerReference; readonly reason: string };
  unban: { readonly player: PlayerReference };
  'whitelist-add': { readonly player: PlayerReference };
  'whitelist-remove': { readonly player: PlayerReference };
}
export type GameAction = keyof GameActions;

/** What is known about a player; each game uses what its command needs. */
export interface PlayerReference {
  readonly name?: string | undefined;
  readonly platformId?: string | undefined;
  readonly handle?: string | undefined;
  /** The player's id in the game's own list of bans, where `bannedAs` returned it. */
  readonly listedAs?: string | undefined;
}

/** A rendered command, or why the action or these values are refused. */
export type Rendered = { readonly command: string } | { readonly refused: string };

export interface ActionForms<Action extends GameAction> {
  /** Refuses input that could add a second command or argument. */
  render(input: GameActions[Action]): Rendered;
  read(reply: string, input: GameActions[Action]): Verdict;
}

/** The meaning of a line of the game's log. */
export type LogObservation =
  | { readonly kind: 'join' | 'leave'; readonly player: LoggedPlayer }
  | { readonly kind: 'chat'; readonly player: LoggedPlayer; readonly text: string };
interface LoggedPlayer {
  readonly name: string;
  readonly platformId: string | null;
}

/** Whether a player of exactly this name is on the server now; false where that is not known. */
export type IsOnline = (name: string) => boolean;

export interface ChatProposal {
  readonly form: string;
  /** How many lines it would read. */
  readonly count: number;
  readonly example: string;
}

/** Chat whose form the owner of a server chooses, for games whose plug-ins change it. */
export interface ChatForms {
  /** Null, or why a form is refused: its shape, nothing behind the name that parts it from the text, or an `{any}` without brackets. */
  faultOf(form: string): 'shape' | 'separator' | 'any' | null;
  /** Null for lines that the game's own reader takes, that match no form, or that name two players. @param online names */
  read(line: string, forms: readonly string[], online: readonly string[]): LogObservation | null;
  /** Whether the line looks like the chat of a player who is online, and matches no form. */
  isUnread(line: string, forms: readonly string[], online: readonly string[]): boolean;
  /** Forms for lines that are not read, the most frequent first. */
  propose(lines: readonly string[], forms: readonly string[], online: readonly string[]): ChatProposal[];
}

/** A game's adapter: everything that Castellan knows about the game. A new game is one folder with one adapter. */
export interface Game {
  readonly id: GameId;
  readonly connect: Connect;
  /** Limit for the first answer after the login, in milliseconds, if it may take longer than in other games. */
  readonly firstAnswerMs?: number | undefined;
  /** The most bytes of UTF-8 in a command. */
  readonly longestCommandBytes: number;
  /** Its answer shows that the game is ready, and which players are online. */
  readonly listPlayers: {
    readonly command: string;
    /** Asked when the reply to `command` is unreadable: a server's plug-in may have replaced that command. */
    readonly alternative?: string | undefined;
    /** Minimum between two questions, in milliseconds, where each one leaves lines in the game's own log. */
    readonly restMs?: number | undefined;
    read(reply: string): Reading<readonly ListedPlayer[]>;
  };
  /** Null where the game has no such command. */
  readonly actions: { readonly [Action in GameAction]: ActionForms<Action> | null };
  /**
   * Reads from the reply to `ban` the platform id under which the game has listed the player; only for games that may choose
   * another id than the given one.
   */
  readonly bannedAs?: ((reply: string, player: PlayerReference) => string | null) | undefined;
  /**
   * Stops the game server cleanly. Its answer proves nothing, since the console ends with the game; the end of the process does.
   * `isTyped`: the game also accepts it on its standard input.
   */
  readonly shutdown: { readonly command: string; readonly isTyped: boolean };
  /** The command as it may be stored and shown once it is done: without the passwords in it. */
  maskCommand(command: string): string;
  /** A reply to `command` without those passwords, which games repeat. */
  maskReply(command: string, reply: string): string;
  /**
   * The meaning of a line of the game's log or live console; null for all other lines. Where a line can be read in several ways, the
   * one whose account is online counts.
   */
  readLogLine(line: string, isOnline?: IsOnline): LogObservation | null;
  readonly chatForms?: ChatForms | undefined;
  /**
   * Whether a line looks like chat of a player who is online and is read as no one's, so that it can be counted and shown; only for
   * games without `chatForms`, which tell it themselves.
   */
  readonly isUnreadChat?: ((line: string, online: readonly string[]) => boolean) | undefined;
  /** The severity of a line of the game's log or live console, as the game itself marks it; null for all other lines. */
  severityOf(line: string): LineSeverity | null;
  /** The length in characters of the game's own time at the start of such a line, including a level that adds nothing. */
  stampLength(line: string): number;
  /** Whether a reply is an error of the game, so that the command was not carried out. False proves nothing. */
  isErrorReply(reply: string): boolean;
  /**
   * For commands that the console does not answer but the log proves: turns such a line into a substitute for the reply, and
   * returns null for all other lines. Null for commands that leave nothing in the log.
   */
  readonly readLogAnswer?: ((command: string) => ((line: string) => string | null) | null) | undefined;
  /** Whether a line of the log says that the console has executed this command; only for games that write such lines. */
  readonly isExecution?: ((line: string, command: string) => boolean) | undefined;
}
