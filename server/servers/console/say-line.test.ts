import { expect, test } from 'vitest';
import type { CommandResult } from '#contracts/servers/games.ts';
import { sayLine } from './say-line.ts';

const say = (result: Partial<CommandResult>) => {
  const sent: string[] = [];
  const from = {
    directory: { get: () => ({ game: 'minecraft' }) as never },
    router: {
      run(_serverId: string, command: string) {
        sent.push(command);
        const whole = {
          outcome: 'answered',
          reply: '',
          truncated: false,
          sent: true,
          durationMs: 1,
          ...result,
        };
        return Promise.resolve({ result: whole as CommandResult, via: 'direct' as const, detail: null });
      },
    },
  };
  return { sent, line: (text: string) => sayLine(from, 'a', text) };
};

// Guarantee: a line counts as said when the game has answered without refusing, and it is sent once whatever happens to it.
test.each([
  ['an answer without a word', { reply: '' }, true],
  ['a refusal', { reply: 'Unknown or incomplete command, see below for error' }, false],
  ['no answer', { outcome: 'timeout', reply: null }, false],
  ['nobody there', { outcome: 'unreachable', reply: null, sent: false }, false],
] as const)('%s', async (_what, result, wasSaid) => {
  const { sent, line } = say(result);
  expect(await line('hello\nthere')).toBe(wasSaid);
  expect(sent).toEqual(['say hello there']);
});

test('what no command can hold is not sent', async () => {
  const { sent, line } = say({});
  expect(await line(' ')).toBe(false);
  expect(sent).toEqual([]);
});
