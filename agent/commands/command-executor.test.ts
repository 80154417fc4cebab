import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CommandOutcome, CommandResult } from '#contracts/servers/games.ts';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { openCommandJournal } from '../journal/command-journal.ts';
import { type CommandedGame, openCommandExecutor } from './command-executor.ts';

const log = createLog({ component: 'agent', level: 'silent' });
const answered: CommandResult = {
  outcome: 'answered',
  reply: 'ok',
  truncated: false,
  sent: true,
  durationMs: 1,
};
const frame = (id: string, expiresInMs = 60_000) =>
  ({ v: 1, type: 'command', id, command: `say ${id}`, timeoutMs: 1000, expiresInMs }) as const;

/** Stands in for the game and its current obstacle. */
const scriptedGame = () => {
  const ran: string[] = [];
  let obstacle: CommandOutcome | null | Promise<null> = null;
  const game: CommandedGame = {
    obstacle: async () => obstacle,
    async run(command) {
      ran.push(command);
      return answered;
    },
  };
  return {
    game,
    ran,
    set obstacle(value: typeof obstacle) {
      obstacle = value;
    },
  };
};
const openDesk = async (stateFolder: string, game: CommandedGame, now: () => number = () => 1_000_000) => {
  const journal = await openCommandJournal({ stateFolder, agentKey: 'own-key', log });
  const said: string[] = [];
  const executor = openCommandExecutor({
    journal,
    game,
    news: {
      accepted: (id) => void said.push(`accepted ${id}`),
      finished: (id) => void said.push(`finished ${id}`),
    },
    onFailure: (error) => void said.push(`failure ${error}`),
    log,
    now,
  });
  const close = async () => {
    await executor[Symbol.asyncDispose]();
    await journal[Symbol.asyncDispose]();
  };
  return { executor, journal, said, close };
};

// Guarantee: the same command, sent again at every moment of its life, runs once and is always answered.
test('sent again', async () => {
  await using folder = await temporaryFolder('executor');
  const { game, ran } = scriptedGame();
  const { executor, said, close } = await openDesk(folder.path, game);
  executor.take(frame('a'));
  executor.take(frame('a'));
  await eventually(() => expect(said).toEqual(['accepted a', 'finished a']));
  executor.take(frame('a'));
  executor.forget(['a']);
  executor.take(frame('a'));
  executor.forget(['a']);
  expect(said).toEqual(['accepted a', 'finished a', 'finished a', 'finished a']);
  await close();
  const { executor: again, said: later, close: closeAgain } = await openDesk(folder.path, game);
  again.take(frame('a'));
  expect(later).toEqual(['finished a']);
  await closeAgain();
  expect(ran).toEqual(['say a']);
});

// Guarantee: commands that waited when the agent was stopped run in order after its next start, unless they have expired by then or
// the clock was set back so that this is unknown; none of them was ever in doubt.
test.each([
  ['in time', 1_030_000, ['say a', 'say b'], 'answered'],
  ['too late', 1_060_001, [], 'expired'],
  ['the clock was set back', 999_999, [], 'expired'],
] as const)('after a restart: %s', async (_name, nowMs, expected, outcome) => {
  await using folder = await temporaryFolder('executor');
  const script = scriptedGame();
  const starting = Promise.withResolvers<null>();
  script.obstacle = starting.promise;
  const first = await openDesk(folder.path, script.game);
  first.executor.take(frame('a'));
  first.executor.take(frame('b'));
  await eventually(() => expect(first.said).toEqual(['accepted a', 'accepted b']));
  const closed = first.close();
  starting.resolve(null);
  await closed;
  expect(script.ran).toEqual([]);
  expect(await readFile(join(folder.path, 'commands.journal'), 'utf8')).not.toContain('"started"');
  const second = await openDesk(folder.path, script.game, () => nowMs);
  await eventually(() => expect(second.said).toEqual(['finished a', 'finished b']));
  expect(script.ran).toEqual(expected);
  expect(second.journal.results().get('a')).toMatchObject({ outcome, sent: outcome === 'answered' });
  await second.close();
});

// Guarantee: a clock that is set back or far ahead while the agent runs neither runs nor drops a command that it has just received.
test('a wild clock', async () => {
  await using folder = await temporaryFolder('executor');
  const { game, ran } = scriptedGame();
  let nowMs = 1_000_000;
  const { executor, said, close } = await openDesk(folder.path, game, () => nowMs);
  for (const time of [1_000_000, 5, 9_000_000_000]) {
    nowMs = time;
    executor.take(frame(`at-${time}`));
  }
  await eventually(() => expect(said.filter((text) => text.startsWith('finished')).length).toBe(3));
  expect(ran.length).toBe(3);
  await close();
});

// Guarantee: a game that accepts no commands leaves none in doubt.
test('an obstacle', async () => {
  await using folder = await temporaryFolder('executor');
  const script = scriptedGame();
  script.obstacle = 'not ready';
  const { executor, journal, said, close } = await openDesk(folder.path, script.game);
  executor.take(frame('a'));
  await eventually(() => expect(said).toContain('finished a'));
  expect(journal.results().get('a')).toMatchObject({ outcome: 'not ready', sent: false });
  expect(script.ran).toEqual([]);
  await close();
});
