import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { type LineHistory, openLineHistory } from './line-history.ts';
import { segmentPath } from './segments.ts';

const log = createLog({ component: 'agent', destination: { write: () => undefined } });
const open = (stateFolder: string, more: Partial<Parameters<typeof openLineHistory>[0]> = {}) =>
  openLineHistory({ stateFolder, days: 7, megabytes: 200, log, ...more });

/** All pages, from the newest line to the oldest. */
const readAll = async (history: LineHistory, search: string | null = null, limit = 100) => {
  const texts: string[] = [];
  for (let before: string | null = null; ; ) {
    const page = await history.read({ before, search, limit });
    if (!page) throw new Error('no page');
    texts.push(...page.lines.map(({ text }) => text));
    if (page.next === null) return texts;
    before = page.next;
  }
};

// Guarantee: every line comes back once, newest first, across restarts and files; the search ignores case.
test('scroll and search back', async () => {
  await using folder = await temporaryFolder('history');
  const told: string[] = [];
  for (const part of ['one', 'two', 'three']) {
    await using history = await open(folder.path, { segmentBytes: 2000 });
    for (let count = 0; count < 200; count += 1) {
      const text = `${part} ${count} ${count % 50 === 0 ? 'ÄRGER in Übersee' : 'Ок 😀'}`;
      history.add(text);
      told.unshift(text);
      if (count % 20 === 0) await history.read({ before: null, search: null, limit: 1 });
    }
  }
  await using history = await open(folder.path);
  expect((await readdir(join(folder.path, 'history'))).length).toBeGreaterThan(5);
  expect(await readAll(history)).toEqual(told);
  expect(await readAll(history, 'ärger IN', 2)).toEqual(told.filter((text) => text.includes('ÄRGER')));
  expect(await readAll(history, 'nowhere')).toEqual([]);
});

// Guarantee: a cursor keeps its place while new lines arrive and old files are removed; an invented one does no harm.
test('cursors', async () => {
  await using folder = await temporaryFolder('history');
  await using history = await open(folder.path, { segmentBytes: 1000 });
  const texts = Array.from({ length: 100 }, (_, index) => `line ${index}`);
  for (const text of texts) {
    history.add(text);
    if (text.endsWith('9')) await history.read({ before: null, search: null, limit: 1 });
  }
  const first = await history.read({ before: null, search: null, limit: 10 });
  for (let count = 0; count < 50; count += 1) history.add('newer');
  const second = await history.read({ before: first?.next ?? '', search: null, limit: 10 });
  expect(second?.lines.map(({ text }) => text)).toEqual(texts.slice(80, 90).reverse());
  expect(await history.read({ before: '0.0', search: null, limit: 10 })).toEqual({ lines: [], next: null });
  expect(await history.read({ before: '../../etc', search: null, limit: 10 })).toBeNull();
  await fc.assert(
    fc.asyncProperty(fc.nat(20), fc.nat(5000), async (number, offset) => {
      const page = await history.read({ before: `${number}.${offset}`, search: null, limit: 5 });
      expect(page?.lines.length).toBeLessThanOrEqual(5);
    }),
    { numRuns: 100 },
  );
});

// Guarantee: the files stay within their space and their days, and a clock change deletes nothing for its age.
test('room and days', async () => {
  await using folder = await temporaryFolder('history');
  let nowMs = Date.now();
  {
    await using history = await open(folder.path, { megabytes: 1, now: () => nowMs });
    const text = 'x'.repeat(3900);
    for (let count = 0; count < 600; count += 1) {
      history.add(`${count} ${text}`);
      if (count % 20 === 0) await history.read({ before: null, search: null, limit: 1 });
    }
    const kept = await readAll(history, null, 1000);
    expect(kept[0]).toMatch(/^599 /);
    expect(kept.length * 3900).toBeLessThan(1024 * 1024);
    expect(kept.length * 3900).toBeGreaterThan(600 * 1024);
    // Its clock jumps while it runs: nothing is deleted.
    nowMs += 30 * 24 * 3600 * 1000;
    history.add(text);
    expect((await readAll(history, null, 1000)).length).toBeGreaterThan(kept.length - 50);
  }
  let passedMs = 0;
  await using history = await open(folder.path, {
    segmentBytes: 1000,
    now: () => nowMs + passedMs,
    passed: () => passedMs,
  });
  // After a month it was off, or its clock is wrong: only after a day of that time it was off.
  expect((await readAll(history, null, 1000)).length).toBeGreaterThan(100);
  passedMs += 25 * 3600 * 1000;
  history.add('a day later');
  await history.read({ before: null, search: null, limit: 1 });
  expect((await readAll(history, null, 1000)).length).toBeLessThan(60);
});

// Guarantee: a clock that was set ahead deletes nothing for its age at any later check, until it has run on for a day; once set
// back, files are deleted by age again.
test('a clock that jumps', async () => {
  await using folder = await temporaryFolder('history');
  const clock = { nowMs: Date.now(), passedMs: 0 };
  await using history = await open(folder.path, {
    segmentBytes: 1000,
    now: () => clock.nowMs,
    passed: () => clock.passedMs,
  });
  const write = async (text: string) => {
    for (let count = 0; count < 40; count += 1) {
      history.add(`${text} ${count} ${'x'.repeat(50)}`);
      if (count % 10 === 9) await history.read({ before: null, search: null, limit: 1 });
    }
  };
  const first = async () => (await readAll(history, 'first')).length;
  const pass = (ms: number) => {
    clock.nowMs += ms;
    clock.passedMs += ms;
  };
  const hour = 3_600_000;
  await write('first');
  clock.nowMs += 30 * 24 * hour;
  for (let passed = 0; passed < 20; passed += 1) {
    pass(hour);
    await write('later');
  }
  expect(await first()).toBe(40);
  clock.nowMs -= 30 * 24 * hour;
  await write('set right');
  expect(await first()).toBe(40);
  clock.nowMs += 30 * 24 * hour;
  await write('ahead again');
  pass(25 * hour);
  await write('a day later');
  expect(await first()).toBe(0);
});

// Guarantee: the next agent knows the position that was stored with the newest line; it is not shown as a line, and is never ahead
// of the stored lines.
test('positions', async () => {
  await using folder = await temporaryFolder('history');
  {
    await using history = await open(folder.path, { segmentBytes: 300 });
    expect(history.position).toBeNull();
    for (let line = 1; line <= 50; line += 1) {
      history.add(`line ${line}`, 0, `held ${line}`);
      if (line % 10 === 0) await history.read({ before: null, search: null, limit: 1 });
    }
    history.add('of no file');
  }
  await using history = await open(folder.path);
  expect(history.position).toBe('held 50');
  expect((await readAll(history)).slice(0, 3)).toEqual(['of no file', 'line 50', 'line 49']);
  expect((await readAll(history)).length).toBe(51);
});

// Guarantee: a line that was torn by a kill or a power cut is dropped, and so are bytes that are not lines; all others stay.
test('damaged files', async () => {
  await using folder = await temporaryFolder('history');
  {
    await using history = await open(folder.path);
    for (let count = 0; count < 5; count += 1) history.add(`line ${count}`);
  }
  const file = segmentPath(join(folder.path, 'history'), 1);
  await appendFile(file, 'mb0 torn in the mid');
  {
    await using history = await open(folder.path);
    history.add('after');
    expect(await readAll(history)).toEqual(['after', 'line 4', 'line 3', 'line 2', 'line 1', 'line 0']);
  }
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 4000 }), fc.nat(3), async (bytes, newlines) => {
      await writeFile(file, Buffer.concat([bytes, Buffer.from('\n'.repeat(newlines))]));
      await using history = await open(folder.path);
      history.add('whole');
      expect((await readAll(history))[0]).toBe('whole');
    }),
    { numRuns: 60 },
  );
});

// Guarantee: after kill -9 at any moment, the remaining lines are whole and without a gap.
test('killed while it writes', async () => {
  await using folder = await temporaryFolder('history');
  const program = join(folder.path, 'writer.ts');
  const parts = { history: './line-history.ts', log: '../../runtime/log.ts' };
  const url = (path: string) => JSON.stringify(resolve(import.meta.dirname, path));
  await writeFile(
    program,
    `import { openLineHistory } from ${url(parts.history)};
     import { createLog } from ${url(parts.log)};
     const log = createLog({ component: 'agent' });
     const history = await openLineHistory({ stateFolder: process.argv[2], days: 7, megabytes: 50, log, segmentBytes: 200_000 });
     for (let count = Number(process.argv[3]); ; count += 1) {
       history.add('line ' + count + ' ' + 'y'.repeat(count % 300));
       if (count % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 10));
     }`,
  );
  for (let kill = 0; kill < 6; kill += 1) {
    const child = spawn(process.execPath, [program, folder.path, String(kill * 10_000_000)], {
      stdio: 'ignore',
    });
    const files = () => readdir(join(folder.path, 'history'));
    const before = kill === 0 ? 0 : (await files()).length;
    await eventually(async () => expect((await files()).length).toBeGreaterThan(before + 1 + (kill % 3)));
    child.kill('SIGKILL');
    await once(child, 'exit');
    await using history = await open(folder.path);
    const numbers = (await readAll(history, null, 1000)).map((text) => Number(text.split(' ')[1]));
    const breaks = numbers.filter((number, index) => {
      const older = numbers[index + 1];
      return older !== undefined && number !== older + 1;
    });
    expect(breaks.every((number) => number % 10_000_000 === 0)).toBe(true);
    expect(breaks.length).toBe(kill);
  }
});

// Guarantee: only the owner can read the lines.
test('file modes', async () => {
  await using folder = await temporaryFolder('history');
  await using history = await open(folder.path);
  history.add('secret plans');
  await history.read({ before: null, search: null, limit: 1 });
  const file = segmentPath(join(folder.path, 'history'), 1);
  expect(await readFile(file, 'utf8')).toContain('secret plans');
  const { mode } = await import('node:fs/promises').then(({ stat }) => stat(file));
  if (process.platform !== 'win32') expect(mode & 0o077).toBe(0);
});
