import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { modProject, modVersion } from '#contracts/mods/mods.ts';
import { modFile } from '#contracts/servers/agent-mods.ts';
import { Secret } from '#runtime/secret.ts';
import { isSourceFailure, type ModTarget, type SourceVersion } from '../../server/mods/sources/mod-source.ts';
import { createModSources } from '../../server/mods/sources/mod-sources.ts';

const { signal } = new AbortController();
const target: ModTarget = {
  game: 'minecraft',
  loader: 'fabric',
  gameVersion: '1.21.1',
  forms: ['file', 'pack', 'id'],
};

const evil = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    'javascript:alert(1)',
    'http://insecure.example/a.jar',
    'https://u:p@files.example/a.jar',
    'https://files.example/a.jar',
    '../../evil.jar',
    'CON.jar',
    'a\u202egnp.jar',
    '\u001b[2J',
    '\ud800',
    `${'y'.repeat(99)}\u{1f600}`,
    '2026-01-01T00:00:00Z',
    '9999999-99-99',
    '+099999-01-01T00:00:00Z',
    '',
    'x'.repeat(30_000),
  ),
);
const whole = fc.oneof(fc.nat(), fc.constantFrom(0, 2 ** 40, 2 ** 53 - 1));
const hash = fc.constantFrom('a'.repeat(40), 'b'.repeat(128), 'A'.repeat(40), 'no hash');

const version = fc.record({
  id: fc.constantFrom('v1', 'v2'),
  project_id: fc.constant('p1'),
  name: evil,
  version_number: evil,
  changelog: fc.option(evil),
  dependencies: fc.array(
    fc.record({
      project_id: fc.option(fc.constant('p1')),
      version_id: fc.constant(null),
      dependency_type: evil,
    }),
    { maxLength: 2 },
  ),
  game_versions: fc.constant(['1.21.1']),
  loaders: fc.constant(['fabric']),
  version_type: evil,
  date_published: fc.oneof(fc.constant('2026-01-01T00:00:00Z'), evil),
  files: fc.array(
    fc.record({
      hashes: fc.record({ sha1: hash, sha512: hash }, { requiredKeys: [] }),
      url: evil,
      filename: evil,
      primary: fc.boolean(),
      size: whole,
    }),
    { maxLength: 2 },
  ),
});
const project = fc.record({
  id: fc.constant('p1'),
  project_id: fc.constant('p1'),
  slug: evil,
  title: evil,
  description: evil,
  project_type: evil,
  server_side: evil,
  icon_url: evil,
  downloads: whole,
  team: evil,
  author: evil,
  updated: evil,
  date_modified: evil,
});
const file = fc.record({
  id: fc.constantFrom(1, 2),
  modId: fc.constant(5),
  displayName: evil,
  fileName: evil,
  releaseType: whole,
  hashes: fc.array(fc.record({ value: hash, algo: fc.constantFrom(1, 2) }), { maxLength: 2 }),
  fileDate: fc.oneof(fc.constant('2026-01-01T00:00:00Z'), evil),
  fileLength: whole,
  downloadUrl: fc.option(evil),
  gameVersions: fc.constant(['1.21.1', 'Fabric']),
  fileFingerprint: whole,
});
const mod = fc.record({
  id: fc.constant(5),
  gameId: fc.constantFrom(432, 83374),
  name: evil,
  slug: evil,
  summary: evil,
  links: fc.record({ websiteUrl: evil }),
  authors: fc.array(fc.record({ name: evil }), { maxLength: 1 }),
  logo: fc.record({ url: evil }),
});
const item = fc.record({
  publishedfileid: fc.oneof(fc.constantFrom('731604991', 731604991, 5), evil),
  result: fc.constant(1),
  consumer_app_id: fc.constant(346110),
  title: evil,
  description: evil,
  preview_url: evil,
  file_size: fc.oneof(whole, evil),
  time_updated: fc.oneof(whole, evil),
  subscriptions: whole,
});
const rows = (row: fc.Arbitrary<unknown>) => fc.array(row, { maxLength: 2 });
const answer = fc.oneof(
  fc.json(),
  rows(version).map((all) => JSON.stringify(all)),
  rows(project).map((all) => JSON.stringify(all)),
  rows(project).map((hits) => JSON.stringify({ hits, total_hits: 2 })),
  rows(file).map((data) => JSON.stringify({ data, pagination: { totalCount: 2 } })),
  rows(item).map((publishedfiledetails) => JSON.stringify({ response: { publishedfiledetails } })),
  rows(mod).map((data) => JSON.stringify({ data, pagination: { totalCount: 2 } })),
);

const addressOf = ({ file: its }: SourceVersion): string | null =>
  its?.from.kind === 'address' ? its.from.url : null;

// Guarantee: for any answer of a source, its client's output fits the contracts, contains only plain web addresses and no terminal
// control sequences, and nothing is thrown.
test('hostile answers', async () => {
  let body = '';
  let shown = 0;
  const server = createServer((_, response) => response.end(body));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { modrinth, curseforge, steam } = createModSources({
    urls: { modrinth: url, curseforge: url, steam: url },
    curseforgeKey: async () => new Secret('key'),
    log: { warn: () => undefined },
  });
  const checkText = (text: string | null): void => {
    expect(text ?? '').not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/u);
  };
  const checkAddress = (text: string | null): void => {
    if (text === null) return;
    const { protocol, username, password } = new URL(text);
    expect([protocol, username, password]).toEqual([expect.stringMatching(/^https?:$/), '', '']);
  };

  const look = (versions: readonly SourceVersion[]): void => {
    for (const one of versions) {
      modVersion.parse(one);
      if (one.file) modFile.parse(one.file);
      // Only CurseForge's key is requested, and only for its own hosts.
      if (one.file?.from.kind === 'address' && one.file.from.key !== null)
        expect(new URL(one.file.from.url).host).toBe(new URL(url).host);
      for (const text of [one.name, one.changelog, one.file?.name ?? null]) checkText(text);
      for (const text of [one.page, addressOf(one)]) checkAddress(text);
      shown += 1;
    }
  };
  await fc.assert(
    fc.asyncProperty(answer, async (text) => {
      body = text;
      for (const client of [modrinth, curseforge, steam]) {
        const found = await client.search(target, { text: '731604991', offset: 0 }, signal);
        const projects = await client.projects(['p1', '5'], signal);
        const all = [
          ...(isSourceFailure(found) ? [] : found.rows),
          ...(isSourceFailure(projects) ? [] : projects),
        ];
        for (const one of all) {
          modProject.parse(one);
          for (const text of [one.name, one.summary, one.author, one.license]) checkText(text);
          for (const text of [one.page, one.iconUrl]) checkAddress(text);
          shown += 1;
        }
        for (const id of ['p1', '5']) {
          const versions = await client.versions(id, target, signal);
          if (versions && !isSourceFailure(versions)) look(versions);
        }
        const byId = await client.versionsById(['v1', '1'], signal);
        if (!isSourceFailure(byId)) look(byId);
      }
    }),
    { numRuns: 150 },
  );
  expect(shown).toBeGreaterThan(20);
});
