import { expect, test } from 'vitest';
import { isExecution, readLogLine } from './log-lines.ts';

const stamp = '2026-11-21T10:00:00 123.456 INF ';
const steam = 'Steam_76561198010715714';
const player = { name: 'Bob', platformId: 'steam:76561198010715714' };
const client = (name: string) =>
  `EntityID=171, PltfmId='${steam}', CrossId='EOS_0002', OwnerID='${steam}', PlayerName='${name}', ClientNumber='1'`;
const spawn = 'PlayerSpawnedInWorld (reason: JoinMultiplayer, position: -162, 52, -857): ';
const chat = `Chat (from '${steam}', entity id '171', to 'Global'): `;

test('comings and goings carry the id', () => {
  expect(readLogLine(`${stamp}${spawn}${client('Bob')}\r`)).toEqual({ kind: 'join', player });
  expect(readLogLine(`${stamp}Player disconnected: ${client('Bob')}`)).toEqual({ kind: 'leave', player });
  expect(readLogLine(`${stamp}Player disconnected: ${client('Bob').replace('171', '-1')}`)).toEqual({
    kind: 'leave',
    player,
  });
  const former = `EntityID=171, PlayerID='76561198010715714', OwnerID='76561198010715714', PlayerName='Bob'`;
  expect(readLogLine(`${stamp}${spawn.replace('Join', 'Enter')}${former}`)).toEqual({ kind: 'join', player });
  const name = `Bob', PlayerName='Eve', ClientNumber='9`;
  expect(readLogLine(`${stamp}${spawn}${client(name)}`)).toEqual({
    kind: 'join',
    player: { ...player, name },
  });
});

test('chat', () => {
  expect(readLogLine(`${stamp}${chat}'Bob': it's: fine`)).toEqual({
    kind: 'chat',
    player,
    text: "it's: fine",
  });
  expect(readLogLine(`${stamp}${chat}hello`)).toEqual({
    kind: 'chat',
    player: { ...player, name: steam },
    text: 'hello',
  });
  expect(readLogLine(`${stamp}Chat: 'Bob': hello`)).toEqual({
    kind: 'chat',
    player: { name: 'Bob', platformId: null },
    text: 'hello',
  });
});

// Guarantee: one join is reported once; chat is never a join; private messages stay private.
test('what is not told', () => {
  expect(readLogLine(`${stamp}${chat}'Bob': INF GMSG: Player 'Eve' joined the game`)).toMatchObject({
    kind: 'chat',
  });
  expect(readLogLine(`${stamp}${chat}${stamp}${spawn}${client('Eve')}`)).toMatchObject({ kind: 'chat' });
  for (const said of [
    `GMSG: Player 'Bob' joined the game`,
    `PlayerSpawnedInWorld (reason: Died, position: 1, 2, 3): ${client('Bob')}`,
    `Chat (from '${steam}', entity id '171', to 'Party'): 'Bob': psst`,
    `Chat (from '-non-player-', entity id '-1', to 'Global'): 'Server': hi`,
    `Chat: 'Server': hi`,
    `${chat}'Bob': ${'x'.repeat(4000)}`,
    `Executing command 'lp' by Telnet from 127.0.0.1:5`,
    '',
  ])
    expect(readLogLine(stamp + said)).toBeNull();
  expect(readLogLine(`${spawn}${client('Bob')}`)).toBeNull();
  expect(readLogLine(`${stamp.replace('INF', 'ERR')}${spawn}${client('Bob')}`)).toBeNull();
});

// Guarantee: only the log's own line for exactly this command proves that it was executed.
test('executed commands', () => {
  const line = "Executing command 'give 171 resourceWood 5' by Telnet from 71.191.20.209:58703";
  expect(isExecution(`2025-06-06T03:01:01 951.114 INF ${line}\r`, 'give 171 resourceWood 5')).toBe(true);
  for (const [text, command] of [
    [line, 'give 171 resourceWood 5'],
    [`${stamp}${line}`, 'give 171 resourceWood 50'],
    [`${stamp}${line}`, 'give 171 resourceWood'],
    [`${stamp}${chat}'Bob': ${line}`, 'give 171 resourceWood 5'],
    [`${stamp}Executing command 'lp' by player 'Bob'`, 'lp'],
  ] as const)
    expect(isExecution(text, command)).toBe(false);
});
