import type { Admin, AdminChange, ServerGrant } from '#contracts/identity/admins.ts';

/** The unsaved changes in the form of an admin. */
export interface RightsDraft {
  /** Absent: unchanged. */
  readonly name?: string;
  /** Absent: unchanged. */
  readonly role?: string | null;
  /** The role on a server, by the server's id; null: the grant is removed. */
  readonly grants: ReadonlyMap<string, string | null>;
}

export const emptyDraft: RightsDraft = { grants: new Map() };

export const isEmptyDraft = ({ name, role, grants }: RightsDraft): boolean =>
  name === undefined && role === undefined && grants.size === 0;

/** The current grants with the changes from the form. */
export const grantsWith = (
  grants: readonly ServerGrant[],
  changes: RightsDraft['grants'],
): readonly ServerGrant[] => {
  const roles = new Map<string, string | null>(grants.map(({ serverId, role }) => [serverId, role]));
  for (const [serverId, role] of changes) roles.set(serverId, role);
  return [...roles].flatMap(([serverId, role]) => (role === null ? [] : [{ serverId, role }]));
};

/** The changes that turn the current grants into the wanted ones. */
export const grantChanges = (
  grants: readonly ServerGrant[],
  wanted: readonly ServerGrant[],
): RightsDraft['grants'] => {
  const before = new Map(grants.map(({ serverId, role }) => [serverId, role]));
  const after = new Map(wanted.map(({ serverId, role }) => [serverId, role]));
  const ids = new Set([...before.keys(), ...after.keys()]);
  return new Map(
    [...ids].flatMap((id) => (before.get(id) === after.get(id) ? [] : [[id, after.get(id) ?? null]])),
  );
};

/** The body of a save: only the changes. The API takes the grants as a whole, so they are applied to the current ones. */
export const changeOf = ({ name, role, grants }: RightsDraft, admin: Admin): AdminChange => ({
  version: admin.version,
  ...(name !== undefined && { name }),
  ...(role !== undefined && { role }),
  ...(grants.size > 0 && { serverGrants: [...grantsWith(admin.serverGrants, grants)] }),
});

/** A field that both the draft and another admin have changed, to different values. */
export type Collision =
  | { readonly field: 'name'; readonly theirs: string; readonly mine: string }
  | { readonly field: 'role'; readonly theirs: string | null; readonly mine: string | null }
  | {
      readonly field: 'grant';
      readonly serverId: string;
      /** The role there; null: none is granted. */
      readonly theirs: string | null;
      readonly mine: string | null;
    };

const grantOf = ({ serverGrants }: Admin, id: string): string | null =>
  serverGrants.find(({ serverId }) => serverId === id)?.role ?? null;

/** @param base the version that the draft started from */
export const collisionsOf = (draft: RightsDraft, base: Admin, newest: Admin): readonly Collision[] => {
  const { name = newest.name, role = newest.role, grants } = draft;
  const all: readonly (Collision & { readonly before: string | null })[] = [
    { field: 'name', before: base.name, theirs: newest.name, mine: name },
    { field: 'role', before: base.role, theirs: newest.role, mine: role },
    ...[...grants].map(([serverId, mine]) => ({
      field: 'grant' as const,
      serverId,
      before: grantOf(base, serverId),
      theirs: grantOf(newest, serverId),
      mine,
    })),
  ];
  return all.filter(({ before, theirs, mine }) => theirs !== before && theirs !== mine);
};

/** Drops the colliding changes in favour of the other admin's; the rest still remains to be saved. */
export const withoutCollisions = (draft: RightsDraft, collisions: readonly Collision[]): RightsDraft => {
  const collides = (field: 'name' | 'role') => collisions.some((each) => each.field === field);
  const servers = new Set(collisions.map((each) => (each.field === 'grant' ? each.serverId : null)));
  return {
    ...(draft.name !== undefined && !collides('name') && { name: draft.name }),
    ...(draft.role !== undefined && !collides('role') && { role: draft.role }),
    grants: new Map([...draft.grants].filter(([id]) => !servers.has(id))),
  };
};

/** Changes made while a save was in progress still remain to be saved. */
export const afterSave = (now: RightsDraft, sent: RightsDraft): RightsDraft => ({
  ...(now.name !== undefined && now.name !== sent.name && { name: now.name }),
  ...(now.role !== undefined && now.role !== sent.role && { role: now.role }),
  grants: new Map([...now.grants].filter(([id, role]) => sent.grants.get(id) !== role)),
});
