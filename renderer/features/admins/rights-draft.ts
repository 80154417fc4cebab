import type { Admin, AdminChange, ServerGrant } from '#contracts/admins.ts';

/** What was changed in the form of an admin and is not saved. */
export interface RightsDraft {
  /** Absent: as it is. */
  readonly name?: string;
  /** Absent: as it is. */
  readonly role?: string | null;
  /** The role on a server, by the server's id; null: the grant is taken away. */
  readonly grants: ReadonlyMap<string, string | null>;
}

export const emptyDraft: RightsDraft = { grants: new Map() };

export const isEmptyDraft = ({ name, role, grants }: RightsDraft): boolean =>
  name === undefined && role === undefined && grants.size === 0;

/** The grants as they are now, with what was changed in the form. */
export const grantsWith = (
  grants: readonly ServerGrant[],
  changes: RightsDraft['grants'],
): readonly ServerGrant[] => {
  const roles = new Map<string, string | null>(grants.map(({ serverId, role }) => [serverId, role]));
  for (const [serverId, role] of changes) roles.set(serverId, role);
  return [...roles].flatMap(([serverId, role]) => (role === null ? [] : [{ serverId, role }]));
};

/** What leads from the grants as they are to those that are wanted. */
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

/** What a save sends: nothing but what was changed. The API takes grants as a whole, so they are put upon those of now. */
export const changeOf = ({ name, role, grants }: RightsDraft, admin: Admin): AdminChange => ({
  version: admin.version,
  ...(name !== undefined && { name }),
  ...(role !== undefined && { role }),
  ...(grants.size > 0 && { serverGrants: [...grantsWith(admin.serverGrants, grants)] }),
});

/** What the draft changes and somebody else has changed to something else. */
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

/** @param base what the draft was made from */
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

/** What collides is left as somebody else has made it; the rest is still to be saved. */
export const withoutCollisions = (draft: RightsDraft, collisions: readonly Collision[]): RightsDraft => {
  const collides = (field: 'name' | 'role') => collisions.some((each) => each.field === field);
  const servers = new Set(collisions.map((each) => (each.field === 'grant' ? each.serverId : null)));
  return {
    ...(draft.name !== undefined && !collides('name') && { name: draft.name }),
    ...(draft.role !== undefined && !collides('role') && { role: draft.role }),
    grants: new Map([...draft.grants].filter(([id]) => !servers.has(id))),
  };
};

/** What was changed while a save was on its way is still to be saved. */
export const afterSave = (now: RightsDraft, sent: RightsDraft): RightsDraft => ({
  ...(now.name !== undefined && now.name !== sent.name && { name: now.name }),
  ...(now.role !== undefined && now.role !== sent.role && { role: now.role }),
  grants: new Map([...now.grants].filter(([id, role]) => sent.grants.get(id) !== role)),
});
