import { expect, test } from 'vitest';
import { exitCodes } from '../configuration/exit-codes.ts';
import { run } from './run.ts';

// Guarantee: a data folder that cannot be created is reported with the reason.
test('a home that cannot be made', async () => {
  const complaints: string[] = [];
  const context = {
    environment: {},
    say: () => undefined,
    complain: (text: string) => void complaints.push(text),
  };
  expect(await run.run(['--home', `${process.execPath}/home`], context)).toBe(exitCodes.config);
  expect(complaints.join()).toMatch(/home cannot be created: (?:ENOTDIR|EEXIST|ENOENT)/);
});
