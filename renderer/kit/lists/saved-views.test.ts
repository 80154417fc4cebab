import { expect, test } from 'vitest';
import { mostViews, readViews, withView } from './saved-views.ts';

const view = (name: string, search = 'q=x') => ({ name, search });

// Guarantee: whatever the browser's storage contains, the list appears, with the views that are readable.
test.each([
  [null, 0],
  ['', 0],
  ['{', 0],
  ['{"name":"x"}', 0],
  ['null', 0],
  ['[1, null, {"name":"", "search":""}, {"name":"a", "search":"q=1"}]', 1],
])('reads %j', (text, count) => expect(readViews(text)).toHaveLength(count));

// Guarantee: a name appears once, with what was saved last.
test('replaces by name', () => {
  const views = withView(withView([], view('a', 'q=1')) ?? [], view('a', 'q=2'));
  expect(views).toEqual([view('a', 'q=2')]);
});

// Guarantee: there are never more than can be shown, and a full list can still be changed.
test('has an end', () => {
  const full = Array.from({ length: mostViews }, (_, index) => view(`view ${index}`));
  expect(withView(full, view('one more'))).toBeNull();
  expect(withView(full, view('view 3', 'q=new'))).toHaveLength(mostViews);
});
