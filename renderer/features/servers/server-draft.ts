import type { CallInput } from '#contracts/call-input.ts';
import type { GameServer, gameServersHttp } from '#contracts/game-servers.ts';
import { type GameId, games } from '#contracts/games.ts';

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

/** As typed: an empty port is not the default that it stands for. */
export const isSameDraft = (one: ServerDraft, other: ServerDraft): boolean =>
  (Object.keys(one) as (keyof ServerDraft)[]).every((name) => one[name] === other[name]);

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

/**
 * Only what was changed since `base`: what somebody else changed meanwhile stays theirs. Host, port and password go
 * together, so that a password never goes to a place that its writer has not seen.
 * @param onto the server as it is now
 */
export const changeOf = (draft: ServerDraft, base: GameServer, onto = base): Change => {
  const host = hostOf(draft);
  const port = portOf(draft);
  const password = passwordOf(draft, base, onto);
  const isPlaceChanged = host !== base.host || port !== base.port || password !== undefined;
  return {
    version: onto.version,
    ...(draft.name !== base.name && { name: draft.name }),
    ...(draft.clusterId !== base.clusterId && { clusterId: draft.clusterId }),
    ...(isPlaceChanged && host !== onto.host && { host }),
    ...(isPlaceChanged && port !== onto.port && { port }),
    ...(password !== undefined && { password }),
  };
};

const hostOf = ({ reach, host }: ServerDraft): string | null => (reach === 'direct' ? host.trim() : null);

/** Undefined: stays as it is. */
const passwordOf = (draft: ServerDraft, base: GameServer, onto: GameServer): string | undefined => {
  if (draft.reach === 'agent') {
    const isForgotten = onto.hasPassword && portOf(draft) !== base.port && portOf(draft) !== onto.port;
    return isForgotten ? '' : undefined;
  }
  if (draft.passwordChoice === 'new') return draft.password;
  return draft.passwordChoice === 'none' && base.hasPassword ? '' : undefined;
};

/** What is typed next; the stored password is chosen only where it can go. */
export const withChanges = (
  draft: ServerDraft,
  base: GameServer,
  changes: Partial<ServerDraft>,
): ServerDraft => {
  const next = { ...draft, ...changes };
  if (!base.hasPassword || next.reach === 'agent' || changes.passwordChoice) return next;
  if (goesElsewhere(next, base))
    return next.passwordChoice === 'keep' ? { ...next, passwordChoice: 'new' } : next;
  const isBack = goesElsewhere(draft, base) && next.passwordChoice === 'new' && next.password === '';
  return isBack ? { ...next, passwordChoice: 'keep' } : next;
};

/** What is typed by now, once what was typed by then is saved. */
export const afterSaving = (draft: ServerDraft, sent: ServerDraft, saved: GameServer): ServerDraft => {
  const names = Object.keys(draft) as (keyof ServerDraft)[];
  const later = names.filter((name) => draft[name] !== sent[name]).map((name) => [name, draft[name]]);
  return { ...draftOf(saved), ...Object.fromEntries(later) };
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
