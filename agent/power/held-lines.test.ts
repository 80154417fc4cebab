import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { readLinesCursor } from './held-lines.ts';
import { consoleFolder, openConsoleLog } from './holder/console-log.ts';
import { openConsoleReader } from './holder/console-reader.ts';

const folderOf = async () => {
  const folder = await temporaryFolder('lines');
  onTestFinished(() => folder[Symbol.asyncDispose]());
  return folder.path;
};

// Guarantee: when the reading position of the console is unknown, nothing is reported twice: with a damaged cursor, reading
// continues at the end of the log, and an unreadable one stops the agent. Only without a cursor does it begin at the first line.
test('a cursor that is lost', async () => {
  const folder = await folderOf();
  await mkdir(consoleFolder(folder));
  using log = openConsoleLog(consoleFolder(folder));
  log.add(['one', 'two', 'three']);
  expect(readLinesCursor(folder)).toMatchObject({ line: 0, event: 0 });
  const note = join(folder, 'lines.json');
  const kept = { journal: 'of-this-server', line: 2, event: 7 };
  await writeFile(note, JSON.stringify(kept));
  expect(readLinesCursor(folder)).toEqual(kept);
  for (const damage of ['', '{"journal":"of', 'null', '{"journal":"x","line":1}']) {
    await writeFile(note, damage);
    const { journal, line, event } = readLinesCursor(folder);
    expect({ line, event }).toEqual({ line: 3, event: 0 });
    expect(journal).not.toBe(kept.journal);
  }
  await rm(note);
  await mkdir(note);
  expect(() => readLinesCursor(folder)).toThrow(/lines\.json, which cannot be read/);
});

// Guarantee: the oldest lines are removed, and never those that fit into the limit, however large the chunks are in which a game
// writes; a late reader learns how many are missing.
test('rotation', async () => {
  const folder = await folderOf();
  const limits = { fileBytes: 20_000, allBytes: 100_000 };
  using log = openConsoleLog(folder, limits);
  const bytesOf = async () => {
    const sizes = (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size);
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  };
  let written = 0;
  for (let part = 0; part < 300; part += 1) {
    // Never the same size, so that no part ends exactly at the limit.
    const lines = Array.from({ length: 1 + (part % 40) }, () =>
      randomBytes(50 + (part % 13)).toString('hex'),
    );
    log.add(lines);
    written += lines.length;
    const bytes = await bytesOf();
    if (part > 60) expect(bytes).toBeGreaterThan(limits.allBytes - limits.fileBytes);
    expect(bytes).toBeLessThan(limits.allBytes + 2 * limits.fileBytes);
  }
  await using reader = openConsoleReader(folder, 5);
  const [hole, first] = await reader.readOn();
  expect(hole).toMatchObject({
    number: (first?.number ?? 0) - 1,
    text: `… ${(first?.number ?? 0) - 6} lines of the console are missing`,
  });
  expect(log.last()).toBe(written);
  await using whole = openConsoleReader(folder, 0);
  expect((await whole.readOn())[0]).toMatchObject({ number: first?.number });
});
