import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parseInline } from '../markdown.ts';
import { isNewer } from '../versions.ts';
import { parseChangelog, releasesSince } from './changelog.ts';

const text = `# Changelog

What changed.

## Unreleased

- Not yet out,
  over two lines.

## [1.2.0] - 2026-05-04

A word before.

- **Bold** change
- Other change

Not an entry.

## 1.1.0 (2026-03-02)
* Starred

## 1.1.0-beta.2

- Early

## 1.0.0
`;
const releases = parseChangelog(text);

test('releases', () => {
  expect(releases).toEqual([
    { version: null, date: null, entries: ['Not yet out, over two lines.'] },
    { version: '1.2.0', date: '2026-05-04', entries: ['**Bold** change', 'Other change'] },
    { version: '1.1.0', date: '2026-03-02', entries: ['Starred'] },
    { version: '1.1.0-beta.2', date: null, entries: ['Early'] },
  ]);
});

// Guarantee: after an update the reader sees exactly the changes since the last look: nothing twice, and nothing from a future version.
test.each<[seen: string | null, own: string, versions: (string | null)[]]>([
  [null, '1.2.0', []],
  ['1.2.0', '1.2.0', []],
  ['1.1.0', '1.2.0', ['1.2.0']],
  ['1.1.0-beta.2', '1.2.0', ['1.2.0', '1.1.0']],
  ['1.0.0', '1.1.0', ['1.1.0', '1.1.0-beta.2']],
  ['0.9.9', '1.2.0', ['1.2.0', '1.1.0', '1.1.0-beta.2']],
  // A build beyond its last release contains the unreleased changes.
  ['1.2.0', '1.3.0', [null]],
  // An older version was put back.
  ['2.0.0', '1.2.0', []],
])('seen %s, now %s', (seen, own, versions) =>
  expect(releasesSince(releases, seen, own).map(({ version }) => version)).toEqual(versions),
);

test.each([
  ['1.10.0', '1.9.2', true],
  ['1.9.2', '1.10.0', false],
  ['1.0.0', '1.0.0', false],
  ['1.0.0', '1.0.0-beta.2', true],
  ['1.0.0-beta.10', '1.0.0-beta.2', true],
  ['1.0.0-beta.2', '1.0.0', false],
  ['1.1', '1.0.9', true],
  ['nonsense', '0.0.0', false],
])('%s after %s: %s', (version, than, is) => expect(isNewer(version, than)).toBe(is));

// Guarantee: the bundled changelog is read completely: every line of its lists belongs to a change, and no markup is left over.
test('our own', async () => {
  const own = await readFile(resolve(import.meta.dirname, '../../../../CHANGELOG.md'), 'utf8');
  const found = parseChangelog(own);
  expect(found.length).toBeGreaterThan(0);
  const listed = own.split('\n').filter((line) => line.startsWith('- ')).length;
  expect(found.flatMap(({ entries }) => entries)).toHaveLength(listed);
  for (const entry of found.flatMap(({ entries }) => entries))
    expect(
      parseInline(entry)
        .map((part) => (part.kind === 'text' ? part.text : ''))
        .join(''),
    ).not.toMatch(/\*\*|`/);
});
