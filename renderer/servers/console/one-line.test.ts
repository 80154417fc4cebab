import { expect, test } from 'vitest';
import { consoleCommand } from '#contracts/servers/console.ts';
import { longestCommand } from '#contracts/servers/games.ts';
import { oneLine, pasteInto } from './one-line.ts';

// Guarantee: whatever is pasted, the line holds a command that the API accepts, and two lines never become one word.
test.each([
  ['say a\nstop', 'say a stop'],
  ['list\r\n', 'list'],
  ['give\tHeron\u0000\u001b[31m apple', 'give Heron [31m apple'],
  ['a\u2028b', 'a b'],
  ['half \ud83d', 'half '],
  ['say שלום 👋', 'say שלום 👋'],
])('%j becomes %j', (pasted, line) => {
  expect(oneLine(pasted)).toBe(line);
  expect(consoleCommand.safeParse(line).success).toBe(true);
});

// Guarantee: pasted text goes where the cursor is, text that does not fit is counted, and an ordinary paste is left to the browser.
test('pasting', () => {
  expect(pasteInto('say  now', 4, 4, 'one\ntwo')).toEqual({
    text: 'say one two now',
    cursor: 11,
    isJoined: true,
    left: 0,
  });
  expect(pasteInto('list', 0, 4, 'version\n')).toMatchObject({ text: 'version', isJoined: false });
  expect(pasteInto('', 0, 0, 'x'.repeat(longestCommand + 3))).toMatchObject({ left: 3, isJoined: false });
  expect(pasteInto('', 0, 0, 'version')).toBeNull();
});
