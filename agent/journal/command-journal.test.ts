import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CommandResult } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { openCommandJournal } from './command-journal.ts';
import { type ReceivedCommand, unknownResult } from './journal-entry.ts';

const answered: CommandResult = {
  outcome: 'answered',
  reply: 'x'.repeat(500),
  truncated: false,
  sent: true,
  durationMs: 1,
};
const command = (id: string): ReceivedCommand => ({
  kind: 'received',
  id,
  command: `say ${id}`,
  timeoutMs: 1000,
  expiresInMs: 60_000,
  at: 1,
});
const open = (stateFolder: string, options: Partial<Parameters<typeof openCommandJournal>[0]> = {}) => {
  const logged: string[] = [];
  const log = createLog({ component: 'agent', destination: { write: (line) => void logged.push(line) } });
  return openCommandJournal({ stateFolder, agentKey: 'own-key', log, ...options }).then((journal) => ({
    journal,
    logged,
  }));
};

// Guarantee: a password is in the journal until its command is done, and then nowhere on the disk.
test('a command with a password', async () => {
  await using folder = await temporaryFolder('journal');
  const { maskCommand, maskReply } = gameOf('minecraft');
  const { journal } = await open(folder.path, { game: { maskCommand, maskReply } });
  await using _ = journal;
  const onDisk = () => readFile(join(folder.path, 'commands.journal'), 'utf8');
  await journal.receive({ ...command('secret'), command: 'login hunter2' });
  await journal.receive(command('other'));
  await journal.start('secret');
  expect(await onDisk()).toContain('hunter2');
  await journal.finish('secret', { ...answered, reply: 'welcome, hunter2' });
  expect(await onDisk()).not.toContain('hunter2');
  expect(journal.results().get('secret')).toMatchObject({ reply: 'welcome, ***' });
  expect(journal.find('secret')).toMatchObject({ stage: 'result' });
  expect(journal.waiting().map(({ id }) => id)).toEqual(['other']);
});

// Guarantee: the journal stays small however many commands pass through it, loses nothing in compactions while commands come and
// go, and knows every id when it is opened again.
test('compaction', async () => {
  await using folder = await temporaryFolder('journal');
  const { journal } = await open(folder.path, { growthBytes: 20_000 });
  const ids = Array.from({ length: 400 }, (_, index) => `id-${index}`);
  await Promise.all(
    ids.map(async (id, index) => {
      await journal.receive(command(id));
      if (index % 4 === 0) return;
      await journal.start(id);
      if (index % 4 === 1) return;
      await journal.finish(id, answered);
      if (index % 4 === 3) await journal.forget([id]);
    }),
  );
  await journal[Symbol.asyncDispose]();
  const { journal: again } = await open(folder.path);
  for (const [index, id] of ids.entries()) {
    const stage = again.find(id)?.stage;
    expect(stage).toBe((['received', 'result', 'result', 'forgotten'] as const)[index % 4]);
  }
  expect(again.waiting().map(({ id }) => id)).toEqual(ids.filter((_, index) => index % 4 === 0));
  expect(again.results().size).toBe(200);
  expect(again.results().get('id-1')).toEqual(unknownResult);
  await again.forget([...again.results().keys()]);
  await again[Symbol.asyncDispose]();
  const size = (await stat(join(folder.path, 'commands.journal'))).size;
  expect(size).toBeLessThan(400 * 700 + 20_000);
});

// Guarantee: commands beyond the limit are not accepted, and only acknowledged results make room.
test('a full journal', async () => {
  await using folder = await temporaryFolder('journal');
  const { journal } = await open(folder.path, { mostCommands: 2 });
  expect(await journal.receive(command('a'))).toBe('written');
  expect(await journal.receive(command('b'))).toBe('written');
  expect(await journal.receive(command('c'))).toBe('full');
  await journal.start('a');
  await journal.finish('a', answered);
  expect(await journal.receive(command('c'))).toBe('full');
  await journal.forget(['a', 'b', 'never heard of']);
  expect(journal.find('b')?.stage).toBe('received');
  expect(await journal.receive(command('c'))).toBe('written');
  await journal[Symbol.asyncDispose]();
});

// Guarantee: an id is remembered for more than a day after its result was received, and not for ever.
test('forgotten ids', async () => {
  await using folder = await temporaryFolder('journal');
  const hourMs = 3_600_000;
  const { journal } = await open(folder.path, { now: () => 0 });
  await journal.receive(command('a'));
  await journal.start('a');
  await journal.finish('a', answered);
  await journal.forget(['a']);
  await journal[Symbol.asyncDispose]();
  for (const [hours, stage] of [
    [25, 'forgotten'],
    [47, 'forgotten'],
    [49, undefined],
  ] as const) {
    const { journal: later } = await open(folder.path, { now: () => hours * hourMs });
    expect(later.find('a')?.stage).toBe(stage);
    await later[Symbol.asyncDispose]();
  }
});

// Guarantee: a damaged journal is reported and set aside; a torn end does not damage later entries.
test('damage', async () => {
  await using folder = await temporaryFolder('journal');
  const path = join(folder.path, 'commands.journal');
  await writeFile(
    path,
    `${JSON.stringify(command('a'))}\nnonsense\n${JSON.stringify(command('b'))}\n{"kind":"sta`,
  );
  const { journal, logged } = await open(folder.path);
  expect(logged.join('')).toContain('the journal is damaged');
  expect(await readFile(`${path}.damaged`, 'utf8')).toContain('nonsense');
  expect(journal.results().get('a')).toEqual(unknownResult);
  expect(journal.waiting().map(({ id }) => id)).toEqual(['b']);
  await journal.start('b');
  await journal[Symbol.asyncDispose]();
  await appendFile(path, '{"kind":"resu');
  const { journal: again, logged: nothing } = await open(folder.path);
  expect(again.results().get('b')).toEqual(unknownResult);
  expect(nothing.join('')).not.toContain('damaged');
  await again[Symbol.asyncDispose]();
});

// Guarantee: the journal keeps its name while nothing of it is lost, and gets another one once its beginning is.
test('the name', async () => {
  await using folder = await temporaryFolder('journal');
  const path = join(folder.path, 'commands.journal');
  const nameNow = async () => {
    const { journal, logged } = await open(folder.path, { growthBytes: 1 });
    if (!journal.find('a')) await journal.receive(command('a'));
    await journal.start('a').catch(() => undefined);
    await journal[Symbol.asyncDispose]();
    return { name: journal.name, logged };
  };
  const { name } = await nameNow();
  expect(await nameNow()).toEqual({ name, logged: expect.any(Array) });
  await appendFile(path, '{"kind":"resu');
  expect((await nameNow()).name).toBe(name);
  const text = await readFile(path, 'utf8');
  // Cut in its first line, and from an agent before journals had names.
  for (const left of [text.slice(0, 10), text.slice(text.indexOf('\n') + 1), '']) {
    await writeFile(path, left);
    expect((await nameNow()).name).not.toBe(name);
  }
});

// Guarantee: another agent's journal is set aside and reported; none of it is run, and this agent starts a new one.
test('of another agent', async () => {
  await using folder = await temporaryFolder('journal');
  const path = join(folder.path, 'commands.journal');
  const { journal: other } = await open(folder.path, { agentKey: 'another-key' });
  await other.receive(command('foreign'));
  await other[Symbol.asyncDispose]();
  const { journal: own, logged } = await open(folder.path);
  expect(own.waiting()).toEqual([]);
  expect(own.find('foreign')).toBeUndefined();
  expect(own.name).not.toBe(other.name);
  expect(logged.join('')).toContain('belongs to another agent');
  expect(await readFile(`${path}.foreign`, 'utf8')).toContain('"id":"foreign"');
  await own[Symbol.asyncDispose]();
});
