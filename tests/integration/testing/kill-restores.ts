import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { auditHttp } from '#contracts/kernel/audit.ts';
import type { SaveRequest } from '#contracts/servers/saves.ts';
import { eventually } from '#harness/eventually.ts';
import {
  begun,
  ended,
  get,
  met,
  patientMs,
  readWorld,
  restartAgent,
  restartApi,
  run,
  serverName,
  told,
  writeWorld,
} from './saved-world.ts';

/** What dies, and what for: stages of a restore, or after how many milliseconds. */
export interface Kill {
  readonly victim: 'API' | 'agent';
  readonly at: readonly string[] | ((wholeMs: number) => number);
}

/** Kills during restores and undos, and expects a whole world after each. */
export const killDuringRestores = async (kills: readonly Kill[], chunkBytes?: number): Promise<void> => {
  await writeWorld('backed', chunkBytes);
  const backup = (await run({ action: 'backup' })).backup ?? '';
  const named = { backup, serverName };
  await writeWorld('before', chunkBytes);
  const measuredMs = performance.now();
  await run({ action: 'restore', ...named });
  const wholeMs = performance.now() - measuredMs;
  await run({ action: 'undo', ...named });
  expect(await readWorld()).toBe('before');
  const restoredBefore = (await told(/^saves\.restored$/)).length;
  const undoneBefore = (await told(/^saves\.restore-undone$/)).length;
  let world = 'before';
  const done = { restore: 0, undo: 0 };
  const outcomes: string[] = [];
  const ids = new Set<string>();
  for (const { victim, at } of kills) {
    const action = world === 'before' ? 'restore' : 'undo';
    const body: SaveRequest = { action, ...named };
    const key = randomUUID();
    const id = await begun(body, key);
    if (typeof at === 'function') await delay(at(wholeMs));
    else await met(at);
    await (victim === 'API' ? restartApi() : restartAgent());
    // The same request again, as a caller sends it after a lost answer.
    expect(await begun(body, key)).toBe(id);
    ids.add(id);
    const { outcome } = await ended(id);
    outcomes.push(`${action} ${outcome}`);
    if (outcome === 'done') {
      world = action === 'restore' ? 'backed' : 'before';
      done[action] += 1;
    }
    expect(await readWorld(), outcomes.join(', ')).toBe(world);
  }
  expect(ids.size).toBe(kills.length);
  await eventually(
    async () => expect(await told(/^saves\.restored$/)).toHaveLength(restoredBefore + done.restore),
    patientMs,
  );
  expect(await told(/^saves\.restore-undone$/)).toHaveLength(undoneBefore + done.undo);
  const { rows } = await get<{ rows: { action: string; after: { act?: string } }[] }>(
    auditHttp.list,
    '?limit=200',
  );
  const audited = rows.filter(({ action }) => action === 'saves.ended').map(({ after }) => after.act ?? '');
  expect(audited.filter((act) => ids.has(act))).toHaveLength(ids.size);
};
