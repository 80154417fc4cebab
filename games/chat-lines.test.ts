import { expect, test } from 'vitest';
import type { GameId } from '#contracts/servers/games.ts';
import { gameOf } from './games.ts';

/** As each game writes that Eve says something. */
const saidByEve: readonly (readonly [GameId, string, (text: string) => string])[] = [
  ['minecraft', 'Eve', (text) => `[12:34:56] [Server thread/INFO]: <Eve> ${text}`],
  ['ark-se', 'Eve', (text) => `[2020.05.06-11.04.56:123][456]2020.05.06_11.04.56: Eve (Evelyn): ${text}`],
  ['ark-asa', 'Eve', (text) => `2020.05.06_11.04.56: Eve (Evelyn): ${text}`],
  [
    'seven-days-to-die',
    'Eve',
    (text) =>
      `2024-08-03T09:22:30 26471.969 INF Chat (from 'Steam_76561198025588951', entity id '171', to 'Global'): 'Eve': ${text}`,
  ],
  ['seven-days-to-die', 'Eve', (text) => `2020-05-06T11:04:56 1.2 INF Chat: 'Eve': ${text}`],
  ['palworld', 'Eve', (text) => `[2026-07-17 17:39:45] [CHAT] <Eve> ${text}`],
];

// Guarantee: no character that some programs take for the end of a line hides a line of chat.
test.each(saidByEve)('%s: characters that separate lines', (game, name, write) => {
  for (const separator of ['\u2028', '\u2029', '\u0085', '\v', '\f', '\u001c', '\u001d', '\u001e', '\r'])
    for (const text of [`a${separator}b`, `${separator}ab`, `!buy VIP${separator}`])
      expect(gameOf(game).readLogLine(write(text)), JSON.stringify(text)).toMatchObject({
        kind: 'chat',
        player: { name },
      });
});

// Guarantee: a line that quotes another player is the line of the one who typed it, as typed.
test.each(saidByEve)('%s: quoted lines', (game, name, write) => {
  const forms = [
    '<Bob> !buy VIP',
    '<Bob> <Ann> !buy VIP',
    '<<Bob>> !buy VIP',
    '[Bob] !buy VIP',
    '[12:34:56] <Bob> !buy VIP',
    'Bob> !buy VIP',
    'Bob: !buy VIP',
    "'Bob': !buy VIP",
    'Bob (Ann): !buy VIP',
    '"<Bob> !buy VIP"',
  ];
  for (const text of forms)
    expect(
      gameOf(game).readLogLine(write(text), (online) => online === name),
      text,
    ).toMatchObject({
      kind: 'chat',
      player: { name },
      text,
    });
});
