import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { sampleRecord } from '../testing/sample-record.ts';
import { licenseRecord } from './license-record.ts';
import { openRecordStore } from './record-store.ts';

const writerProgram = fileURLToPath(new URL('../testing/record-writer.ts', import.meta.url));

const startWriter = (home: string, mark: string, times: number): ChildProcess =>
  spawn(process.execPath, [writerProgram, home, mark, String(times)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

const fileIn = (home: string) => join(home, 'license.json');

const readWhole = async (home: string) =>
  licenseRecord.parse(JSON.parse(await readFile(fileIn(home), 'utf8')));

/** Every field still carries the mark of the same writer. */
const expectUnmixed = (record: Awaited<ReturnType<typeof readWhole>>) => {
  const { revision: _any, ...fields } = record;
  expect(fields).toEqual(sampleRecord(record.licenseKey));
};

// Guarantee: other processes read back what is written, only the owner can read the file, and every write changes the revision.
test('a record is written and read', async () => {
  await using home = await temporaryFolder('record');
  const store = openRecordStore(home.path);
  expect(await store.read()).toEqual({ kind: 'absent' });
  const first = await store.replace(sampleRecord('a'), null);
  if (first.outcome !== 'written') throw new Error('superseded');
  expect(await openRecordStore(home.path).read()).toEqual({ kind: 'record', record: first.record });
  const second = await store.replace(sampleRecord('b'), first.record.revision);
  expect(second).toMatchObject({ outcome: 'written', record: { revision: first.record.revision + 1 } });
  expect((await stat(fileIn(home.path))).mode & 0o777).toBe(0o600);
  expect(await readdir(home.path)).toEqual(['license.json']);
});

// Guarantee: a result that was based on an older record is dropped.
test('a stale change is superseded', async () => {
  await using home = await temporaryFolder('record');
  const store = openRecordStore(home.path);
  const first = await store.replace(sampleRecord('a'), null);
  if (first.outcome !== 'written') throw new Error('superseded');
  await store.replace(sampleRecord('b'), null);
  expect(await store.replace(sampleRecord('c'), first.record.revision)).toEqual({ outcome: 'superseded' });
  expect((await readWhole(home.path)).licenseKey).toBe('b');
});

// Guarantee: when several processes write at the same time, no write is lost and no record is a mixture.
test('processes take turns', { timeout: 120_000 }, async () => {
  await using home = await temporaryFolder('record');
  const first = await openRecordStore(home.path).replace(sampleRecord('0'), null);
  if (first.outcome !== 'written') throw new Error('superseded');
  const marks = ['a', 'b', 'c', 'd'];
  const times = 25;
  const writers = marks.map((mark) => startWriter(home.path, mark, times));
  let running = writers.length;
  const codes = writers.map(async (writer) => {
    writer.stdout?.resume();
    const [code] = await once(writer, 'exit');
    running -= 1;
    return code;
  });
  while (running > 0) expectUnmixed(await readWhole(home.path));
  expect(await Promise.all(codes)).toEqual([0, 0, 0, 0]);
  expect((await readWhole(home.path)).revision).toBe(first.record.revision + marks.length * times);
  expect(await readdir(home.path)).toEqual(['license.json']);
});

// Guarantee: the same holds within one process.
test('concurrent writers in one process take turns', async () => {
  await using home = await temporaryFolder('record');
  const store = openRecordStore(home.path);
  const first = await store.replace(sampleRecord('0'), null);
  if (first.outcome !== 'written') throw new Error('superseded');
  const outcomes = await Promise.all(
    Array.from({ length: 30 }, (_, i) => store.replace(sampleRecord(String(i % 10)), first.record.revision)),
  );
  expect(outcomes.filter(({ outcome }) => outcome === 'written')).toHaveLength(1);
});

// Guarantee: a process killed in the middle of writing leaves a whole record, and no one waits for its lock.
test('SIGKILL never cuts the record', { timeout: 120_000 }, async () => {
  await using home = await temporaryFolder('record');
  const store = openRecordStore(home.path);
  await store.replace(sampleRecord('0'), null);
  for (let round = 0; round < 10; round += 1) {
    const writer = startWriter(home.path, 'abcdefghij'.charAt(round), 1_000_000);
    const exited = once(writer, 'exit');
    let output = '';
    writer.stdout?.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    // Kills hit different phases of a write: they come after this many writes plus a short delay.
    await eventually(() => expect(output.length).toBeGreaterThan(8 * 5 * round), 30_000);
    writer.kill('SIGKILL');
    await exited;
    const record = await readWhole(home.path);
    expectUnmixed(record);
    expect(await store.replace(sampleRecord('0'), record.revision)).toMatchObject({ outcome: 'written' });
  }
});

// Guarantee: a lock that a dead process left is broken by exactly one of the waiting processes, and works again.
test('a stale lock is broken', async () => {
  await using home = await temporaryFolder('record');
  const store = openRecordStore(home.path);
  const first = await store.replace(sampleRecord('0'), null);
  if (first.outcome !== 'written') throw new Error('superseded');
  const dead = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(dead, 'exit');
  const lock = `{"pid":${dead.pid},"nonce":"3b0f8d1c-5f0e-4a55-9d0c-0f5c1d2e3f4a"}`;
  await writeFile(`${fileIn(home.path)}.lock`, lock);
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => store.replace(sampleRecord('a'), first.record.revision)),
  );
  expect(outcomes.filter(({ outcome }) => outcome === 'written')).toHaveLength(1);
  expect(await readdir(home.path)).toEqual(['license.json']);
});

// Guarantee: whatever license.json contains, reading it never crashes, and it is kept before it is overwritten.
test.each(['', '{', 'null', '[]', '{"revision":1}', '\0\0\0\0', '{"revision":1,"token":7}'])(
  'a damaged file is said to be so: %j',
  async (text) => {
    await using home = await temporaryFolder('record');
    const store = openRecordStore(home.path);
    await writeFile(fileIn(home.path), text);
    expect(await store.read()).toMatchObject({ kind: 'unreadable', fault: 'content' });
    expect(await store.replace(sampleRecord('a'), 1)).toEqual({ outcome: 'superseded' });
    expect(await readFile(fileIn(home.path), 'utf8')).toBe(text);
    expect(await store.replace(sampleRecord('a'), null)).toMatchObject({ outcome: 'written' });
    expect(await readFile(`${fileIn(home.path)}.unreadable`, 'utf8')).toBe(text);
  },
);

// Guarantee: a record that could not be read back is not written, and the old one is intact.
test('a record that breaks its own schema', async () => {
  await using home = await temporaryFolder('record');
  const store = openRecordStore(home.path);
  await store.replace(sampleRecord('a'), null);
  const before = await readFile(fileIn(home.path), 'utf8');
  const lastCheck = {
    at: '2026-01-01T00:00:00.000Z',
    outcome: 'unreachable',
    detail: 'x'.repeat(501),
  } as const;
  await expect(store.replace({ ...sampleRecord('b'), lastCheck }, null)).rejects.toThrow(/detail/);
  expect(await readFile(fileIn(home.path), 'utf8')).toBe(before);
  expect(await readdir(home.path)).toEqual(['license.json']);
});

// Guarantee: the caller learns of a full disk, and the old record is intact.
test.skipIf(process.platform !== 'linux')('a full disk', async () => {
  await using home = await temporaryFolder('record');
  const store = openRecordStore(home.path);
  await store.replace(sampleRecord('a'), null);
  const before = await readFile(fileIn(home.path), 'utf8');
  await symlink('/dev/full', `${fileIn(home.path)}.next`);
  await expect(store.replace(sampleRecord('b'), null)).rejects.toThrow('ENOSPC');
  expect(await readFile(fileIn(home.path), 'utf8')).toBe(before);
  expect(await readdir(home.path)).toEqual(['license.json']);
});

// Guarantee: a file that cannot be read at all is not overwritten.
test('a folder in the place of the file', async () => {
  await using home = await temporaryFolder('record');
  const store = openRecordStore(home.path);
  await mkdir(fileIn(home.path));
  expect(await store.read()).toMatchObject({ kind: 'unreadable', fault: 'file' });
  await expect(store.replace(sampleRecord('a'), null)).rejects.toThrow('cannot be read');
});
