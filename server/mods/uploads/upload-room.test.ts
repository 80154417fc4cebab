import { appendFile, readdir, readFile, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { smallDisk } from '#harness/small-disk.ts';
import { createLeases } from '../../kernel/commands/leases.ts';
import { uncontestedLeases } from '../../kernel/commands/testing/uncontested-leases.ts';
import { isRefusal } from '../../kernel/http/refusal.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, customRole, newServer, person } from '../../kernel/testing/call.ts';
import { silentLog, testOwner } from '../../kernel/testing/feature-api.ts';
import { testDesktopCredential as desktop } from '../../kernel/testing/test-api.ts';
import { by, digest, granted, jar, uploadsOf } from '../testing/uploads-of-a-test.ts';
import { createModUploads } from './mod-uploads.ts';

const running = apiForThisFile();
const { db, begun, put, process, insertJob } = uploadsOf(running);
const openLeases = () => createLeases({ db: db(), log: silentLog, timing: { tickMs: 10, renewMs: 1000 } });
const cancel = (serverId: string, upload: string, as = desktop) =>
  call(running().port, modsHttp.cancelUpload, { as, params: { serverId, upload } });
const rowOf = (id: string) =>
  db().selectFrom('mod_uploads').selectAll().where('id', '=', id).executeTakeFirst();
const another = { actor: { ...testOwner, id: 'another' }, address: '::1' };

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
    const full = 'allBytes' in limits ? 'MOD_UPLOADS_FULL' : 'MOD_UPLOAD_LIMIT';
    const answers = await Promise.all([send(0), send(1), send(2)]);
    expect(answers.filter(isRefusal).map(({ refused }) => refused)).toEqual([full]);
    const lost = answers.findIndex(isRefusal);
    expect(await send(lost)).toMatchObject({ refused: full });
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
  expect(await few.open().begin(serverId, file, by)).toMatchObject({ refused: 'MOD_UPLOAD_LIMIT' });
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
