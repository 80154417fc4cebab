import { expect, test } from 'vitest';
import type { Admin } from '#contracts/admins.ts';
import { afterSave, changeOf, emptyDraft, grantChanges, grantsWith, isEmptyDraft } from './rights-draft.ts';

const admin: Admin = {
  id: 'a',
  name: 'Ana',
  role: 'viewer',
  serverGrants: [{ serverId: 'one', role: 'moderator' }],
  disabled: false,
  totp: false,
  createdAt: '2030-01-01T00:00:00.000Z',
  lastSignInAt: null,
};
const two = { serverId: 'two', role: 'viewer' };

// Guarantee: what somebody else grants or takes while a form is open is not undone by saving the form.
test('grants that two people change', () => {
  const added = grantChanges(admin.serverGrants, [...admin.serverGrants, two]);
  const meanwhile = { ...admin, serverGrants: [{ serverId: 'three', role: 'viewer' }] };
  expect(changeOf({ grants: added }, meanwhile)).toEqual({
    serverGrants: [{ serverId: 'three', role: 'viewer' }, two],
  });
  expect(changeOf({ role: null, grants: new Map() }, meanwhile)).toEqual({ role: null });
});

test('a grant is changed, taken away, and put back as it was', () => {
  const changed = grantChanges(admin.serverGrants, [{ serverId: 'one', role: 'viewer' }]);
  expect(grantsWith(admin.serverGrants, changed)).toEqual([{ serverId: 'one', role: 'viewer' }]);
  const taken = grantChanges(admin.serverGrants, []);
  expect(grantsWith([...admin.serverGrants, two], taken)).toEqual([two]);
  expect(grantChanges(admin.serverGrants, admin.serverGrants).size).toBe(0);
});

// Guarantee: what is changed while a save is on its way is still there to be saved.
test('changes during a save', () => {
  const sent = { name: 'Bea', role: null, grants: new Map([['one', null]]) };
  expect(isEmptyDraft(afterSave(sent, sent))).toBe(true);
  const now = { name: 'Bea B', role: null, grants: new Map([...sent.grants, ['two', 'viewer']]) };
  expect(afterSave(now, sent)).toEqual({ name: 'Bea B', grants: new Map([['two', 'viewer']]) });
  expect(isEmptyDraft(emptyDraft)).toBe(true);
});
