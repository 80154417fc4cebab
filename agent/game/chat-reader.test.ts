import { expect, test } from 'vitest';
import type { GameId } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { openChatReader } from './chat-reader.ts';
import { createPresentNames } from './present-names.ts';

const log = createLog({ component: 'agent', level: 'silent' });
const stamp = '[12:34:56] [Server thread/INFO]: ';

// Guarantee: chat in a chosen form is heard for players who are online, by the next agent as well; what matches none is counted, told
// once, and told again on a new connection.
test('forms of chat', async () => {
  await using folder = await temporaryFolder('chat');
  const present = createPresentNames(() => [{ name: 'Ann', platformId: null, handle: 'Ann' }]);
  let news = 0;
  const open = () =>
    openChatReader({
      stateFolder: folder.path,
      game: gameOf('minecraft'),
      present,
      mask: (line) => line.replace('secret', '***'),
      onNews: () => {
        news += 1;
      },
      log,
    });
  const hear = (reader: Awaited<ReturnType<typeof open>>, said: string) => {
    const seen = reader.read(stamp + said);
    present.take(seen);
    return seen?.kind === 'chat' ? [seen.player.name, seen.text] : (seen?.kind ?? null);
  };
  const first = await open();
  first.rewind();
  expect(first.take()).toBeNull();
  expect(hear(first, 'Steve joined the game')).toBe('join');
  expect(hear(first, '[Owner] Steve: my secret')).toBeNull();
  first.rewind();
  expect(first.take()).toEqual({
    forms: 0,
    unread: { count: 1, example: `${stamp}[Owner] Steve: my ***` },
  });
  first.setForms(['[Owner] {name}: {text}']);
  expect(news).toBe(1);
  expect(first.take()).toEqual({ forms: 1, unread: { count: 0, example: null } });
  expect(hear(first, '[Owner] Steve: hello')).toEqual(['Steve', 'hello']);
  expect(hear(first, '[Owner] Ann: hello')).toEqual(['Ann', 'hello']);
  expect(hear(first, '[Owner] Eve: hello')).toBeNull();
  expect(hear(first, '<Steve> [Owner] Ann: !buy')).toEqual(['Steve', '[Owner] Ann: !buy']);
  expect(hear(first, 'Steve left the game')).toBe('leave');
  expect(hear(first, '[Owner] Steve: hello')).toBeNull();
  await eventually(async () => expect(hear(await open(), '[Owner] Ann: again')).toEqual(['Ann', 'again']));
});

// Guarantee: chat that is read as no one's is counted and shown in games without forms, too; what others said is not.
test.each<[GameId, string[], string[]]>([
  [
    'ark-se',
    ['2026.11.28_12.34.57: [Admin] Ann: hi'],
    [
      '2026.11.28_12.34.56: Ann (one): Bob (two): hi',
      '2026.11.28_12.34.56: SERVER: Ann: restart',
      '2026.11.28_12.34.56: Tribe A, ID 1: Day 2, 3:4:5: Ann: no',
      '2026.11.28_12.34.56: Eve - hi: hi',
    ],
  ],
  [
    'seven-days-to-die',
    [
      "2026-06-06T03:01:01 951.114 INF Chat (from 'Unknown_1', entity id '171', to 'Global'): 'Ann': yes",
      "2026-08-12T17:39:44 1292.173 INF Chat handled by mod 'ServerTools': Chat (from 'Steam_76561198025588951', entity id '171', to 'Global'): 'Ann': !shop",
    ],
    [
      "2026-08-12T17:39:43 1291.173 INF Chat (from 'Steam_76561198025588951', entity id '171', to 'Global'): 'Ann':/vote",
      "2026-08-12T17:39:43 1291.174 INF Chat handled by mod 'PrismaCore': Chat (from 'Steam_76561198025588951', entity id '171', to 'Global'): 'Ann': /vote",
      "2026-06-06T03:01:01 951.114 INF Chat (from 'Steam_76561198025588951', entity id '171', to 'Global'): 'Ann': hi",
      "2026-06-06T03:01:01 951.114 INF Chat (from 'Unknown_1', entity id '171', to 'Party'): 'Ann': hi",
      "2026-06-06T03:01:01 951.114 INF Player 'Ann' died",
    ],
  ],
  [
    'palworld',
    ['[2026-07-17 17:39:45] [CHAT] [Global] <Ann> hey', '[2026-07-17 17:39:45] [CHAT] <Ann> !x> !buy'],
    ['[2026-07-17 17:39:45] [CHAT] <Ann> hi', '[2026-07-17 17:39:45] [LOG] Ann executed the command. /x'],
  ],
])('chat of %s that is not read', async (id, unread, others) => {
  await using folder = await temporaryFolder('chat');
  const present = createPresentNames(() =>
    ['Ann', 'Bob'].map((name) => ({ name, platformId: null, handle: name })),
  );
  const game = gameOf(id);
  const reader = await openChatReader({
    stateFolder: folder.path,
    game,
    present,
    mask: (line) => line,
    onNews: () => undefined,
    log,
  });
  for (const line of [...others, ...unread]) reader.read(line);
  expect(reader.take()).toEqual({ forms: 0, unread: { count: unread.length, example: unread.at(-1) } });
});
