import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import type { ConnectFailure, ConnectOptions, ConsoleTarget } from '../connection.ts';

/** A line break or another control character would split it into a second command, or end it early. */
const controlCharacter = /\p{Cc}/u;

const isOneLine = (text: string, longestBytes: number): boolean =>
  !controlCharacter.test(text) && Buffer.byteLength(text) <= longestBytes;

/** @param longestBytes of UTF-8 */
export const isSendable = (command: string, longestBytes: number): boolean =>
  command.trim() !== '' && isOneLine(command, longestBytes);

/** Why connecting need not be tried; null: it must be. */
export const obstacleOf = (
  { host, password }: ConsoleTarget,
  { signal }: ConnectOptions,
  longestBytes: number,
): ConnectFailure | null => {
  if (signal?.aborted) return { outcome: 'cancelled', detail: consoleReasons['console-cancelled'] };
  // An empty name would mean this machine.
  if (host.trim() === '') return { outcome: 'name not found', detail: consoleReasons['console-name-empty'] };
  if (isOneLine(password.reveal(), longestBytes)) return null;
  return { outcome: 'authentication failed', detail: consoleReasons['console-password-unsendable'] };
};
