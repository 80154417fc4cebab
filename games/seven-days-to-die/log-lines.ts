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
