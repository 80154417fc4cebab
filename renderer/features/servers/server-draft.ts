import type { GameServer, gameServersHttp } from '#contracts/game-servers.ts';
import { type GameId, games } from '#contracts/games.ts';
import type { CallInput } from '../../wire/call.ts';

/** What becomes of the password that is stored. */
export type PasswordChoice = 'keep' | 'new' | 'none';

/** A server as it is being typed. */
export interface ServerDraft {
  readonly name: string;
  readonly clusterId: string;
  readonly game: GameId;
  readonly reach: 'direct' | 'agent';
  readonly host: string;
  /** As typed; empty is the game's own default. */
  readonly port: string;
  readonly passwordChoice: PasswordChoice;
  readonly password: string;
}

export const newDraft = (clusterId: string): ServerDraft => ({
  name: '',
  clusterId,
  game: 'minecraft',
  reach: 'direct',
  host: '127.0.0.1',
  port: '',
  passwordChoice: 'new',
  password: '',
});

export const draftOf = ({ name, clusterId, game, host, port, hasPassword }: GameServer): ServerDraft => ({
  name,
  clusterId,
  game,
  reach: host === null ? 'agent' : 'direct',
  host: host ?? '',
  port: String(port),
  passwordChoice: hasPassword ? 'keep' : 'none',
  password: '',
});

export const portOf = ({ port, game }: Pick<ServerDraft, 'port' | 'game'>): number =>
  port.trim() === '' ? games[game].defaultPort : Number(port);

type Create = CallInput<typeof gameServersHttp.create>['body'];
type Change = CallInput<typeof gameServersHttp.change>['body'];
type Test = CallInput<typeof gameServersHttp.testConnection>['body'];

export const creationOf = (draft: ServerDraft): Create => ({
  clusterId: draft.clusterId,
  name: draft.name,
  game: draft.game,
  host: draft.reach === 'direct' ? draft.host.trim() : null,
  port: portOf(draft),
  ...(draft.reach === 'direct' && draft.password !== '' && { password: draft.password }),
});

/** Only what was changed since `base`: what somebody else changed meanwhile stays theirs. */
export const changeOf = (draft: ServerDraft, base: GameServer, version = base.version): Change => {
  const host = draft.reach === 'direct' ? draft.host.trim() : null;
  const port = portOf(draft);
  return {
    version,
    ...(draft.name !== base.name && { name: draft.name }),
    ...(draft.clusterId !== base.clusterId && { clusterId: draft.clusterId }),
    ...(host !== base.host && { host }),
    ...(port !== base.port && { port }),
    ...(draft.passwordChoice === 'new' && { password: draft.password }),
    ...(draft.passwordChoice === 'none' && base.hasPassword && { password: '' }),
  };
};

/** A stored password goes to no other place than the stored one. */
export const goesElsewhere = (draft: ServerDraft, base: GameServer): boolean =>
  (draft.reach === 'direct' && draft.host.trim() !== (base.host ?? '')) || portOf(draft) !== base.port;

/** Null where the API does not reach the game itself, so there is nothing to try. */
export const testOf = (draft: ServerDraft, base: GameServer | null): Test | null => {
  if (draft.reach === 'agent' || draft.host.trim() === '') return null;
  const at = { game: draft.game, host: draft.host.trim(), port: portOf(draft) };
  const isStored = base?.hasPassword && draft.passwordChoice === 'keep';
  return {
    ...at,
    ...(base && { serverId: base.id }),
    ...(!isStored && { password: draft.passwordChoice === 'none' ? '' : draft.password }),
  };
};
