/**
 * What happens to a command and its reply.
 * - `answer`: executed and answered
 * - `silence`: executed, never answered; the session stays open
 * - `ignore`: neither executed nor answered; the session stays open
 * - `die-before`: the connection ends and nothing was executed
 * - `die-after`: executed, then the connection ends without a byte of the reply
 * - `cut`: executed, then the connection ends after half of the reply's bytes
 * - `garbage`: executed, then bytes that are not a reply
 * - `negative-length`: executed, then a frame whose length is -4; over telnet the same as garbage
 * - `endless`: executed, then an endless reply, as long as this stays the command's fate
 */
export type Fate =
  | 'answer'
  | 'silence'
  | 'ignore'
  | 'die-before'
  | 'die-after'
  | 'cut'
  | 'garbage'
  | 'negative-length'
  | 'endless';

/** How a simulator misbehaves. May be changed at any time; it is read on each use. */
export interface Quirks {
  /** New connections: served; accepted and never answered; or closed as soon as they are accepted. */
  accept: 'welcome' | 'silence' | 'close';
  /** Treats the right password as a wrong one. */
  refusePasswords: boolean;
  /** How the sent bytes are cut into writes. */
  fragmentation: 'none' | 'bytes' | 'random';
  /** Delay between the execution and its reply. */
  replyDelayMs: number;
  /** Awaited between the execution of a command and its reply, after `replyDelayMs`. */
  beforeReply: (command: string) => Promise<unknown> | null;
  /** Delay between the parts of one reply: frames of Source RCON, lines of telnet. */
  partDelayMs: number;
  fateOf: (command: string) => Fate;
  /** Replies by command line that replace the game's own; such a command counts as executed. */
  readonly replies: Map<string, string>;
  garbage: Buffer;
}

/** A well-behaved server. */
export const noQuirks = (): Quirks => ({
  accept: 'welcome',
  refusePasswords: false,
  fragmentation: 'none',
  replyDelayMs: 0,
  beforeReply: () => null,
  partDelayMs: 0,
  fateOf: () => 'answer',
  replies: new Map(),
  garbage: Buffer.from('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n\u{fffd}'),
});
