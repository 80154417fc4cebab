import { expect, test } from 'vitest';
import type { ModUpload } from '#contracts/mods/mods.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { zipByBytes } from '#runtime/archives/testing/zip-by-bytes.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { ask } from '../../kernel/testing/ask.ts';
import { call } from '../../kernel/testing/call.ts';
import { testDesktopCredential as as } from '../../kernel/testing/test-api.ts';
import { type ModdedServer, openModdedServer } from '../testing/modded-server.ts';

const running = apiForThisFile();
const db = () => running().api.context.database.db;

const jar = (version: string): Buffer => {
  const data = JSON.stringify({ schemaVersion: 1, id: 'lantern', version, name: 'Lantern' });
  return zipByBytes([{ name: 'fabric.mod.json', data }]);
};
const upload = async ({ id: serverId }: ModdedServer, content: Buffer): Promise<string> => {
  const body = { name: 'lantern.jar', bytes: content.length };
  const { json } = await call(running().port, modsHttp.beginUpload, { as, params: { serverId }, body });
  const { id } = json as unknown as ModUpload;
  const path = `/api/servers/${serverId}/mods/uploads/${id}?from=0`;
  const headers = { Authorization: `Bearer ${as}`, 'Content-Type': 'application/octet-stream' };
  expect((await ask(running().port, path, { method: 'PUT', headers, body: content })).status).toBe(200);
  return id;
};
/** A server on which an uploaded file has replaced an earlier one that is no longer here. */
const replaced = async () => {
  const server = await openModdedServer(running().port);
  const first = await upload(server, jar('1'));
  await server.run({ do: 'install-upload', upload: first });
  const job = await server.run({ do: 'install-upload', upload: await upload(server, jar('2')) });
  const row = await db().selectFrom('mod_uploads').select('id').where('id', '=', first).executeTakeFirst();
  expect(row).toBeUndefined();
  return { server, first, job };
};

// Guarantee: a file that an upload replaced comes back from the agent's own storage, though the API no longer has it.
test('an upload that the agent still has', async () => {
  const { server, first, job } = await replaced();
  using _ = server;
  const { id, faults } = await server.plan({ do: 'undo', job: job.id });
  expect(faults).toEqual([]);
  const back = await server.begin({ id });
  const task = await server.agent.nextChange();
  expect(task.change.put).toMatchObject([{ key: 'upload:lantern', file: { from: { id: first } } }]);
  server.agent.finish(task);
  await server.ended('done', back);
});

// Guarantee: when the file no longer exists anywhere, the undo is refused before it begins, with the file's name and what to do.
test('an upload that is gone', async () => {
  const { server, job } = await replaced();
  using _ = server;
  server.agent.isForgetful = true;
  const { id, faults } = await server.plan({ do: 'undo', job: job.id });
  expect(faults).toMatchObject([
    {
      code: 'FILE_GONE',
      isBlocking: true,
      mod: 'Lantern',
      fileName: 'lantern.jar',
      detail: 'The API has no such file.',
    },
  ]);
  const refused = await call(running().port, modsHttp.begin, {
    as,
    params: { serverId: server.id },
    body: { plan: id },
  });
  expect(refused.json.code).toBe('MOD_PLAN_BLOCKED');
  expect(server.agent.changes).toHaveLength(2);
});
