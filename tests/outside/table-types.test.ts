import type { ColumnType } from 'kysely';
import { expect, expectTypeOf, test } from 'vitest';
import { testDatabase } from '#harness/database.ts';
import type { Narrowed } from '#runtime/database/narrowed.ts';
import { openDatabase } from '#runtime/database/pool.ts';
import { silentLog } from '../../server/kernel/testing/feature-api.ts';
import { tableTypes } from './table-types.ts';

const schema = `
  create table pets (
    id bigint generated always as identity,
    name text not null,
    kind text not null check (kind in ('cat', 'dog')),
    mood text default 'calm' check (mood in ('calm', 'wild')),
    tags text[] not null default '{}',
    likes jsonb not null
  )`;
const known = "export interface ColumnTypes {\n  'pets.likes': JSONColumnType<string[]>;\n";

// Guarantee: the types say what the schema allows, and keep what people wrote about it.
test('a table as a type', async () => {
  await using empty = await testDatabase();
  await using database = openDatabase({ url: empty.url, applicationName: 'types', log: silentLog });
  const { pool } = database;
  await pool.query(schema);
  const former = '/** At home. */\nexport interface PetsTable {\n  /** As called. */\n  name: number;\n}\n';
  const types = await tableTypes(pool, { name: 'Tables', former, columnTypes: known });
  expect(types.split('\n\n').slice(1).join('\n')).toBe(`/** At home. */
export interface PetsTable {
  id: GeneratedAlways<string>;
  /** As called. */
  name: string;
  kind: 'cat' | 'dog';
  mood: Generated<'calm' | 'wild' | null>;
  tags: Generated<string[]>;
  likes: Narrowed<unknown, ColumnTypes['pets.likes']>;
}
export interface Tables {
  pets: PetsTable;
}
`);
  expect(await tableTypes(pool, { name: 'Tables', former: types, columnTypes: known })).toBe(types);
});

// Guarantee: no column is left without a type, and no type without its column.
test('what column-types.ts lacks, or has too much', async () => {
  await using empty = await testDatabase();
  await using database = openDatabase({ url: empty.url, applicationName: 'types', log: silentLog });
  const { pool } = database;
  await pool.query(schema);
  const typesWith = (columnTypes: string) => tableTypes(pool, { name: 'Tables', former: '', columnTypes });
  await expect(typesWith('')).rejects.toThrow('pets.likes: say in column-types.ts what its JSON is.');
  await expect(typesWith(`${known}  'pets.age': number;\n`)).rejects.toThrow('No such column: pets.age.');
});

// Guarantee: no type of column-types.ts has values that the schema does not have; `tsc` finds one that has.
test('a type wider than the schema does not compile', () => {
  // @ts-expect-error: any text, where a check lists two values
  expectTypeOf<Narrowed<'cat' | 'dog', string>>().toBeString();
  // @ts-expect-error: a third value
  expectTypeOf<Narrowed<'cat' | 'dog', 'cat' | 'cow'>>().toBeString();
  // @ts-expect-error: null, where the column has none
  expectTypeOf<Narrowed<string, string | null>>().toBeNullable();
  // @ts-expect-error: any text, although it is never written
  expectTypeOf<Narrowed<'cat' | 'dog', ColumnType<string, never, never>>>().toBeObject();
  expectTypeOf<Narrowed<string | null, 'cat'>>().toEqualTypeOf<'cat'>();
});
