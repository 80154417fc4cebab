import type { LogObservation } from '../game.ts';
import { plainLogLine } from '../log-line.ts';
import { parsePlatformId } from './ids.ts';

/**
 * The game's output, with the server's own time and no zone:
 *
 *     [2026-07-17 17:39:18] [LOG] Ann joined the server. (User id: steam_7656…, Player id: AF6D9A43000000000000000000000000)
 *     [2026-07-17 17:39:45] [CHAT] <Ann> hello
 *     [2026-07-17 17:46:12] [LOG] Ann left the server. (User id: steam_7656…)
 *
 * The first version of 2024 wrote no player id (https://github.com/thijsvanloef/palworld-server-docker/pull/537). `connected the
 * server` comes before a player has a character. A line about a command ends with what its player typed, which may look like another
 * line.
 */
const stamp = String.raw`^\[\d{4}(?:-\d\d){2} \d\d(?::\d\d){2}\] `;
const comingAndGoing = new RegExp(
  String.raw`${stamp}\[LOG\] (?<name>(?:(?! executed the command\. ).){1,100}) (?<what>joined|left) the server\. \(User id: (?<id>\w{1,81})(?:, Player id: \w{1,64})?\)$`,
);
const chat = new RegExp(String.raw`${stamp}\[CHAT\] <(?<name>.{1,100}?)> (?<text>.+)$`);
/** The starts of sentences and of quoted lines, with which no command begins. */
const ordinaryStart = /^[\p{L}\p{N}<[("'«‹“‘]/u;

export const readLogLine = (line: string): LogObservation | null => {
  const plain = plainLogLine(line) ?? '';
  const { name, what, id } = comingAndGoing.exec(plain)?.groups ?? {};
  if (name !== undefined && id !== undefined)
    return { kind: what === 'joined' ? 'join' : 'leave', player: { name, platformId: parsePlatformId(id) } };
  const spoken = chat.exec(plain)?.groups;
  if (spoken?.name === undefined || spoken.text === undefined) return null;
  // Someone called "Bob> !x" would give commands as Bob.
  if (spoken.text.includes('> ') && !ordinaryStart.test(spoken.text)) return null;
  return { kind: 'chat', player: { name: spoken.name, platformId: null }, text: spoken.text };
};

const chatStart = new RegExp(String.raw`${stamp}\[CHAT\]`);

/** Chat that names a player who is online, and is not read: in another form, or perhaps by someone with a name like a line. */
export const isUnreadChat = (line: string, online: readonly string[]): boolean => {
  const plain = plainLogLine(line) ?? '';
  if (!chatStart.test(plain) || readLogLine(line) !== null) return false;
  return online.some((name) => name !== '' && plain.includes(name));
};

const ownStart = /^\[\d{4}(?:-\d\d){2} \d\d(?::\d\d){2}\] (?:\[LOG\] )?/;

export const stampLength = (line: string): number => ownStart.exec(line)?.[0].length ?? 0;
