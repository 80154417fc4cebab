import { expect, test } from 'vitest';
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
