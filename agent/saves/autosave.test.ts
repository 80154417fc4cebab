import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CommandResult } from '#contracts/servers/games.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { quietGame } from './autosave.ts';

const off = 'Automatic saving is now disabled';
const wasOff = 'Saving is already turned off';
const saved = 'Saving the game (this may take a moment!)\nSaved the game';
const unknown = 'Unknown or incomplete command, see below for error';

/** A game with these answers; null: its console is away. */
const quieted = async (answers: Readonly<Record<string, string | null>>, isMarked = false) => {
  await using folder = await temporaryFolder('autosave');
  const marker = 'autosave-paused.json';
  if (isMarked) await writeFile(join(folder.path, marker), '{}');
  const said: string[] = [];
  const run = async (command: string): Promise<CommandResult> => {
    said.push(command);
    const reply = answers[command] ?? null;
    const outcome = reply === null ? 'connection refused' : 'answered';
    return { outcome, reply, truncated: false, sent: reply !== null, durationMs: 1 };
  };
  const quiet = await quietGame({ game: 'minecraft', stateFolder: folder.path, run });
  await quiet.resume();
  return { notes: quiet.notes, said, left: await readdir(folder.path) };
};

// Guarantee: a backup reports what the game did not do for it, and only that.
test.each([
  ['all is well', { 'save-off': off, 'save-all flush': saved, 'save-on': '' }, []],
  [
    'no such command',
    { 'save-off': unknown, 'save-all flush': saved, 'save-on': unknown },
    [/it did not stop saving/],
  ],
  ['no proof', { 'save-off': 'ok', 'save-all flush': saved, 'save-on': '' }, [/it did not stop saving/]],
  [
    'a full disk',
    {
      'save-off': off,
      'save-all flush': 'Unable to save the game (is there enough disk space?)',
      'save-on': '',
    },
    [/did not save first.*disk may be full/],
  ],
  ['a silent save', { 'save-off': off, 'save-all flush': '', 'save-on': '' }, [/did not say that it saved/]],
  ['a console that goes away', { 'save-off': off, 'save-on': '' }, [/could not be asked/]],
  ['a console that is away', {}, [/could not be asked/]],
] as const)('%s', async (_what, answers, notes) => {
  const found = await quieted(answers);
  expect(found.notes).toHaveLength(notes.length);
  for (const [index, note] of notes.entries()) expect(found.notes[index]).toMatch(note);
  expect(found.left).toEqual([]);
});

// Guarantee: saving that someone else turned off stays off, which the backup reports; saving that an interrupted backup turned off
// is turned on again.
test('saving that is off already', async () => {
  const answers = {
    'save-off': wasOff,
    'save-all flush': saved,
    'save-on': 'Automatic saving is now enabled',
  };
  const theirs = await quieted(answers);
  expect(theirs).toEqual({
    notes: [expect.stringContaining('still does not')],
    said: ['save-off', 'save-all flush'],
    left: [],
  });
  const ours = await quieted(answers, true);
  expect(ours).toEqual({ notes: [], said: ['save-off', 'save-all flush', 'save-on'], left: [] });
});
