import { expect, test } from 'vitest';
import type { Entry } from './entry.ts';
import { findEntries, isCalled } from './find-entries.ts';

const entry = (group: Entry['group'], label: string, more: Partial<Entry> = {}): Entry => ({
  id: `${group}:${label}`,
  group,
  label,
  icon: null,
  run: () => undefined,
  ...more,
});
const entries = [
  entry('pages', 'Settings', { also: ['Configurações'] }),
  entry('pages', 'Servers', { also: ['Servidores'] }),
  entry('servers', 'The Quarry', { hint: 'minecraft' }),
  entry('servers', 'Quarry of old settings'),
  entry('acts', 'Sign out', { also: ['Sair'] }),
  entry('players', 'Somebody who had another name'),
];
const labels = (typed: string, recent: readonly string[] = []) =>
  findEntries(entries, typed, recent).map(({ label }) => label);

// Guarantee: a name is found in either language, without its accents and capitals; a name that starts with the text comes first.
test('finding', () => {
  const player = 'Somebody who had another name';
  expect(labels('configuracoes')).toEqual(['Settings', player]);
  expect(labels('SET')).toEqual(['Settings', 'Quarry of old settings', player]);
  expect(labels('quarry mine')).toEqual(['The Quarry', player]);
  expect(labels('sair')).toEqual(['Sign out', player]);
});

// Guarantee: with nothing typed, the recently used ones come first, and nothing appears twice; entries that are gone are left out.
test('recent ones', () => {
  const found = findEntries(entries, '  ', ['acts:Sign out', 'servers:gone', 'pages:Servers']);
  expect(found.slice(0, 2).map(({ label, group }) => [label, group])).toEqual([
    ['Sign out', 'recent'],
    ['Servers', 'recent'],
  ]);
  expect(found).toHaveLength(entries.length);
});

// Guarantee: an act on one of many is found by its name, and does not fill the list before anything is typed.
test('direct acts', () => {
  const direct = entry('acts', 'Restart The Quarry', { isDirect: true });
  const all = [entry('acts', 'Restart a server …'), direct, ...entries];
  const found = (typed: string, recent: readonly string[] = []) =>
    findEntries(all, typed, recent).map(({ label }) => label);
  expect(found('')).toContain('Restart a server …');
  expect(found('')).not.toContain(direct.label);
  expect(found('', [direct.id])[0]).toBe(direct.label);
  expect(found('restart quarry')[0]).toBe(direct.label);
});

// Guarantee: however many servers there are, pages, acts and players are found beside them.
test('many servers', () => {
  const many = Array.from({ length: 300 }, (_, index) => entry('servers', `Server ${index}`));
  const found = (typed: string) =>
    new Set(findEntries([...many, ...entries], typed, []).map(({ group }) => group));
  expect([...found('')]).toEqual(['servers', 'pages', 'acts', 'players']);
  expect([...found('server')]).toEqual(['servers', 'pages', 'players']);
});

// Guarantee: typed text is always text, never a pattern.
test('special characters', () => {
  expect(labels('.*(')).toEqual(['Somebody who had another name']);
});

// Guarantee: one typed letter leaves no online player on the list whose name it does not match, so Enter picks no one else.
test('online players by one letter', () => {
  expect(isCalled('Ántônio', 'o')).toBe(true);
  expect(isCalled('Heron', 'A')).toBe(false);
  expect(isCalled('Heron', '')).toBe(true);
});
