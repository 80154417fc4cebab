import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ModSet } from '#contracts/mods/mods.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import { isRefusal, type Refusal } from '../../kernel/http/refusal.ts';
import { type MigratedDatabase, migratedDatabase, testOwner } from '../../kernel/testing/feature-api.ts';
import { createModSets, type ModSets } from './sets.ts';

let database: MigratedDatabase;
let sets: ModSets;
beforeEach(async () => {
  database = await migratedDatabase();
  sets = createModSets(database.db);
});
afterEach(() => database[Symbol.asyncDispose]());

const by = { actor: testOwner, address: '::1' };
const sodium = {
  source: 'modrinth',
  project: 'AANobbMI',
  name: 'Sodium',
  version: null,
  versionName: null,
} as const;
const draft = { name: 'Survival', game: 'minecraft', items: [sodium] } as const;
const granted = (result: ModSet | Refusal): ModSet => {
  if (isRefusal(result)) throw new Error(result.refused);
  return result;
};

// Guarantee: names of sets are unique, a change based on an older version or for another game is refused, and each change is audited.
test('the life of a set', async () => {
  const made = granted(await sets.create({ ...draft, items: [...draft.items] }, by));
  expect(made).toMatchObject({ version: 1, changedByName: 'Owner', items: [sodium] });
  expect(await sets.create({ ...draft, name: 'SURVIVAL', items: [] }, by)).toMatchObject({
    refused: 'NAME_TAKEN',
  });
  const pinned = { ...sodium, version: 'b4hTi3mo', versionName: '0.5' };
  const change = { ...draft, items: [sodium, pinned], version: 1 };
  const [one, two] = await Promise.all([sets.change(made.id, change, by), sets.change(made.id, change, by)]);
  const [won, lost] = isRefusal(one) ? [two, one] : [one, two];
  expect(lost).toMatchObject({ refused: 'CONFLICT' });
  expect(won).toMatchObject({ version: 2, items: [pinned] });
  expect(await sets.change(made.id, { ...change, version: 2, game: 'ark-se' }, by)).toMatchObject({
    refused: 'CONFLICT',
  });
  expect(await sets.list(testOwner)).toEqual([won]);
  granted(await sets.remove(made.id, by));
  expect(await sets.remove(made.id, by)).toMatchObject({ refused: 'NOT_FOUND' });
  const audit = await database.db
    .selectFrom('audit_logs')
    .select(['action', 'target'])
    .orderBy('id')
    .execute();
  const target = `mod-set:${made.id}`;
  expect(audit).toEqual([
    { action: 'mod-sets.create', target },
    { action: 'mod-sets.change', target },
    { action: 'mod-sets.remove', target },
  ]);
});

// Guarantee: permissions for single servers open no set, because a set serves all of them.
test('rights for one server', async () => {
  const actor: Actor = {
    ...testOwner,
    permissions: new Set(),
    serverPermissions: new Map([['one', new Set(['mods.read', 'mods.write'] as const)]]),
  };
  expect(await sets.list(actor)).toMatchObject({ refused: 'FORBIDDEN' });
  expect(await sets.create({ ...draft, items: [] }, { actor, address: '::1' })).toMatchObject({
    refused: 'FORBIDDEN',
  });
});
