import { appendFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { liveCloseCodes, type ServerMessage, serverMessage } from '#contracts/kernel/live.ts';
import type { LogComponent } from '#contracts/operations/component-logs.ts';
import { componentLogsHttp } from '#contracts/operations/component-logs.ts';
import { eventually } from '#harness/eventually.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { createRedactor } from '#runtime/redact.ts';
import type { LiveTopic, Subscriber } from '../../kernel/live/live-topic.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, changeRole, customRole, person } from '../../kernel/testing/call.ts';
import { silentLog } from '../../kernel/testing/feature-api.ts';
import { openLiveClient } from '../../kernel/testing/live-client.ts';
import { testAgentSecret, testDesktopCredential } from '../../kernel/testing/test-api.ts';
import { createComponentLogTopic } from './component-log-topic.ts';

let folder: TemporaryFolder;
let topic: LiveTopic;

beforeEach(async () => {
  folder = await temporaryFolder('log-topic');
  topic = createComponentLogTopic({ folder: folder.path, redact: createRedactor(), log: silentLog });
});
afterEach(async () => {
  topic[Symbol.dispose]();
  await folder[Symbol.asyncDispose]();
});

const path = (name = 'api.log') => join(folder.path, name);
const append = (text: string) => appendFile(path(), text);
const rotate = (number: number) => rename(path(), path(`api.log.${number}`));

const client = () => {
  const messages: ServerMessage[] = [];
  const state = { isReady: true };
  const subscriber: Subscriber = {
    isReady: () => state.isReady,
    send: (message) => messages.push(serverMessage.parse(JSON.parse(message))),
    maySee: () => true,
  };
  const logs = () => messages.filter((message) => message.type === 'log');
  return {
    subscriber,
    messages,
    state,
    logs,
    said: () => logs().flatMap(({ rows }) => rows.map(({ message }) => message)),
    skipped: () => logs().reduce((sum, { skipped }) => sum + skipped, 0),
    ids: () => logs().flatMap(({ rows }) => rows.map(({ id }) => id)),
    cursor: () => logs().at(-1)?.cursor ?? '',
    /** Resolves with the answer to a subscription. */
    answered: () => eventually(() => messages.find(({ type }) => type === 'subscribed') ?? expect.fail()),
  };
};
const subscribe = (
  to: ReturnType<typeof client>,
  since: string | null = null,
  component: LogComponent = 'api',
) => topic.subscribe(to.subscriber, { since, serverId: null, component });

// Guarantee: a client that watches a log gets what is written from then on, line by line, when a line is complete; over rotations too.
test('a log that grows', async () => {
  await append('before\n');
  const one = client();
  using _one = subscribe(one);
  expect(await one.answered()).toMatchObject({ topic: 'log', component: 'api', resumed: false });
  await append('{"level":"warn","msg":"a"}\nhal');
  await eventually(() => expect(one.said()).toEqual(['a']));
  expect(one.logs()[0]).toMatchObject({ component: 'api', skipped: 0, rows: [{ level: 'warn' }] });
  await append('f\nwithout an end');
  await eventually(() => expect(one.said()).toEqual(['a', 'half']));
  await rotate(1);
  await append('b\n');
  await rotate(2);
  await append('c\n');
  await rotate(3);
  await eventually(() => expect(one.said()).toEqual(['a', 'half', 'without an end', 'b', 'c']));
  await append('d\n');
  await eventually(() => expect(one.said().at(-1)).toBe('d'));
  expect(new Set(one.ids()).size).toBe(6);
});

// Guarantee: a client that returns with a cursor gets what was written in between, once, together with others who were there all the time.
test('resuming', async () => {
  await append('0\n');
  const here = client();
  using _here = subscribe(here);
  await here.answered();
  const seen: string[] = [];
  let cursor: string | null = null;
  for (let turn = 1; turn <= 6; turn += 1) {
    const guest = client();
    using _guest = subscribe(guest, cursor);
    expect(await guest.answered()).toMatchObject({ resumed: turn > 1 });
    await append(`in ${turn}\n`);
    await eventually(() => expect(guest.said().at(-1)).toBe(`in ${turn}`));
    cursor = guest.cursor();
    seen.push(...guest.said());
    _guest[Symbol.dispose]();
    await append(`out ${turn}\n`);
    if (turn % 2 === 0) await rotate(turn / 2);
  }
  await eventually(() => expect(here.said().at(-1)).toBe('out 6'));
  expect([...seen, 'out 6']).toEqual(here.said());
});

// Guarantee: a cursor that is invalid, or too far back, is reported; the client reads the list again and misses nothing after.
test.each(['nonsense', '7.1', '1.0', '2.5000000'])('since %s', async (since) => {
  await writeFile(path('api.log.1'), 'x'.repeat(1000).concat('\n').repeat(9000));
  await append('now\n');
  const one = client();
  using _one = subscribe(one, since);
  expect(await one.answered()).toMatchObject({ resumed: false });
  await append('next\n');
  await eventually(() => expect(one.said()).toEqual(['next']));
});

// Guarantee: however fast a log grows, and however slowly a client takes it, little is kept; it learns how many lines are missing.
test('a flood, and a slow client', async () => {
  await append('');
  const [quick, slow] = [client(), client()];
  using _quick = subscribe(quick);
  using _slow = subscribe(slow);
  await quick.answered();
  await slow.answered();
  slow.state.isReady = false;
  const lines = Array.from({ length: 40_000 }, (_, index) => `line ${index}`.padEnd(100, '.'));
  await append(lines.join('\n').concat('\n'));
  await eventually(() => expect(quick.said().length + quick.skipped()).toBe(40_000));
  await append(`${'z'.repeat(100_000)}\nlast\n`);
  await eventually(() => expect(quick.said().at(-1)).toBe('last'));
  expect(slow.logs()).toEqual([]);
  slow.state.isReady = true;
  await eventually(() => expect(slow.said().at(-1)).toBe('last'));
  expect(slow.said()).toHaveLength(500);
  expect(slow.skipped()).toBe(40_002 - 500);
  for (const message of [...quick.logs(), ...slow.logs()])
    expect(JSON.stringify(message).length).toBeLessThan(300_000);
});

// Guarantee: a log that does not exist yet is empty; one that someone emptied or removed starts again.
test('no log yet', async () => {
  const one = client();
  using _one = subscribe(one, null, 'bot');
  await one.answered();
  await appendFile(path('bot.log'), 'first and longer\n');
  await eventually(() => expect(one.said()).toEqual(['first and longer']));
  await writeFile(path('bot.log'), 'anew\n');
  await eventually(() => expect(one.said().at(-1)).toBe('anew'));
});

// Guarantee: an unreadable log ends the subscription with a reason, and works again once it can be read.
test('a log that cannot be read', async () => {
  await rm(folder.path, { recursive: true });
  await writeFile(folder.path, 'a file where the folder should be');
  const one = client();
  subscribe(one);
  await eventually(() => expect(one.messages).toMatchObject([{ type: 'ended', code: 'LOG_UNREADABLE' }]));
  await rm(folder.path);
  await mkdir(folder.path);
  const two = client();
  using _two = subscribe(two);
  await two.answered();
});

const running = apiForThisFile();

// Guarantee: from the page to the live stream no line is lost or doubled; secrets stay masked; it requires logs.read
// for as long as it lasts, and the name of a component.
test('over the wire', async () => {
  const { port, home } = running();
  await mkdir(join(home, 'logs'));
  const file = join(home, 'logs', 'postgres.log');
  await writeFile(file, 'LOG:  one\n');
  const role = await customRole(port, ['logs.read']);
  const { token } = await person(port, { role });
  const page = await call(port, componentLogsHttp.search, { as: token, params: { component: 'postgres' } });
  expect(page.json.rows).toMatchObject([{ message: 'LOG:  one' }]);
  await appendFile(file, `LOG:  two ${testAgentSecret}\n`);
  using live = await openLiveClient(port, token);
  live.send({
    type: 'subscribe',
    topic: 'log',
    component: 'postgres',
    since: String(page.json.liveCursor),
  });
  expect(await live.next('subscribed')).toMatchObject({ component: 'postgres', resumed: true });
  expect((await live.next('log')).rows).toMatchObject([{ message: 'LOG:  two [redacted]' }]);

  live.send({ type: 'unsubscribe', topic: 'log', component: 'postgres' });
  expect(await live.next('ended')).toMatchObject({ component: 'postgres', code: null });
  live.send({ type: 'subscribe', topic: 'log', component: 'postgres' });
  await live.next('subscribed');
  await changeRole(port, {
    as: testDesktopCredential,
    id: role,
    edit: { name: 'narrowed', permissions: ['stack.read'] },
  });
  expect(await live.next('ended')).toMatchObject({ component: 'postgres', code: 'FORBIDDEN' });

  live.send({ type: 'subscribe', topic: 'log' });
  expect((await live.closed).code).toBe(liveCloseCodes.badMessage);
  for (const wrong of [
    { topic: 'health', component: 'api' },
    { topic: 'log', component: '../.env' },
  ]) {
    using other = await openLiveClient(port, token);
    other.socket.send(JSON.stringify({ type: 'subscribe', ...wrong }));
    expect((await other.closed).code).toBe(liveCloseCodes.badMessage);
  }
});
