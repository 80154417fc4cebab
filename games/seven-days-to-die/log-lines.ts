import type { LineSeverity } from '#contracts/servers/console.ts';
import type { LogObservation } from '../game.ts';
import { plainLogLine } from '../log-line.ts';
import { parsePlatformId } from './ids.ts';

const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d \d+[.,]\d+ INF (?<said>.*)$/;
/** With the player's id; `GMSG: Player 'x' joined the game` reports the same again, without it. */
const arrival =
  /^PlayerSpawnedInWorld \(reason: (?:EnterMultiplayer|JoinMultiplayer), position: [^:]*\): (?<who>.*)$/;
const departure = /^Player disconnected: (?<who>.*)$/;
/** The ids precede the name, so that a name cannot imitate them. A player who leaves before the world is loaded is entity -1. */
const client =
  /^EntityID=-?\d+, (?:PltfmId='(?<platform>[^']*)'|PlayerID='(?<steam>[^']*)')(?:, (?:CrossId|OwnerID)='[^']*')*, PlayerName='(?<name>.*?)'(?:, ClientNumber='\d+')?$/;
/** Other channels are not public; a speaker that is not a player is the server itself. */
const chat = /^Chat \(from '(?<from>[^']*)', entity id '(?<entity>-?\d+)', to 'Global'\): (?<words>.*)$/;
const formerChat = /^Chat: '(?<name>[^']*)': (?<text>.+)$/;
/** Some builds leave out the blank. */
const withName = /^'(?<name>.+?)': ?(?<text>.+)$/;

/**
 * `2024-08-03T09:22:30 26471.969 WRN Entity […] fell off the world` (github.com/jonathan-robertson/off-world-fix, README.md); errors are
 * `ERR`, exceptions `EXC`.
 */
const level = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d \d+[.,]\d+ (?<level>WRN|ERR|EXC) /;

export const severityOf = (line: string): LineSeverity | null => {
  const found = level.exec(plainLogLine(line) ?? '')?.groups?.level;
  if (found === undefined) return null;
  return found === 'WRN' ? 'warn' : 'error';
};

const ownTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d \d+[.,]\d+ (?:INF )?/;

export const stampLength = (line: string): number => ownTime.exec(line)?.[0].length ?? 0;

/** `Executing command 'gettime' by Telnet from 71.191.20.209:58703` */
const execution = /^Executing command '(?<command>.*)' by Telnet from \S+$/;

/**
 * As a V 1.4 server wrote it: `2025-06-06T03:01:01 951.114 INF Executing command 'gettime' by Telnet from …`
 * (github.com/tgreer812/7dtd_azure_vm, `Backend/ServerManagement.Azure/AzureServerManager.cs`).
 */
export const isExecution = (line: string, command: string): boolean =>
  execution.exec(stamp.exec(plainLogLine(line) ?? '')?.groups?.said ?? '')?.groups?.command === command;

export const readLogLine = (line: string): LogObservation | null => {
  const said = stamp.exec(plainLogLine(line) ?? '')?.groups?.said;
  if (said === undefined) return null;
  return (
    readChat(said) ??
    readFormerChat(said) ??
    readClient(said, arrival, 'join') ??
    readClient(said, departure, 'leave')
  );
};

/**
 * Public chat that names a player by name or entity, and is not read: in another form, or by an account that is not known. `Chat handled
 * by mod 'x': Chat (from …` is none: the mod may have done it because the player is muted, or for a private command.
 */
export const isUnreadChat = (line: string, online: readonly string[]): boolean => {
  const said = stamp.exec(plainLogLine(line) ?? '')?.groups?.said ?? '';
  if (!/^Chat\b(?:: |.*'Global')/.test(said) || readLogLine(line) !== null) return false;
  return online.some((name) => name !== '' && said.includes(`'${name}'`));
};

const readClient = (said: string, shape: RegExp, kind: 'join' | 'leave'): LogObservation | null => {
  const { platform, steam, name } = client.exec(shape.exec(said)?.groups?.who ?? '')?.groups ?? {};
  if (name === undefined) return null;
  return { kind, player: { name, platformId: parsePlatformId(platform ?? `Steam_${steam}`) } };
};

const readChat = (said: string): LogObservation | null => {
  const { from, words } = chat.exec(said)?.groups ?? {};
  if (from === undefined || words === undefined) return null;
  const platformId = parsePlatformId(from);
  if (platformId === null) return null;
  // Some builds of 1.0 omit the name.
  const { name = from, text = words } = withName.exec(words)?.groups ?? {};
  return text === '' ? null : { kind: 'chat', player: { name, platformId }, text };
};

const readFormerChat = (said: string): LogObservation | null => {
  const { name, text } = formerChat.exec(said)?.groups ?? {};
  if (name === undefined || text === undefined || name === 'Server') return null;
  return { kind: 'chat', player: { name, platformId: null }, text };
};
