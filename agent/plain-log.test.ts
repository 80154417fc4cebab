import { expect, test } from 'vitest';
import { toPlainLine } from './plain-log.ts';

// Guarantee: no player's name and no output of a game can control the terminal on which the agent's log is read.
test('characters that a terminal would obey', () => {
  const entry = { time: 'T', level: 'warn', msg: 'a\u{202e}b\x1b[2J\nsecond', player: 'c\u{2066}d\u{9b}2J' };
  const line = toPlainLine(JSON.stringify({ ...entry, err: { stack: 'Error: e\x1b\n    at f' } }));
  expect(line).toBe(
    'T WARN  a\\u{202e}b\\x1b[2J\nsecond player="c\\u{2066}d\\x9b2J"\n  Error: e\\x1b\n      at f\n',
  );
  expect(toPlainLine('no JSON \u{202e}\n')).toBe('no JSON \\u{202e}\n');
});
