import { expect, test } from 'vitest';
import type { CommandResult } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import { createLogAnswers } from './log-answers.ts';

const minecraft = gameOf('minecraft');
const answered = (reply: string): CommandResult => ({
  outcome: 'answered',
  reply,
  truncated: false,
  sent: true,
  durationMs: 5,
});
const line = (said: string) => `[12:34:56] [Server thread/INFO]: ${said}`;
const verdict = ({ reply }: CommandResult, message: string) =>
  minecraft.actions.broadcast?.read(reply ?? '', { message }).verdict;

// Guarantee: Minecraft's log proves the broadcast to which its console gives no answer.
test('the log answers for the console', async () => {
  const answers = createLogAnswers(minecraft);
  const result = answers.complete('say Restart in 5 min', async () => {
    answers.take(line('<Steve> [Rcon] Restart in 5 min'));
    answers.take(line('[Rcon] Restart in 50 min'));
    return answered('');
  });
  setImmediate(() => answers.take(line('[Rcon] Restart in 5 min')));
  expect(await result).toEqual(answered('[Rcon] Restart in 5 min'));
  expect(verdict(await result, 'Restart in 5 min')).toBe('done');
});

// Guarantee: what LuckPerms says later, in the log, answers for its command alone; neither a player's words nor another command's.
test('a plug-in that works later', async () => {
  const lp = (said: string) => `[12:34:56] [luckperms-command-executor/INFO]: ${said}`;
  const forge = '[04Jul2022 03:09:03.827] [luckperms-command-executor/INFO] [Console/]: ';
  const ask = async (command: string, lines: readonly string[]) => {
    const answers = createLogAnswers(minecraft);
    const result = answers.complete(command, async () => answered(''));
    setImmediate(() => {
      for (const one of lines) answers.take(one);
    });
    return (await result).reply;
  };
  const given = '[LP] Steve now inherits permissions from vip in context global.';
  const others = [
    `[12:34:56] [Async Chat Thread - #1/INFO]: ${given}`,
    `[12:34:56] [Server thread/INFO]: <Steve> ${given}`,
    line(`[LP] Steve: ${given}`),
    lp('[LP] Steven now inherits permissions from vip in context global.'),
    lp('[LP] Steve now inherits permissions from mvp in context global.'),
    lp('[LP] Another command is being executed, waiting for it to finish...'),
  ];
  const command = 'lp user Steve parent add vip';
  expect(await ask(command, [...others, lp(given)])).toBe(given);
  expect(await ask(`/luckperms user "Steve" parent addtemp vip 30d`, [forge + given])).toBe(given);
  const fabric = '[12:34:56] [luckperms-command-executor/INFO] (Minecraft) ';
  expect(await ask(command, [fabric + given])).toBe(given);
  const unknown = '[LP] A user for Steve could not be found.';
  expect(await ask(command, [lp(unknown)])).toBe(unknown);
  const permission = '[LP] Set group.vip to true for Steve in context global.';
  expect(await ask('lp user Steve permission set group.vip true', [lp(permission)])).toBe(permission);
  expect(await ask(command, others)).toBe('');
});

// Guarantee: a broadcast counts as said also where the game marks it as not secure, colours it or joins its blanks
// (KaspianDev/AntiPopup#13, MCDReforged/MCDReforged#199), and not by what a player says.
test.each([
  ['[Not Secure] [Rcon] Restart in 5 min', true],
  ['[Not Secure] [Server] Restart in 5 min', true],
  ['[Server] Restart in 5 min', true],
  ['§d[Rcon] Restart in 5 min§r', true],
  ['[Rcon]  Restart  in 5 min ', true],
  ['[Not Secure] <Steve> [Rcon] Restart in 5 min', false],
  ['[Steve] Restart in 5 min', false],
  ['[Rcon] Restart in 5 min!', false],
])('%s: %s', (said, isProven) => {
  const proven = minecraft.readLogAnswer?.('say Restart in 5 min')?.(line(said)) ?? null;
  expect(proven !== null).toBe(isProven);
  if (proven !== null) expect(verdict(answered(proven), 'Restart in 5 min')).toBe('done');
});

// Guarantee: without the line, or with an answer of the console, the result is unchanged.
test('no line', async () => {
  const answers = createLogAnswers(minecraft);
  const [nothing, other, refused] = await Promise.all([
    answers.complete('say hi', async () => answered('')),
    answers.complete('list', async () => answered('')),
    answers.complete('say hi', async () => answered('Unknown command')),
  ]);
  expect(verdict(nothing, 'hi')).toBe('unproven');
  expect([other.reply, refused.reply]).toEqual(['', 'Unknown command']);
});

// Guarantee: a log line that arrives late, after its command was answered, is not evidence for the next identical command.
test('two commands that look the same', async () => {
  const answers = createLogAnswers(gameOf('seven-days-to-die'));
  const give = 'give 171 resourceWood 5';
  const executed = (port: number) =>
    `2026-11-23T10:00:00 12.345 INF Executing command '${give}' by Telnet from 127.0.0.1:${port}`;
  const lost: CommandResult = { ...answered(''), outcome: 'connection lost', reply: null };
  expect(await answers.complete(give, async () => answered('Dropped item'))).toEqual(
    answered('Dropped item'),
  );
  const second = answers.complete(give, async () => lost);
  answers.take(executed(1));
  expect(await second).toEqual(lost);
  answers.take(executed(2));
  const third = answers.complete(give, async () => lost);
  answers.take(`2026-11-23T10:00:00 12.345 INF Chat: '${executed(2)}'`);
  answers.take(executed(3));
  expect(await third).toEqual({ ...lost, logLine: executed(3) });
  const unsent: CommandResult = { ...lost, outcome: 'connection refused', sent: false };
  expect(await answers.complete(give, async () => unsent)).toEqual(unsent);
});

// Guarantee: a broadcast is proven by a log in a code page, too, which has question marks for the letters that it lacks.
test.each([
  ['Привет 😀!', '[Not Secure] [Rcon] ?????? ??!', true],
  ['Привет 😀!', 'System chat: [Rcon] Привет ?!', true],
  ['Grüße (50 %)', '[Server] Gr\u{fffd}\u{fffd}e (50 %)', true],
  ['Привет', '[Rcon] Привет?', false],
  ['Really', '[Rcon] ??????', false],
  ['Привет', '<Steve> [Rcon] ??????', false],
])('%s in the log as %s', (text, said, isProven) => {
  const answer =
    minecraft.readLogAnswer?.(`say ${text}`)?.(`[12:34:56] [Server thread/INFO]: ${said}`) ?? null;
  expect(answer).toBe(isProven ? `[Rcon] ${text}` : null);
});
