import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { isAlive } from '#runtime/live-process.ts';
import { type FetchItemsOptions, fetchItems } from './fetch-items.ts';
import { readItem } from './read-output.ts';

const greeting = `Redirecting stderr to '/home/steam/.local/share/Steam/logs/stderr.txt'
Logging directory: '/home/steam/.local/share/Steam/logs'
[  0%] 正在检查可用更新...
[----] Verifying installation...
Steam Console Client (c) Valve Corporation - version 1743712175
-- type 'quit' to exit --
Loading Steam API...IPC function call IClientUtils::GetSteamRealm took too long: 49 msec
OK

Connecting anonymously to Steam Public...OK
Waiting for client config...OK
Waiting for user info...OK
`;

test.each([
  ['a success', 'Success. Downloaded item 1 to "/a b/1" (3418407 bytes) ', { is: 'downloaded' }],
  [
    'text on the same line',
    'Downloading item 1 ...Success. Downloaded item 1 to "/x/1" (5 bytes) Unloading Steam API...OK',
    { is: 'downloaded' },
  ],
  ['Windows', 'Success. Downloaded item 1 to "C:\\steamcmd\\1" (5 bytes) \r\n', { is: 'downloaded' }],
  ['a timeout', 'ERROR! Timeout downloading item 1Redirecting stderr', { is: 'failed', isFinal: false }],
  ['a timeout of new', 'ERROR! Download item 1 failed (Timeout).', { is: 'failed', isFinal: false }],
  [
    'a failure',
    'ERROR! Download item 1 failed (Failure).src\\public\\tier1\\interface.h (264) : m_pModule',
    { is: 'failed', isFinal: false },
  ],
  ['the disk', 'ERROR! Download item 1 failed (I/O Operation Failed).', { is: 'failed', isFinal: false }],
  [
    'no such item',
    'ERROR! Download item 1 failed (File Not Found).Steam Console Client',
    { is: 'failed', isFinal: true },
  ],
  [
    'a second try in one run',
    'ERROR! Timeout downloading item 1\nSuccess. Downloaded item 1 to "/x/1" (5 bytes)',
    { is: 'downloaded' },
  ],
  [
    'no connection',
    'Connecting anonymously to Steam Public...FAILED (No Connection)',
    { is: 'failed', isFinal: false },
  ],
])('%s is read', (_, text, expected) => {
  expect(readItem(`${greeting}${text}`, '1')).toMatchObject(expected);
});

test.each([
  ['another item', 'Success. Downloaded item 11 to "/x/11" (5 bytes)'],
  ['an item whose number begins alike', 'ERROR! Timeout downloading item 12'],
  ['a run that was cut off', 'Downloading item 1 ...'],
  ['nothing', ''],
])('%s says nothing', (_, text) => {
  expect(readItem(`${greeting}${text}`, '1')).toBeNull();
});

/** Stands in for steamcmd: prints its real texts; a file per item says what it does with the item at each try. */
const openSteam = async (items: Readonly<Record<string, readonly string[]>>) => {
  const folder = await temporaryFolder('steamcmd');
  const program = join(folder.path, 'steamcmd.sh');
  const script = `#!/bin/bash
while [ $# -gt 0 ]; do
  case "$1" in
    +force_install_dir) into=$2; shift;;
    +workshop_download_item) app=$2; id=$3; shift 2;;
  esac
  shift
done
echo "$id" >> ${folder.path}/asked
try=$(grep -cx "$id" ${folder.path}/asked)
cat ${folder.path}/greeting
printf 'Downloading item %s ...\\n' "$id"
case "$(sed -n "\${try}p" "${folder.path}/item-$id")" in
  ok) mkdir -p "$into/steamapps/workshop/content/$app/$id/WindowsNoEditor"
      printf 123456789 > "$into/steamapps/workshop/content/$app/$id/WindowsNoEditor/mod.info"
      printf 'Success. Downloaded item %s to "%s" (9 bytes) ' "$id" "$into/$id";;
  lie) printf 'Success. Downloaded item %s to "%s" (9 bytes) ' "$id" "$into/$id";;
  timeout) printf 'ERROR! Timeout downloading item %s' "$id";;
  gone) printf 'ERROR! Download item %s failed (File Not Found).' "$id";;
  io) printf 'ERROR! Download item %s failed (I/O Operation Failed).' "$id"; exit 10;;
  hang) echo $$ > ${folder.path}/pid; (sleep 1000 & echo $! > ${folder.path}/child; wait);;
esac
`;
  await writeFile(program, script);
  await chmod(program, 0o755);
  await writeFile(join(folder.path, 'greeting'), greeting);
  for (const [id, does] of Object.entries(items))
    await writeFile(join(folder.path, `item-${id}`), `${does.join('\n')}\n`);
  onTestFinished(() => folder[Symbol.asyncDispose]());
  const read = (name: string) => readFile(join(folder.path, name), 'utf8').catch(() => '');
  const options: FetchItemsOptions = {
    program,
    folder: join(folder.path, 'own folder'),
    app: 346_110,
    ids: Object.keys(items),
    pauseMs: 0,
    signal: new AbortController().signal,
    onItem: () => undefined,
  };
  const pids = async () => [Number(await read('pid')), Number(await read('child'))];
  return { options, asked: async () => (await read('asked')).trim().split('\n'), pids };
};

// Guarantee: one bad item does not delay the others, tries are limited, and only what is on disk counts as fetched.
test('good, slow and bad items', async () => {
  const steam = await openSteam({
    101: ['gone'],
    102: ['ok'],
    103: ['timeout', 'timeout', 'ok'],
    104: ['io', 'io', 'io', 'ok'],
    105: ['lie', 'ok'],
    106: ['', '', ''],
  });
  const seen: string[] = [];
  const results = await fetchItems({ ...steam.options, onItem: (id) => void seen.push(id) });
  expect(Object.fromEntries(results)).toEqual({
    101: { is: 'failed', why: 'Steam says: File Not Found.' },
    102: { is: 'fetched', bytes: 9 },
    103: { is: 'fetched', bytes: 9 },
    104: { is: 'failed', why: 'Steam says: I/O Operation Failed.' },
    105: { is: 'fetched', bytes: 9 },
    106: { is: 'failed', why: 'steamcmd ended without a word of it' },
  });
  const asked = await steam.asked();
  expect(asked).toEqual(seen);
  expect(asked.slice(0, 6)).toEqual(['101', '102', '103', '104', '105', '106']);
  expect(asked.slice(6)).toEqual(['103', '104', '105', '106', '103', '104', '106']);
});

// Guarantee: a steamcmd that hangs is ended with all its processes, and the other items still arrive.
test('an item that hangs', { timeout: 30_000 }, async () => {
  const steam = await openSteam({ 201: ['hang'], 202: ['ok'] });
  const results = await fetchItems({ ...steam.options, tries: 1, itemMs: 1000 });
  expect(results.get('201')).toMatchObject({ is: 'failed', why: expect.stringContaining('did not end') });
  expect(results.get('202')).toEqual({ is: 'fetched', bytes: 9 });
  const pids = await steam.pids();
  await eventually(async () => expect(pids.filter(isAlive)).toEqual([]));
});

test('cancelled', { timeout: 30_000 }, async () => {
  const steam = await openSteam({ 301: ['hang'] });
  const cancelling = new AbortController();
  const asked = expect(fetchItems({ ...steam.options, signal: cancelling.signal })).rejects.toThrow(
    'by a person',
  );
  await eventually(async () => expect((await steam.pids())[1]).toBeGreaterThan(0));
  cancelling.abort(new Error('by a person'));
  await asked;
  const pids = await steam.pids();
  await eventually(async () => expect(pids.filter(isAlive)).toEqual([]));
});

test('no steamcmd, and no id', async () => {
  const steam = await openSteam({ 401: ['ok'] });
  const missing = await fetchItems({ ...steam.options, program: '/nowhere/steamcmd' });
  expect(missing.get('401')).toMatchObject({ why: expect.stringContaining('mods.steamcmd') });
  await expect(fetchItems({ ...steam.options, ids: ['1 +quit'] })).rejects.toThrow('is no id');
  expect(await steam.asked()).toEqual(['']);
});
