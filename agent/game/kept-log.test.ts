import { appendFile, mkdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { openLineHistory } from '../history/line-history.ts';
import { followKeptLog, readLogCursor } from './kept-log.ts';

const log = createLog({ component: 'agent', level: 'silent' });

/** A log with the agents that read it, one after the other; each line is an event. */
const openSetting = async () => {
  const folder = await temporaryFolder('log');
  const path = join(folder.path, 'game.log');
  const observed: string[] = [];
  const kept: string[] = [];
  let position: string | null = null;
  let acknowledged = 0;
  const open = async () => {
    const from = await readLogCursor(folder.path, path);
    let last = from.event;
    acknowledged = Math.max(acknowledged, last);
    return followKeptLog({
      stateFolder: folder.path,
      from,
      history: { position, flush: async () => undefined },
      events: { acknowledged: () => acknowledged, last: () => last },
      onLine(line, _ageMs, standing) {
        if (!standing.isObserved) {
          last += 1;
          observed.push(line);
        }
        if (standing.isKept) return;
        kept.push(line);
        position = standing.position;
      },
      log,
      pollMs: 5,
    });
  };
  return {
    folder: folder.path,
    path,
    observed,
    kept,
    open,
    acknowledge(event: number) {
      acknowledged = event;
    },
    /** Reads until both have seen this many lines. */
    async read(lines: number) {
      await using _log = await open();
      await eventually(() => expect(kept).toHaveLength(lines));
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
};

// Guarantee: lines that the game writes while no agent runs are read by the next one, once: across growth, replacement of the log
// with the old file kept beside it, and truncation; an agent that was killed before the first line misses none.
test('read on', async () => {
  await using it = await openSetting();
  await writeFile(it.path, 'before any agent\n');
  await (await it.open())[Symbol.asyncDispose]();
  await appendFile(it.path, 'one\nha');
  it.acknowledge(100);
  await it.read(1);
  await appendFile(it.path, 'lf\ntwo\n');
  await it.read(3);
  await appendFile(it.path, 'last words\n');
  await rename(it.path, `${it.path}.1`);
  await writeFile(it.path, 'new file\n');
  await it.read(5);
  await truncate(it.path);
  await appendFile(it.path, 'cut\n');
  await it.read(6);
  await rename(it.path, `${it.path}.2`);
  await writeFile(it.path, 'behind one that was read whole\n');
  await it.read(7);
  await rm(it.path);
  await mkdir(join(it.folder, 'elsewhere'));
  await writeFile(`${it.path}.new`, 'a file of another size, the old one is gone\n');
  await rename(`${it.path}.new`, it.path);
  await it.read(8);
  const all = ['one', 'half', 'two', 'last words', 'new file', 'cut', 'behind one that was read whole'];
  expect(it.kept.slice(0, 7)).toEqual(all);
  expect(it.observed).toEqual(it.kept);
});

// Guarantee: after an absence of the API, the next agent observes again what the API has not received, and the history stores it once.
test('without the API', async () => {
  await using it = await openSetting();
  await writeFile(it.path, '');
  await (await it.open())[Symbol.asyncDispose]();
  await appendFile(it.path, 'one\ntwo\n');
  await it.read(2);
  await rename(it.path, `${it.path}.1`);
  await writeFile(it.path, 'three\n');
  await it.read(3);
  await appendFile(it.path, 'four\n');
  await it.read(4);
  expect(it.kept).toEqual(['one', 'two', 'three', 'four']);
  expect(it.observed).toEqual(['one', 'two', 'one', 'two', 'three', 'one', 'two', 'three', 'four']);
  it.acknowledge(4);
});

// Guarantee: a read position is never stored before the history has the lines up to it, so that an agent that is killed right after
// it read them loses none.
test('the history is never behind', async () => {
  await using folder = await temporaryFolder('log');
  const path = join(folder.path, 'game.log');
  await writeFile(path, '');
  const openHistory = () => openLineHistory({ stateFolder: folder.path, days: 7, megabytes: 1, log });
  let last = 0;
  await using history = await openHistory();
  await using _log = await followKeptLog({
    stateFolder: folder.path,
    from: await readLogCursor(folder.path, path),
    history,
    events: { acknowledged: () => last, last: () => last },
    onLine(line, ageMs, { position }) {
      last += 1;
      history.add(line, ageMs, position);
    },
    log,
    pollMs: 5,
  });
  await appendFile(path, 'one\ntwo\n');
  await eventually(async () => expect((await readLogCursor(folder.path, path)).event).toBe(2));
  await using next = await openHistory();
  const page = await next.read({ before: null, search: null, limit: 10 });
  expect(page?.lines.map(({ text }) => text)).toEqual(['two', 'one']);
});
