import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { appendFile, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type ModUpload, modUploadPartBytes } from '#contracts/mods.ts';
import { modsHttp } from '#contracts/mods-http.ts';
import { smallDisk } from '#harness/small-disk.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { hostileZips } from '#runtime/archives/testing/hostile-zips.ts';
import { zipByBytes } from '#runtime/archives/testing/zip-by-bytes.ts';
import { createLeases, type Leases } from '../commands/leases.ts';
import { uncontestedLeases } from '../commands/testing/uncontested-leases.ts';
import { isRefusal, type Refusal } from '../http/refusal.ts';
import { apiForThisFile } from '../testing/api-of-a-test.ts';
import { ask } from '../testing/ask.ts';
import { call, customRole, newServer, person } from '../testing/call.ts';
import { silentLog, testOwner } from '../testing/feature-api.ts';
import { testDesktopCredential as desktop } from '../testing/test-api.ts';
import { createModUploads } from './mod-uploads.ts';
import { type UploadLimits, usualUploadLimits } from './upload-room.ts';

const running = apiForThisFile();
const by = { actor: testOwner, address: '::1' };
const db = () => running().api.context.database.db;

const jar = (filler = 0): Buffer =>
  zipByBytes([
    {
      name: 'fabric.mod.json',
      data: JSON.stringify({ schemaVersion: 1, id: 'lantern', version: '1.2.0', name: 'Lantern' }),
    },
    ...(filler > 0 ? [{ name: 'data.bin', data: randomBytes(filler), method: 0 }] : []),
  ]);
const begin = (serverId: string, bytes: number, { name = 'lantern.jar', as = desktop } = {}) =>
  call(running().port, modsHttp.beginUpload, { as, params: { serverId }, body: { name, bytes } });
const put = (serverId: string, id: unknown, from: number, body: Buffer, as = desktop) =>
  ask(running().port, `/api/servers/${serverId}/mods/uploads/${id}?from=${from}`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${as}`, 'Content-Type': 'application/octet-stream' },
    body,
  });
const begun = async (serverId: string, bytes: number): Promise<string> => {
  const { json, status, text } = await begin(serverId, bytes);
  expect(status, text).toBe(200);
  return String(json.id);
};
const fileOf = (id: string) => join(running().home, 'mod-uploads', id);
const digest = (kind: string, bytes: Buffer) => createHash(kind).update(bytes).digest('hex');
const granted = <Value>(answer: Value | Refusal): Value => {
  if (isRefusal(answer)) throw new Error(answer.refused);
  return answer;
};
/** A separate process of the API over the same rows. */
const process = async (limits: Partial<UploadLimits> = {}) => {
  const folder = await temporaryFolder('uploads');
  const open = (leases: Pick<Leases, 'takeOver' | 'holds' | 'release'> = uncontestedLeases) =>
    createModUploads({
      db: db(),
      folder: folder.path,
      leases,
      limits: { ...usualUploadLimits, ...limits },
    });
  return { folder, open, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
};
const openLeases = () => createLeases({ db: db(), log: silentLog, timing: { tickMs: 10, renewMs: 1000 } });
const cancel = (serverId: string, upload: string, as = desktop) =>
  call(running().port, modsHttp.cancelUpload, { as, params: { serverId, upload } });
const rowOf = (id: string) =>
  db().selectFrom('mod_uploads').selectAll().where('id', '=', id).executeTakeFirst();
const another = { actor: { ...testOwner, id: 'another' }, address: '::1' };
const insertJob = (serverId: string, upload: string, state: 'waiting' | 'running' | 'done' | 'failed') =>
  db()
    .insertInto('mod_jobs')
    .values({
      id: randomUUID(),
      server_id: serverId,
      kind: 'change',
      request: '{}',
      change: JSON.stringify({ put: [{ file: { from: { kind: 'api', id: upload } } }] }),
      lines: '[]',
      actor: 'admin:1',
      actor_name: 'Ada',
      address: '::1',
      task_id: randomUUID(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .then(({ id }) =>
      db()
        .updateTable('mod_jobs')
        .set({ state, ...((state === 'done' || state === 'failed') && { ended_at: new Date() }) })
        .where('id', '=', id)
        .execute(),
    );

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

/** One example of each fault; the agent finds those that only unpacking shows. */
const hostile = [...Map.groupBy(hostileZips, ({ fault }) => fault).values()]
  .flatMap((zips) => zips.find(({ bytes }) => bytes().length > 0) ?? [])
  .filter(({ fault }) => !['crc', 'size', 'bomb'].includes(fault));

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

// Guarantee: room is taken by the bytes that arrive, not by those that are announced: a person who announces all of it, and
// sends next to nothing, hinders no one. What is more than announced is refused, and takes no room.
test('someone who announces too much or too little', async () => {
  const serverId = await newServer(running().port);
  await db().deleteFrom('mod_uploads').execute();
  await using own = await process({ allBytes: 1000 });
  const uploads = own.open();
  const begin = (bytes: number, as = by) => uploads.begin(serverId, { name: 'lantern.jar', bytes }, as);
  for (let turn = 0; turn < 5; turn += 1) {
    const { id } = granted(await begin(900));
    granted(await uploads.take(serverId, id, 0, Buffer.alloc(1), by));
  }
  const mine = granted(await begin(500, another));
  expect(await uploads.take(serverId, mine.id, 0, Buffer.alloc(500), another)).toMatchObject({
    received: 500,
  });
  const small = granted(await begin(10));
  expect(await uploads.take(serverId, small.id, 0, Buffer.alloc(11), by)).toMatchObject({
    refused: 'MOD_UPLOAD_OUT_OF_ORDER',
  });
  expect(await rowOf(small.id)).toMatchObject({ received: '0', reserved: '0' });
});

// Guarantee: what has arrived never takes more than all uploads, those of a person or those of a server may take, whichever
// process receives it; room comes back at once when an upload is cancelled or has waited too long for its next part.
test('no room', async () => {
  const { port } = running();
  const [serverId, other] = [await newServer(port), await newServer(port)];
  const part = Buffer.alloc(400);
  const file = { name: 'lantern.jar', bytes: 400 };
  for (const [limits, third] of [
    [{ allBytes: 1000 }, [other, another]],
    [{ personBytes: 1000 }, [other, by]],
    [{ serverBytes: 1000 }, [serverId, another]],
  ] as const) {
    await db().deleteFrom('mod_uploads').execute();
    await using own = await process(limits);
    await using first = openLeases();
    await using second = openLeases();
    const processes = [own.open(first), own.open(second)] as const;
    const all = [[serverId, by], [serverId, by], third] as const;
    const begun = await Promise.all(
      all.map(async ([server, as], n) => granted(await processes[n % 2 ? 1 : 0].begin(server, file, as))),
    );
    const send = (n: number) =>
      processes[n % 2 ? 1 : 0].take(all[n]?.[0] ?? '', begun[n]?.id ?? '', 0, part, all[n]?.[1] ?? by);
    const answers = await Promise.all([send(0), send(1), send(2)]);
    expect(answers.filter(isRefusal).map(({ refused }) => refused)).toEqual(['MOD_UPLOADS_FULL']);
    const lost = answers.findIndex(isRefusal);
    expect(await send(lost)).toMatchObject({ refused: 'MOD_UPLOADS_FULL' });
    const free = lost === 0 ? 1 : 0;
    if ('personBytes' in limits)
      expect(await processes[0].cancel(serverId, begun[free]?.id ?? '', another)).toBeNull();
    else
      await db()
        .updateTable('mod_uploads')
        .set({ idle_until: sql<Date>`now() - interval '1 second'` })
        .where('id', '=', begun[free]?.id ?? '')
        .execute();
    expect(granted(await send(lost)).received).toBe(400);
    expect((await readdir(own.folder.path)).toSorted()).toEqual(
      begun.flatMap(({ id }, n) => (n === free ? [] : [id])).toSorted(),
    );
  }
  await using few = await process({ unfinished: 1 });
  await db().deleteFrom('mod_uploads').execute();
  granted(await few.open().begin(serverId, file, by));
  expect(await few.open().begin(serverId, file, by)).toMatchObject({ refused: 'MOD_UPLOADS_FULL' });
  granted(await few.open().begin(serverId, file, another));
});

// Guarantee: a part that only trickles in takes no room and holds no one up; it leaves nothing when its connection ends.
test('a slow sender', async () => {
  const serverId = await newServer(running().port);
  const id = await begun(serverId, 1000);
  const slow = request({
    port: running().port,
    host: '127.0.0.1',
    method: 'PUT',
    path: `/api/servers/${serverId}/mods/uploads/${id}?from=0`,
    headers: {
      Authorization: `Bearer ${desktop}`,
      'Content-Type': 'application/octet-stream',
      'Content-Length': 1000,
    },
  }).on('error', () => undefined);
  await new Promise((resolve) => slow.write(Buffer.alloc(10), resolve));
  expect((await put(serverId, id, 0, Buffer.alloc(400))).json).toMatchObject({ received: 400 });
  slow.destroy();
  expect((await put(serverId, id, 400, Buffer.alloc(600))).json).toMatchObject({ received: 1000 });
  expect(await rowOf(id)).toMatchObject({ reserved: '0', idle_until: null });
});

// Guarantee: a part belongs to the process that writes it; when that process is killed, its room stays counted, no other
// process writes before it is known to be dead, and the upload then goes on where it was, with the hashes of its bytes.
test('a process that is killed in the middle of a part', async () => {
  const serverId = await newServer(running().port);
  await using own = await process();
  await using killed = openLeases();
  await using next = openLeases();
  const bytes = jar(5000);
  const { id } = granted(
    await own.open(killed).begin(serverId, { name: 'lantern.jar', bytes: bytes.length }, by),
  );
  granted(await own.open(killed).take(serverId, id, 0, bytes.subarray(0, 1000), by));
  await killed.takeOver([`mod-upload:${id}`]);
  await db().updateTable('mod_uploads').set({ reserved: 1000 }).where('id', '=', id).execute();
  await appendFile(join(own.folder.path, id), 'half of a part that is not there');
  const uploads = own.open(next);
  const go = () => uploads.take(serverId, id, 1000, bytes.subarray(1000), by);
  expect(await go()).toEqual({ refused: 'MOD_UPLOAD_BUSY' });
  await next.endProcesses([killed.processId]);
  expect(await go()).toMatchObject({ received: bytes.length, sha1: digest('sha1', bytes) });
  expect(await readFile(join(own.folder.path, id))).toEqual(bytes);
  expect(await rowOf(id)).toMatchObject({ reserved: '0' });
});

// Guarantee: a part that finds the disk full takes no room and leaves no byte; it is taken once there is room.
test('a full disk', { tags: 'mount' }, async () => {
  using disk = smallDisk(1);
  if (disk === null) throw new Error('no disk');
  const serverId = await newServer(running().port);
  const uploads = createModUploads({ db: db(), folder: disk.path, leases: uncontestedLeases });
  const bytes = jar(300_000);
  const { id } = granted(await uploads.begin(serverId, { name: 'lantern.jar', bytes: bytes.length }, by));
  granted(await uploads.take(serverId, id, 0, bytes.subarray(0, 1000), by));
  await disk.fill();
  const go = () => uploads.take(serverId, id, 1000, bytes.subarray(1000), by);
  expect(await go()).toEqual({ refused: 'MOD_UPLOADS_FULL', detail: 'The disk is full.' });
  expect((await stat(join(disk.path, id))).size).toBe(1000);
  expect(await rowOf(id)).toMatchObject({ received: '1000', reserved: '0' });
  await disk.clear();
  expect(await go()).toMatchObject({ sha1: digest('sha1', bytes) });
});

// Guarantee: an upload is cancelled once, with its file and one entry in the audit log, by a person who may change the mods of its
// server; not by others, not while a change needs it. A part that is being written meanwhile leaves nothing.
test('cancelling', async () => {
  const { port, home } = running();
  const [mine, other] = [await newServer(port), await newServer(port)];
  const role = await customRole(port, ['mods.read', 'mods.write']);
  const stranger = await person(port, { role: null, serverGrants: [{ serverId: other, role }] });
  const colleague = await person(port, { role });
  const id = await begun(mine, 20);
  expect((await cancel(mine, id, stranger.token)).json.code).toBe('FORBIDDEN');
  expect((await cancel(other, id, stranger.token)).json.code).toBe('NOT_FOUND');
  expect((await put(mine, id, 0, Buffer.alloc(10), colleague.token)).json.code).toBe('FORBIDDEN');
  await insertJob(mine, id, 'waiting');
  expect((await cancel(mine, id)).json.code).toBe('MOD_UPLOAD_IN_USE');
  await db().updateTable('mod_jobs').set({ state: 'failed', ended_at: new Date() }).execute();
  const answers = await Promise.all([
    put(mine, id, 0, Buffer.alloc(10)),
    cancel(mine, id, colleague.token),
    cancel(mine, id),
  ]);
  expect(
    answers
      .slice(1)
      .map(({ status }) => status)
      .toSorted(),
  ).toEqual([200, 404]);
  expect((await put(mine, id, 10, Buffer.alloc(10))).json.code).toBe('NOT_FOUND');
  expect(await readdir(join(home, 'mod-uploads'))).not.toContain(id);
  const audited = await db()
    .selectFrom('audit_logs')
    .select('before')
    .where('action', '=', 'mods.cancel-upload')
    .where('target', '=', `server:${mine}`)
    .execute();
  expect(audited).toMatchObject([{ before: { upload: id, bytes: 20 } }]);
});

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
