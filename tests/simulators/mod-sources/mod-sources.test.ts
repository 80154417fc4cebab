import { expect, onTestFinished, test } from 'vitest';
import { fingerprintOf } from './fingerprint.ts';
import { fabricMod } from './mod-files.ts';
import { openModSources } from './mod-sources.ts';

const open = async () => {
  const sources = await openModSources();
  onTestFinished(() => sources[Symbol.asyncDispose]());
  return sources;
};
const agent = { 'User-Agent': 'castellan-test/1' };

// Guarantee: the three sources' data about a file leads to the file, with the stated hashes.
test('a mod of each source can be found and downloaded', async () => {
  const sources = await open();
  const content = await fabricMod({ id: 'lithium', version: '0.14.0' });
  const version = { fileName: 'lithium.jar', content, loaders: ['fabric'] };
  sources.catalogue.put({
    source: 'modrinth',
    id: 'gvQqBUqZ',
    slug: 'lithium',
    versions: [{ ...version, id: 'v1' }],
  });
  sources.catalogue.put({ source: 'curseforge', id: '360438', versions: [{ ...version, id: '5001' }] });
  sources.catalogue.put({
    source: 'steam',
    id: '731604991',
    game: 'ark-se',
    versions: [{ ...version, id: '1' }],
  });

  const facets = encodeURIComponent('[["categories:fabric"],["server_side!=unsupported"]]');
  const found = await fetch(`${sources.modrinthUrl}/v2/search?query=lith&facets=${facets}`, {
    headers: agent,
  });
  expect(await found.json()).toMatchObject({ total_hits: 1, hits: [{ project_id: 'gvQqBUqZ' }] });
  const listed = await fetch(`${sources.modrinthUrl}/v2/project/lithium/version?loaders=["fabric"]`, {
    headers: agent,
  });
  const [{ files }] = (await listed.json()) as [{ files: { primary: boolean; url: string }[] }];
  const file = await fetch(files.find(({ primary }) => primary)?.url ?? '');
  expect(Buffer.from(await file.arrayBuffer()).equals(content)).toBe(true);

  const key = { 'x-api-key': sources.curseforgeKey };
  const matched = await fetch(`${sources.curseforgeUrl}/v1/fingerprints/432`, {
    method: 'POST',
    headers: key,
    body: JSON.stringify({ fingerprints: [fingerprintOf(content)] }),
  });
  expect(await matched.json()).toMatchObject({ data: { exactMatches: [{ id: 360438 }] } });
  expect((await fetch(`${sources.curseforgeUrl}/v1/mods/360438`)).status).toBe(403);

  const details = await fetch(`${sources.steamUrl}/ISteamRemoteStorage/GetPublishedFileDetails/v1/`, {
    method: 'POST',
    body: new URLSearchParams({
      itemcount: '2',
      'publishedfileids[0]': '731604991',
      'publishedfileids[1]': '1',
    }),
  });
  expect(await details.json()).toMatchObject({
    response: {
      publishedfiledetails: [
        { result: 1, consumer_app_id: 346110 },
        { publishedfileid: '1', result: 9 },
      ],
    },
  });
});

// Guarantee: an interrupted download can continue where it stopped, as from a CDN.
test('downloads take ranges and break off as told', async () => {
  const sources = await open();
  const file = sources.catalogue.putFile('mod.zip', Buffer.from('0123456789'));
  const url = sources.urlOf(file);
  const rest = await fetch(url, { headers: { Range: 'bytes=4-', 'If-Range': `"${file.md5}"` } });
  expect([rest.status, rest.headers.get('content-range'), await rest.text()]).toEqual([
    206,
    'bytes 4-9/10',
    '456789',
  ]);
  expect((await fetch(url, { headers: { Range: 'bytes=10-' } })).status).toBe(416);
  sources.downloads.breakAfterBytes = 4;
  await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow();
});
