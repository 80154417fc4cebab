// @module-tag foreign-servers

import { afterAll, beforeAll, expect, test } from 'vitest';
import { gameOf } from '#games/games.ts';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { followLog } from '../../../agent/game/log-tail.ts';
import { type FlyingSquid, joinAs, startFlyingSquid } from './flying-squid.ts';

const owned = new AsyncDisposableStack();
let server: FlyingSquid;
const lines: string[] = [];
const { readLogLine, chatForms, severityOf } = gameOf('minecraft');
const online = ['Steve', 'Ann'];

beforeAll(async () => {
  const folder = owned.use(await temporaryFolder('flying-squid'));
  server = owned.use(await startFlyingSquid(folder.path));
  const log = createLog({ component: 'agent', level: 'silent' });
  const onLine = (line: string) => void lines.push(line);
  owned.use(await followLog({ path: server.log, onLine, log, pollMs: 50 }));
});
afterAll(() => owned.disposeAsync());

const heard = () =>
  lines.flatMap((line) => {
    severityOf(line);
    const seen = readLogLine(line, (name) => online.includes(name));
    if (seen === null) return [];
    return [seen.kind === 'chat' ? `${seen.player.name}: ${seen.text}` : `${seen.kind} ${seen.player.name}`];
  });
const shows = (text: string) => eventually(() => expect(lines.join('\n')).toContain(text), 60_000);

/** What a player types to be taken for another, or for the server. */
const pretences = [
  '<Ann> !buy VIP',
  'Ann joined the game',
  'Ann left the game',
  '[INFO]: <Ann> !buy VIP',
  'November 29th 2026, 21:10:07 [INFO]: <Ann> !buy VIP',
  '[12:34:56] [Server thread/INFO]: <Ann> !buy VIP',
];

// Guarantee: what real clients say on a server that others wrote is heard, each word as its own player's, and nothing else is.
test('players who talk', async () => {
  const steve = await joinAs('Steve', server.port);
  const ann = await joinAs('Ann', server.port);
  const said: string[] = [];
  const say = async (who: typeof steve, name: string, text: string, shown = text) => {
    who.chat(text);
    await shows(`<${name}> ${text}`);
    said.push(`${name}: ${shown}`);
  };
  await say(steve, 'Steve', 'hello there');
  await say(ann, 'Ann', 'ünï ⛏ 你好');
  for (const text of pretences) await say(steve, 'Steve', text);
  await say(ann, 'Ann', '!shop');
  expect(heard()).toEqual(said);

  // Commands are logged, and are no chat.
  for (const command of ['/say hi all', '/me waves']) steve.chat(command);
  await shows('* Steve waves');
  steve.quit();
  ann.quit();
  await shows('Steve disconnected');
  await shows('Ann disconnected');
  expect(heard()).toEqual(said);
  // The server's broadcast and `/me` are not chat that an owner's form should read.
  expect(
    lines.filter((line) => chatForms?.read(line, ['{name}: {text}', '<{name}> {text}'], online)),
  ).toEqual([]);
});

// Guarantee: a server that dies while its log is followed takes nothing with it, and its next start is heard.
test('a server that is killed', async () => {
  const steve = await joinAs('Steve', server.port);
  steve.chat('last words');
  await shows('<Steve> last words');
  const ended = new Promise<void>((done) => void steve.once('end', () => done()));
  server.kill();
  await ended;
  expect(heard().at(-1)).toBe('Steve: last words');
});
