import { readdir, readFile, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ModUpload, modUploadPartBytes } from '#contracts/mods/mods.ts';
import { hostileZips } from '#runtime/archives/testing/hostile-zips.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { customRole, newServer, person } from '../../kernel/testing/call.ts';
import { by, digest, granted, jar, uploadsOf } from '../testing/uploads-of-a-test.ts';

const running = apiForThisFile();
const { db, begin, begun, put, process, insertJob } = uploadsOf(running);
const fileOf = (id: string) => join(running().home, 'mod-uploads', id);

// Guarantee: a file arrives in parts and is complete, byte for byte, with the hashes of its bytes and its contents; a part
// whose answer was lost, or that comes twice at the same time, is taken once, and one out of order is refused with the
// position to continue at.
test('parts', async () => {
  const serverId = await newServer(running().port);
  const bytes = jar(100_000);
  const id = await begun(serverId, bytes.length);
  expect((await put(serverId, id, 10, bytes.subarray(10))).json).toMatchObject({
    code: 'MOD_UPLOAD_OUT_OF_ORDER',
    detail: 'The next part begins at 0.',
  });
  expect((await put(serverId, id, 0, Buffer.alloc(0))).json.code).toBe('MOD_UPLOAD_OUT_OF_ORDER');
  const first = bytes.subarray(0, 40_000);
  const twice = await Promise.all([put(serverId, id, 0, first), put(serverId, id, 0, first)]);
  for (const { json } of twice) expect(json).toMatchObject({ received: 40_000, sha1: null, content: null });
  expect((await put(serverId, id, 0, first)).json).toMatchObject({ received: 40_000 });
  const beyond = Buffer.concat([bytes.subarray(40_000), Buffer.alloc(1)]);
  expect((await put(serverId, id, 40_000, beyond)).json.code).toBe('MOD_UPLOAD_OUT_OF_ORDER');
  expect((await put(serverId, id, 30_000, bytes.subarray(30_000))).json.code).toBe('MOD_UPLOAD_OUT_OF_ORDER');
  const rest = bytes.subarray(40_000);
  const last = await Promise.all([put(serverId, id, 40_000, rest), put(serverId, id, 40_000, rest)]);
  for (const { json } of last)
    expect(json).toMatchObject({
      received: bytes.length,
      sha1: digest('sha1', bytes),
      content: { is: 'mods', mods: [{ id: 'lantern' }] },
    });
  expect((await put(serverId, id, 0, Buffer.alloc(7))).json).toMatchObject({ sha1: digest('sha1', bytes) });
  expect(await readFile(fileOf(id))).toEqual(bytes);
  const row = await db().selectFrom('mod_uploads').select('sha512').where('id', '=', id).executeTakeFirst();
  expect(row?.sha512).toBe(digest('sha512', bytes));
});

// Guarantee: a part larger than the stated size is refused, and nothing of it is kept.
test('a part that is too large', async () => {
  const serverId = await newServer(running().port);
  const id = await begun(serverId, modUploadPartBytes + 1);
  expect((await put(serverId, id, 0, Buffer.alloc(modUploadPartBytes + 1))).status).toBe(413);
  expect((await put(serverId, id, 0, Buffer.alloc(10))).json).toMatchObject({ received: 10 });
});

// Guarantee: an upload continues after a restart of the API, with the same hashes; when its bytes are gone, or fewer than
// were received, it is gone, and never completes with a gap in it.
test('an API that restarts between two parts', async () => {
  const serverId = await newServer(running().port);
  await using own = await process();
  const bytes = jar(5000);
  const before = own.open();
  const { id } = granted(await before.begin(serverId, { name: 'lantern.jar', bytes: bytes.length }, by));
  granted(await before.take(serverId, id, 0, bytes.subarray(0, 1000), by));
  const after = own.open();
  granted(await after.take(serverId, id, 1000, bytes.subarray(1000, 2000), by));
  // The previous process did not know of it.
  const whole = granted(await before.take(serverId, id, 2000, bytes.subarray(2000), by));
  expect(whole).toMatchObject({ sha1: digest('sha1', bytes) });
  const found = await own.open().find(serverId, id);
  expect(found?.whole?.file.hashes).toEqual({
    sha1: digest('sha1', bytes),
    sha512: digest('sha512', bytes),
  });

  for (const lose of [(path: string) => truncate(path, 500), (path: string) => rm(path)]) {
    const lost = granted(await before.begin(serverId, { name: 'lantern.jar', bytes: bytes.length }, by));
    granted(await before.take(serverId, lost.id, 0, bytes.subarray(0, 1000), by));
    await lose(join(own.folder.path, lost.id));
    const answer = await own.open().take(serverId, lost.id, 1000, bytes.subarray(1000), by);
    expect(answer).toMatchObject({ refused: 'NOT_FOUND' });
    expect(await before.find(serverId, lost.id)).toEqual({ whole: null });
  }
});

/** Names that a system cannot store make no archive untrusted: such files alone are left out (PolyMC/PolyMC#1137). */
const unstorable = ['path-name', 'path-too-long'];
/** One example of each fault; the agent finds those that only unpacking shows. */
const hostile = [...Map.groupBy(hostileZips, ({ fault }) => fault).values()]
  .flatMap((zips) => zips.find(({ bytes }) => bytes().length > 0) ?? [])
  .filter(({ fault }) => !['crc', 'size', 'bomb', ...unstorable].includes(fault));

// Guarantee: an archive that cannot be trusted is kept as not installable, with the reason in words, and does no harm.
test.each(hostile)('a hostile archive: $name', async ({ bytes: make }) => {
  const serverId = await newServer(running().port);
  await using own = await process();
  const bytes = make();
  const uploads = own.open();
  const { id } = granted(await uploads.begin(serverId, { name: 'odd.jar', bytes: bytes.length }, by));
  let upload: ModUpload | null = null;
  for (let from = 0; from < bytes.length; from += modUploadPartBytes)
    upload = granted(
      await uploads.take(serverId, id, from, bytes.subarray(from, from + modUploadPartBytes), by),
    );
  expect(upload).toMatchObject({ sha1: digest('sha1', bytes), content: { is: 'unknown' } });
  expect(await readdir(own.folder.path)).toEqual([id]);
});

// Guarantee: a name that is not a plain file name on every system is refused before a byte arrives.
test.each(['../../evil.jar', 'a/b.jar', 'a\\b.jar', 'CON.jar', '.jar', 'a.jar.', 'a\0.jar', 'a\nb.jar', ''])(
  'a hostile name: %j',
  async (name) => {
    const serverId = await newServer(running().port);
    expect((await begin(serverId, 10, { name })).json.code).toBe('INVALID_REQUEST');
  },
);

// Guarantee: an upload is deleted once a change has put it on its server, or after a day, but never while a change waits for
// it or is running with it. One that failed can be retried.
test('what is deleted', async () => {
  const serverId = await newServer(running().port);
  await using own = await process();
  const uploads = own.open();
  const upload = async (hours: number, ...states: ('waiting' | 'running' | 'done' | 'failed')[]) => {
    const { id } = granted(await uploads.begin(serverId, { name: 'lantern.jar', bytes: 9 }, by));
    granted(await uploads.take(serverId, id, 0, Buffer.from('123'), by));
    for (const state of states) await insertJob(serverId, id, state);
    return { id, hours };
  };
  const made = {
    fresh: await upload(0),
    'a day old': await upload(25),
    used: await upload(1, 'done'),
    failed: await upload(1, 'failed'),
    'used and waited for': await upload(1, 'done', 'waiting'),
    'old and under way': await upload(25, 'running'),
  };
  for (const { id, hours } of Object.values(made))
    await db()
      .updateTable('mod_uploads')
      .set({ begun_at: new Date(Date.now() - hours * 3_600_000) } as never)
      .where('id', '=', id)
      .execute();
  await uploads.deleteOld();
  const kept = Object.entries(made).filter(([name]) => name !== 'a day old' && name !== 'used');
  expect((await readdir(own.folder.path)).toSorted()).toEqual(kept.map(([, { id }]) => id).toSorted());
  for (const [name, { id }] of Object.entries(made))
    expect([name, (await uploads.find(serverId, id)) !== null]).toEqual([
      name,
      kept.some(([other]) => other === name),
    ]);
});

// Guarantee: an upload belongs to its server: no request for another server adds to it, plans with it or finds it; people
// who may not change the mods of a server upload nothing there, even with permissions elsewhere.
test('two servers', async () => {
  const { port } = running();
  const [mine, other] = [await newServer(port), await newServer(port)];
  const id = await begun(mine, 10);
  expect((await put(other, id, 0, Buffer.alloc(10))).json.code).toBe('NOT_FOUND');
  expect((await put(mine, 'another', 0, Buffer.alloc(10))).json.code).toBe('NOT_FOUND');
  const role = await customRole(port, ['mods.read', 'mods.write']);
  const { token } = await person(port, { role: null, serverGrants: [{ serverId: other, role }] });
  expect((await put(mine, id, 0, Buffer.alloc(10), token)).json.code).toBe('FORBIDDEN');
  expect((await begin(mine, 10, { as: token })).json.code).toBe('FORBIDDEN');
  expect((await begin(other, 10, { as: token })).status).toBe(200);
  const reader = await person(port, { role: await customRole(port, ['mods.read']) });
  expect((await begin(mine, 10, { as: reader.token })).json.code).toBe('FORBIDDEN');
  expect((await put(mine, id, 0, Buffer.alloc(10))).json).toMatchObject({ received: 10 });
});
