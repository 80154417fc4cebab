import { expect, test } from 'vitest';
import type { Admin } from '#contracts/identity/admins.ts';
import {
  afterSave,
  changeOf,
  collisionsOf,
  emptyDraft,
  grantChanges,
  grantsWith,
  isEmptyDraft,
  withoutCollisions,
} from './rights-draft.ts';

const admin: Admin = {
  id: 'a',
  name: 'Ana',
  role: 'viewer',
  serverGrants: [{ serverId: 'one', role: 'moderator' }],
  disabled: false,
  totp: false,
  createdAt: '2030-01-01T00:00:00.000Z',
  lastSignInAt: null,
  version: 1,
};
const two = { serverId: 'two', role: 'viewer' };

// Guarantee: saving the form does not undo a grant that another admin adds or revokes while the form is open.
test('grants that two people change', () => {
  const added = grantChanges(admin.serverGrants, [...admin.serverGrants, two]);
  const meanwhile = { ...admin, serverGrants: [{ serverId: 'three', role: 'viewer' }], version: 2 };
  expect(changeOf({ grants: added }, meanwhile)).toEqual({
    version: 2,
    serverGrants: [{ serverId: 'three', role: 'viewer' }, two],
  });
  expect(changeOf({ role: null, grants: new Map() }, meanwhile)).toEqual({ version: 2, role: null });
});

// Guarantee: different changes by two people to the same field are named one by one; a change by only one of them, or
// the same by both, is not.
test('collisions', () => {
  const draft = {
    name: 'Bea',
    role: 'moderator',
    grants: new Map([
      ['one', null],
      ['two', 'viewer'],
    ]),
  };
  expect(collisionsOf(draft, admin, { ...admin, disabled: true, version: 2 })).toEqual([]);
  const same = { ...admin, name: 'Bea', role: 'moderator', serverGrants: [two], version: 2 };
  expect(collisionsOf(draft, admin, same)).toEqual([]);
  const other = {
    ...admin,
    role: null,
    serverGrants: [
      { serverId: 'one', role: 'owner' },
      { serverId: 'three', role: 'viewer' },
    ],
    version: 2,
  };
  const collisions = collisionsOf(draft, admin, other);
  expect(collisions).toMatchObject([
    { field: 'role', theirs: null, mine: 'moderator' },
    { field: 'grant', serverId: 'one', theirs: 'owner', mine: null },
  ]);
  expect(withoutCollisions(draft, collisions)).toEqual({ name: 'Bea', grants: new Map([['two', 'viewer']]) });
  expect(collisionsOf(emptyDraft, admin, other)).toEqual([]);
});

test('a grant is changed, taken away, and put back as it was', () => {
  const changed = grantChanges(admin.serverGrants, [{ serverId: 'one', role: 'viewer' }]);
  expect(grantsWith(admin.serverGrants, changed)).toEqual([{ serverId: 'one', role: 'viewer' }]);
  const taken = grantChanges(admin.serverGrants, []);
  expect(grantsWith([...admin.serverGrants, two], taken)).toEqual([two]);
  expect(grantChanges(admin.serverGrants, admin.serverGrants).size).toBe(0);
});

// Guarantee: a change made while a save is in progress still remains to be saved.
test('changes during a save', () => {
  const sent = { name: 'Bea', role: null, grants: new Map([['one', null]]) };
  expect(isEmptyDraft(afterSave(sent, sent))).toBe(true);
  const now = { name: 'Bea B', role: null, grants: new Map([...sent.grants, ['two', 'viewer']]) };
  expect(afterSave(now, sent)).toEqual({ name: 'Bea B', grants: new Map([['two', 'viewer']]) });
  expect(isEmptyDraft(emptyDraft)).toBe(true);
});
