import type { CallInput } from '#contracts/kernel/call-input.ts';
import type { GameServer, gameServersHttp } from '#contracts/servers/game-servers.ts';
import { type GameId, games } from '#contracts/servers/games.ts';

/** What happens to the stored password. */
export type PasswordChoice = 'keep' | 'new' | 'none';

/** A server as typed. */
export interface ServerDraft {
  readonly name: string;
  readonly clusterId: string;
  readonly game: GameId;
  readonly reach: 'direct' | 'agent';
  readonly host: string;
  /** As typed; empty means the game's own default. */
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

/** As typed: an empty port differs from the default that it means. */
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
 * Only what was changed since `base`: other admins' changes stay theirs. Host, port and password are sent together, so
 * that a password never goes to an address that its author has not seen.
 * @param onto the current state of the server
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

/** Undefined: unchanged. */
const passwordOf = (draft: ServerDraft, base: GameServer, onto: GameServer): string | undefined => {
  if (draft.reach === 'agent') {
    const isForgotten = onto.hasPassword && portOf(draft) !== base.port && portOf(draft) !== onto.port;
    return isForgotten ? '' : undefined;
  }
  if (draft.passwordChoice === 'new') return draft.password;
  return draft.passwordChoice === 'none' && base.hasPassword ? '' : undefined;
};

/** The draft after further typing; the stored password is selected only where it may be used. */
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

/** The current draft, once the draft that was sent is saved. */
export const afterSaving = (draft: ServerDraft, sent: ServerDraft, saved: GameServer): ServerDraft => {
  const names = Object.keys(draft) as (keyof ServerDraft)[];
  const later = names.filter((name) => draft[name] !== sent[name]).map((name) => [name, draft[name]]);
  return { ...draftOf(saved), ...Object.fromEntries(later) };
};

/** A stored password is only used at its stored address. */
export const goesElsewhere = (draft: ServerDraft, base: GameServer): boolean =>
  (draft.reach === 'direct' && draft.host.trim() !== (base.host ?? '')) || portOf(draft) !== base.port;

/** Null where the API does not reach the game itself, so there is nothing to test. */
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
