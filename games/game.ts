import type { GameId } from '#contracts/games.ts';
import type { Connect } from './connection.ts';

/** A player on the server, as the game lists them. */
export interface ListedPlayer {
  readonly name: string;
  /** The platform id in the game's list (`steam:…`, `eos:…`, `minecraft:…`); null if it shows none. */
  readonly platformId: string | null;
  /** What the game's commands take: an entity id, a platform id without its prefix, or a name. */
  readonly handle: string;
}

/** What a reply to a question means. */
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

/** The reason of a verdict where the game had nothing to do. */
export const wasSoAlready = 'It was so already.';

/** Actions and their inputs. Amounts are positive integers. */
export interface GameActions {
  broadcast: { readonly message: string };
  /** A line of the chat; a broadcast may stand across every player's screen. */
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

/** What is known of a player; each game takes what its command needs. */
export interface PlayerReference {
  readonly name?: string | undefined;
  readonly platformId?: string | undefined;
  readonly handle?: string | undefined;
}

/** A rendered command, or why the action or these values are refused. */
export type Rendered = { readonly command: string } | { readonly refused: string };

export interface ActionForms<Action extends GameAction> {
  /** Refuses input that could add a second command or argument. */
  render(input: GameActions[Action]): Rendered;
  read(reply: string, input: GameActions[Action]): Verdict;
}

/** What a line of the game's log means. */
export type LogObservation =
  | { readonly kind: 'join' | 'leave'; readonly player: LoggedPlayer }
  | { readonly kind: 'chat'; readonly player: LoggedPlayer; readonly text: string };
export interface LoggedPlayer {
  readonly name: string;
  readonly platformId: string | null;
}

/** A game's adapter: everything Castellan knows about the game. A new game is one folder with one of these. */
export interface Game {
  readonly id: GameId;
  readonly connect: Connect;
  /** For the first answer after the login, in milliseconds, where it may take longer than that of other games. */
  readonly firstAnswerMs?: number | undefined;
  /** The most bytes of UTF-8 in a command. */
  readonly longestCommandBytes: number;
  /** Its answer shows that the game is ready, and who is there. */
  readonly listPlayers: {
    readonly command: string;
    /** To be asked when the reply to `command` is unreadable: a server's plug-in may have put its own in that command's place. */
    readonly alternative?: string | undefined;
    /** Between two questions, in milliseconds, where each leaves lines in the game's own log. */
    readonly restMs?: number | undefined;
    read(reply: string): Reading<readonly ListedPlayer[]>;
  };
  /** Null where the game has no such command. */
  readonly actions: { readonly [Action in GameAction]: ActionForms<Action> | null };
  /**
   * Ends the game server cleanly. Its answer proves nothing, since the console goes with the game: the end of the process does.
   * `isTyped`: the game also takes it on its standard input.
   */
  readonly shutdown: { readonly command: string; readonly isTyped: boolean };
  /** The command as it may be kept and shown once it is done: without the passwords that it carries. */
  maskCommand(command: string): string;
  /** A reply to `command` without those passwords, which games repeat. */
  maskReply(command: string, reply: string): string;
  /** What a line of the game's log or of its live console tells; null for all other lines. */
  readLogLine(line: string): LogObservation | null;
  /**
   * Where the console answers nothing and the log shows that the command was carried out: gives of such a line what stands
   * for the reply, null for all other lines. Null for commands of which the log shows nothing.
   */
  readonly readLogAnswer?: ((command: string) => ((line: string) => string | null) | null) | undefined;
  /** Whether a line of the log says that the console has executed this command; only where the game writes such lines. */
  readonly isExecution?: ((line: string, command: string) => boolean) | undefined;
}
