import { expect, test } from 'vitest';
import { createGroupCommit } from './group-commit.ts';

interface Item {
  readonly key: string;
  readonly isBad?: true;
}

const record = (mostAtOnce = 100) => {
  const batches: string[][] = [];
  const add = createGroupCommit<Item, string>({
    mostAtOnce,
    keyOf: ({ key }) => key,
    async commit(items) {
      batches.push(items.map(({ key }) => key));
      if (items.some(({ isBad }) => isBad)) throw new Error('refused');
      return items.map(({ key }) => `did ${key}`);
    },
  });
  return { batches, add };
};

// Guarantee: items that arrive together are committed together, in the order of arrival, and each gets its own result.
test('one batch', async () => {
  const { batches, add } = record(2);
  expect(await Promise.all(['a', 'b', 'c'].map((key) => add({ key })))).toEqual(['did a', 'did b', 'did c']);
  expect(batches).toEqual([['a', 'b'], ['c']]);
});

// Guarantee: an item that fails, fails alone.
test('a bad item', async () => {
  const { batches, add } = record();
  const results = await Promise.allSettled([
    add({ key: 'a' }),
    add({ key: 'b', isBad: true }),
    add({ key: 'c' }),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(batches).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']]);
  expect(await add({ key: 'd' })).toBe('did d');
});

// Guarantee: two items with the same key are never in one batch, so that the second sees what the first has left.
test('the same key', async () => {
  const { batches, add } = record();
  await Promise.all([add({ key: 'a' }), add({ key: 'a' }), add({ key: 'b' })]);
  expect(batches).toEqual([['a', 'b'], ['a']]);
});

// Guarantee: while the database is away, a whole batch fails immediately, not one item after the other.
test('no database', async () => {
  let tries = 0;
  const add = createGroupCommit<string, never>({
    mostAtOnce: 10,
    keyOf: (key) => key,
    async commit() {
      tries += 1;
      throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    },
  });
  const results = await Promise.allSettled([add('a'), add('b')]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(tries).toBe(1);
});
