import { expect, test } from 'vitest';
import { jumpActIn, jumpActs, jumpArgument, withoutJumpAct } from '#contracts/kernel/jump-acts.ts';
import { splitCommandLine } from '#runtime/windows/command-line-text.ts';
import { desktopWords } from './desktop-words.ts';
import { jumpTasks } from './jump-list.ts';

// Guarantee: each entry starts the program with exactly what a running one understands as that act, wherever it is installed.
test.each(Object.values(desktopWords))('the entries', (words) => {
  const program = 'C:\\Program Files\\Castellan\\Castellan.exe';
  const entry = 'C:\\a folder\\desktop.mjs';
  const tasks = jumpTasks(words, program, [entry]);
  const args = tasks.map((task) => splitCommandLine(task.arguments));
  expect(args).toEqual(jumpActs.map((act) => [entry, jumpArgument(act)]));
  expect(args.map(jumpActIn)).toEqual(jumpActs);
  expect(new Set(tasks.map(({ title }) => title)).size).toBe(jumpActs.length);
});

// Guarantee: nothing else in the arguments is understood as an act.
test('no act', () => {
  for (const args of [
    [],
    ['--hidden'],
    ['--do=quit'],
    ['--do='],
    ['--do=start now'],
    ['do=start'],
    ['--do=__proto__'],
  ])
    expect(jumpActIn(args)).toBeNull();
});

// Guarantee: the program that is started again after an update or a move does not stop or start the servers once more.
test('another start', () => {
  const others = ['C:\\a folder\\desktop.mjs', '--hidden'];
  for (const act of jumpActs) expect(withoutJumpAct([...others, jumpArgument(act)])).toEqual(others);
});
