import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { zipByBytes } from '#runtime/archives/testing/zip-by-bytes.ts';
import type { Leases } from '../../kernel/commands/leases.ts';
import { uncontestedLeases } from '../../kernel/commands/testing/uncontested-leases.ts';
import { isRefusal, type Refusal } from '../../kernel/http/refusal.ts';
import type { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { ask } from '../../kernel/testing/ask.ts';
import { call } from '../../kernel/testing/call.ts';
import { testOwner } from '../../kernel/testing/feature-api.ts';
import { testDesktopCredential as desktop } from '../../kernel/testing/test-api.ts';
import { createModUploads } from '../uploads/mod-uploads.ts';
import { type UploadLimits, usualUploadLimits } from '../uploads/upload-room.ts';

export const by = { actor: testOwner, address: '::1' };
export const jar = (filler = 0): Buffer =>
  zipByBytes([
    {
      name: 'fabric.mod.json',
      data: JSON.stringify({ schemaVersion: 1, id: 'lantern', version: '1.2.0', name: 'Lantern' }),
    },
    ...(filler > 0 ? [{ name: 'data.bin', data: randomBytes(filler), method: 0 }] : []),
  ]);
export const digest = (kind: string, bytes: Buffer) => createHash(kind).update(bytes).digest('hex');
export const granted = <Value>(answer: Value | Refusal): Value => {
  if (isRefusal(answer)) throw new Error(answer.refused);
  return answer;
};

/** Uploads to the API of a test, over HTTP or as a process of their own. */
export const uploadsOf = (running: ReturnType<typeof apiForThisFile>) => {
  const db = () => running().api.context.database.db;
  const begin = (serverId: string, bytes: number, { name = 'lantern.jar', as = desktop } = {}) =>
    call(running().port, modsHttp.beginUpload, { as, params: { serverId }, body: { name, bytes } });
  return {
    db,
    begin,
    async begun(serverId: string, bytes: number): Promise<string> {
      const { json, status, text } = await begin(serverId, bytes);
      expect(status, text).toBe(200);
      return String(json.id);
    },
    put: (serverId: string, id: unknown, from: number, body: Buffer, as = desktop) =>
      ask(running().port, `/api/servers/${serverId}/mods/uploads/${id}?from=${from}`, {
        method: 'PUT',
        headers: { Authorization: `Bearer ${as}`, 'Content-Type': 'application/octet-stream' },
        body,
      }),
    /** A separate process of the API over the same rows. */
    async process(limits: Partial<UploadLimits> = {}) {
      const folder = await temporaryFolder('uploads');
      const open = (leases: Pick<Leases, 'takeOver' | 'holds' | 'release'> = uncontestedLeases) =>
        createModUploads({
          db: db(),
          folder: folder.path,
          leases,
          limits: { ...usualUploadLimits, ...limits },
        });
      return { folder, open, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
    },
    async insertJob(serverId: string, upload: string, state: 'waiting' | 'running' | 'done' | 'failed') {
      const { id } = await db()
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
        .executeTakeFirstOrThrow();
      await db()
        .updateTable('mod_jobs')
        .set({ state, ...((state === 'done' || state === 'failed') && { ended_at: new Date() }) })
        .where('id', '=', id)
        .execute();
    },
  };
};
