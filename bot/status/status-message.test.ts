import { expect, test } from 'vitest';
import type { ShownServer, StatusBoard } from '#contracts/discord/discord-status.ts';
import { mostListedPlayers } from '#contracts/discord/discord-status.ts';
import { languages } from '#contracts/kernel/language.ts';
import { digestOf, isStatusOf, statusBody } from './status-message.ts';

const at = '2026-01-01T00:00:00.000Z';
const server = (more: Partial<ShownServer> = {}): ShownServer => ({
  id: 'one',
  name: 'Island',
  game: 'minecraft',
  state: 'online',
  since: at,
  answeredAt: null,
  players: 2,
  names: null,
  address: '',
  map: '',
  ...more,
});
const board = (servers: ShownServer[], kind: StatusBoard['kind'] = 'server'): StatusBoard => ({
  title: servers[0]?.name ?? 'Keep',
  kind,
  servers,
});
const textOf = (of: StatusBoard, language: (typeof languages)[number] = 'en') =>
  JSON.stringify(statusBody({ board: of, language }).embeds).replaceAll('\\\\', '\\');
const long = (count: number) => '**_`@everyone`_**<@1>'.repeat(20).slice(0, count);

// Guarantee: whatever the names of a game and its players, and however many they are, the message keeps Discord's limits.
test.each(languages)('limits in %s', (language) => {
  const names = Array.from({ length: mostListedPlayers }, () => long(60));
  const full = server({
    name: long(80),
    players: 300,
    names,
    address: `${'x'.repeat(110)}\`**a**\``,
    map: long(80),
  });
  const boards = [
    board([full]),
    board([{ ...full, state: 'offline', answeredAt: at, players: null, names: null }]),
    board(
      Array.from({ length: 40 }, () => full),
      'cluster',
    ),
    board(
      Array.from({ length: 3 }, () => full),
      'cluster',
    ),
    board([], 'cluster'),
  ];
  for (const one of boards)
    for (const awaySince of [undefined, new Date(at)]) {
      const body = statusBody({
        board: one,
        language,
        post: 'x'.repeat(25),
        ...(awaySince && { awaySince }),
      });
      expect(body.embeds).toHaveLength(1);
      const [embed] = body.embeds ?? [];
      const { title = '', description = '', fields = [], author, footer } = embed ?? {};
      expect(title.length).toBeLessThanOrEqual(256);
      expect(description.length).toBeLessThanOrEqual(4096);
      expect(description.length).toBeGreaterThan(0);
      expect(fields.length).toBeLessThanOrEqual(25);
      for (const { name, value } of fields) {
        expect(name.length).toBeLessThanOrEqual(256);
        expect(value.length).toBeLessThanOrEqual(1024);
        expect(value).not.toBe('');
      }
      const texts = [
        title,
        description,
        author?.name,
        footer?.text,
        ...fields.flatMap((one) => [one.name, one.value]),
      ];
      expect(texts.join('').length).toBeLessThanOrEqual(6000);
      expect(body.allowed_mentions).toEqual({ parse: [] });
      expect(texts.join('\n')).not.toMatch(/@everyone|(?<!\\)<@/);
    }
});

// Guarantee: if there are more players than are listed, the message says how many; a count is the game's, never the list's.
test('many players', () => {
  const names = Array.from({ length: mostListedPlayers }, (_, index) => `Player ${index}`);
  expect(textOf(board([server({ players: 140, names })]))).toContain('Player 99\u2069, and 40 more');
  expect(textOf(board([server({ players: 140, names })]), 'pt-BR')).toContain('e mais 40 outros');
  expect(textOf(board([server({ players: 140 })]))).toContain('"value":"140"');
});

// Guarantee: it says what is known, since when, and when the game last answered; nothing else.
test('what is known', () => {
  expect(textOf(board([server()]))).toContain('**Online** · since <t:1767225600:R>');
  const offline = server({ state: 'offline', players: null, answeredAt: at });
  expect(textOf(board([offline]))).toContain('The game last answered <t:1767225600:R>.');
  expect(textOf(board([offline]))).not.toContain('Players');
  expect(textOf(board([server({ state: 'unknown', since: null, players: null })]))).toContain(
    '**Unknown**\\nThe game has not answered yet.',
  );
  const both = board([server(), offline], 'cluster');
  expect(textOf(both)).toContain('**2 players**');
  expect(textOf(both)).toContain('🔴');
});

// Guarantee: the same facts give the same message, whichever post created it; it is found by its own post only.
test('the digest and the mark', () => {
  const one = board([server()]);
  expect(digestOf(one, 'en')).toBe(digestOf(structuredClone(one), 'en'));
  expect(digestOf(one, 'en')).not.toBe(digestOf(one, 'pt-BR'));
  expect(digestOf(one, 'en')).not.toBe(digestOf(board([server({ players: 3 })]), 'en'));
  const { embeds } = statusBody({ board: one, language: 'en', post: 'abc' });
  expect(isStatusOf('abc', { embeds: embeds as never })).toBe(true);
  expect(isStatusOf('abcd', { embeds: embeds as never })).toBe(false);
});

// Guarantee: the message of a community with a name shows it, and is written again when the name changes.
test('in the name of a community', () => {
  const one = board([server()]);
  const named = { ...one, community: 'The Keep' };
  expect(statusBody({ board: one, language: 'en' }).embeds?.[0]?.footer?.text).toBe('Castellan');
  expect(statusBody({ board: named, language: 'en' }).embeds?.[0]?.footer?.text).toBe('The Keep');
  expect(digestOf(named, 'en')).not.toBe(digestOf(one, 'en'));
});
