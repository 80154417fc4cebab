import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SavedCommand } from '#contracts/servers/console.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import { isRefusal, type Refusal } from '../../kernel/http/refusal.ts';
import { type MigratedDatabase, migratedDatabase, testOwner } from '../../kernel/testing/feature-api.ts';
import { createSavedCommands, type SavedCommands } from './saved-commands.ts';

let database: MigratedDatabase;
let saved: SavedCommands;
beforeEach(async () => {
  database = await migratedDatabase();
  saved = createSavedCommands(database.db);
});
afterEach(() => database[Symbol.asyncDispose]());

const by = { actor: testOwner, address: '::1' };
const granted = (result: SavedCommand | Refusal): SavedCommand => {
  if (isRefusal(result)) throw new Error(result.refused);
  return result;
};

// Guarantee: a saved command keeps its password for those who run it; the audit log has none.
test('a saved command with a password', async () => {
  const made = granted(
    await saved.create({ name: 'In', command: 'EnableCheats hunter2', game: 'ark-se' }, by),
  );
  granted(await saved.change(made.id, { version: 1, game: null }, by));
  const [known] = await saved.list();
  expect(known?.command).toBe('EnableCheats hunter2');
  granted(await saved.remove(made.id, by));
  const audit = await database.db.selectFrom('audit_logs').selectAll().execute();
  expect(audit).toHaveLength(3);
  expect(JSON.stringify(audit)).not.toContain('hunter2');
});

// Guarantee: names are unique, a change from an older version is refused, unnamed members stay, and each change is audited.
test('the life of a saved command', async () => {
  const made = granted(await saved.create({ name: 'Save', command: 'save-all', game: 'minecraft' }, by));
  const other = granted(await saved.create({ name: 'List', command: 'list', game: null }, by));
  expect(await saved.create({ name: 'SAVE', command: 'x', game: null }, by)).toMatchObject({
    refused: 'NAME_TAKEN',
  });
  expect(await saved.change(other.id, { version: 1, name: 'save' }, by)).toMatchObject({
    refused: 'NAME_TAKEN',
  });
  const changed = granted(await saved.change(made.id, { version: 1, command: 'save-all flush' }, by));
  expect(changed).toEqual({ ...made, command: 'save-all flush', version: 2 });
  expect(await saved.change(made.id, { version: 1, name: 'x' }, by)).toMatchObject({ refused: 'CONFLICT' });
  expect(await saved.list()).toEqual([other, changed]);
  granted(await saved.remove(made.id, by));
  expect(await saved.remove(made.id, by)).toMatchObject({ refused: 'NOT_FOUND' });
  const audit = await database.db.selectFrom('audit_logs').select('action').orderBy('id').execute();
  expect(audit.map(({ action }) => action.split('.')[1])).toEqual(['create', 'create', 'change', 'remove']);
});

// Guarantee: an actor with the console of single servers only cannot change the commands that others run.
test('rights for one server are not enough', async () => {
  const granted = new Map([['s', new Set(['console.write'] as const)]]);
  const actor: Actor = { ...testOwner, permissions: new Set(), serverPermissions: granted };
  const input = { name: 'x', command: 'x', game: null };
  expect(await saved.create(input, { ...by, actor })).toMatchObject({ refused: 'FORBIDDEN' });
  expect(await saved.change('x', { version: 1 }, { ...by, actor })).toMatchObject({ refused: 'FORBIDDEN' });
  expect(await saved.remove('x', { ...by, actor })).toMatchObject({ refused: 'FORBIDDEN' });
});
