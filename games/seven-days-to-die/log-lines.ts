import type { LogObservation } from '../game.ts';
import { plainLogLine } from '../log-line.ts';
import { platformIdOf } from './ids.ts';

const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d \d+[.,]\d+ INF (?<said>.*)$/;
/** With whose id; `GMSG: Player 'x' joined the game` tells the same once more, without it. */
const arrival =
  /^PlayerSpawnedInWorld \(reason: (?:EnterMultiplayer|JoinMultiplayer), position: [^:]*\): (?<who>.*)$/;
const departure = /^Player disconnected: (?<who>.*)$/;
/** The ids stand before the name, so that a name cannot imitate them. A player who leaves before the world is loaded is entity -1. */
const client =
  /^EntityID=-?\d+, (?:PltfmId='(?<platform>[^']*)'|PlayerID='(?<steam>[^']*)')(?:, (?:CrossId|OwnerID)='[^']*')*, PlayerName='(?<name>.*?)'(?:, ClientNumber='\d+')?$/;
/** Other channels are not for everybody's ears; a speaker that is no player is the server itself. */
const chat = /^Chat \(from '(?<from>[^']*)', entity id '(?<entity>-?\d+)', to 'Global'\): (?<words>.*)$/;
const formerChat = /^Chat: '(?<name>[^']*)': (?<text>.+)$/;
const withName = /^'(?<name>.+?)': (?<text>.+)$/;

/** `Executing command 'gettime' by Telnet from 71.191.20.209:58703` */
const execution = /^Executing command '(?<command>.*)' by Telnet from \S+$/;

/**
 * As a server of V 1.4 wrote it: `2025-06-06T03:01:01 951.114 INF Executing command 'gettime' by Telnet from …`
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

const readClient = (said: string, shape: RegExp, kind: 'join' | 'leave'): LogObservation | null => {
  const { platform, steam, name } = client.exec(shape.exec(said)?.groups?.who ?? '')?.groups ?? {};
  if (name === undefined) return null;
  return { kind, player: { name, platformId: platformIdOf(platform ?? `Steam_${steam}`) } };
};

const readChat = (said: string): LogObservation | null => {
  const { from, words } = chat.exec(said)?.groups ?? {};
  if (from === undefined || words === undefined) return null;
  const platformId = platformIdOf(from);
  if (platformId === null) return null;
  // Some builds of 1.0 leave the name out.
  const { name = from, text = words } = withName.exec(words)?.groups ?? {};
  return text === '' ? null : { kind: 'chat', player: { name, platformId }, text };
};

const readFormerChat = (said: string): LogObservation | null => {
  const { name, text } = formerChat.exec(said)?.groups ?? {};
  if (name === undefined || text === undefined || name === 'Server') return null;
  return { kind: 'chat', player: { name, platformId: null }, text };
};
