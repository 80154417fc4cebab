import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Permission } from '#contracts/identity/permissions.ts';
import type { ConsoleEntry } from '#contracts/servers/console.ts';
import { type CommandResult, longestReply } from '#contracts/servers/games.ts';
import { eventually } from '#harness/eventually.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { ConsoleRouter, RoutedCommand } from '../../kernel/commands/console-router.ts';
import { createLeases, type Leases } from '../../kernel/commands/leases.ts';
import { isRefusal, type Refusal } from '../../kernel/http/refusal.ts';
import {
  type MigratedDatabase,
  migratedDatabase,
  silentLog,
  testOwner,
} from '../../kernel/testing/feature-api.ts';
import { type Console, createConsole } from './console.ts';
import { insertServers } from './testing/servers-in-use.ts';

let database: MigratedDatabase;
let console: Console;
/** What was sent to games, as `server command`. */
let sent: string[];
let entries: ConsoleEntry[];
/** What the games do; they answer unless the test says otherwise. */
let reach: ConsoleRouter['run'];

const hiddenSecrets: [string, string][] = [];
/** What Game Agents have reported about commands. */
let known: Map<string, CommandResult>;

const result = (reply: string, more: Partial<CommandResult> = {}): RoutedCommand => ({
  result: { outcome: 'answered', reply, truncated: false, sent: true, durationMs: 12.6, ...more },
  via: 'direct',
  detail: null,
});
let leases: Leases;
/** The former process, if any, is known to have ended. */
const begin = async () => {
  const former = leases?.processId;
  leases = createLeases({ db: database.db, log: silentLog, endedProcesses: former ? [former] : [] });
  await leases.begin();
};
const open = () =>
  createConsole({
    db: database.db,
    leases,
    router: {
      run(serverId, command, options) {
        sent.push(`${serverId} ${command}`);
        return reach(serverId, command, options);
      },
    },
    masks: { gave: () => undefined },
    agents: { results: async () => known },
    topic: { entry: (entry) => void entries.push(entry) },
    hiddenSecrets: { hide: (...hidden) => void hiddenSecrets.push(hidden) },
    log: silentLog,
  });

beforeEach(async () => {
  database = await migratedDatabase();
  await insertServers(database.db, ['one', 'two', 'three']);
  sent = [];
  entries = [];
  hiddenSecrets.length = 0;
  known = new Map();
  reach = async (serverId, command) => result(`${command} on ${serverId}`);
  await begin();
  console = open();
});
afterEach(async () => {
  await console[Symbol.asyncDispose]();
  await leases[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const by = { actor: testOwner, address: '::1' };
const run = (serverIds: string[], command = 'list', actor: Actor = testOwner) =>
  console.run({ serverIds, command, timeoutMs: 1000 }, { ...by, actor });
const granted = (answer: ConsoleEntry[] | Refusal): ConsoleEntry[] => {
  if (isRefusal(answer)) throw new Error(answer.refused);
  return answer;
};
const rows = () => database.db.selectFrom('console_commands').selectAll().orderBy('id').execute();
const audit = () => database.db.selectFrom('audit_logs').selectAll().orderBy('id').execute();

// Guarantee: the game gets the whole command; history, audit and watchers get it without its password.
test('a command with a password', async () => {
  const answered = granted(await run(['one', 'two'], 'authme register Steve hunter2'));
  expect(sent).toEqual(['one authme register Steve hunter2', 'two authme register Steve hunter2']);
  expect(answered[0]?.command).toBe('authme register Steve ***');
  expect(JSON.stringify([(await rows()).map(({ command }) => command), await audit()])).not.toContain(
    'hunter2',
  );
  expect(JSON.stringify(entries.map(({ command }) => command))).not.toContain('hunter2');
});

// Guarantee: a password that a game repeats in its reply reaches neither the history nor the live topic.
test('a password in a reply', async () => {
  await run(['one', 'two'], 'authme register Steve hunter2');
  const [first] = await rows();
  expect(first?.reply).toBe('authme register Steve *** on one');
  expect(JSON.stringify([await rows(), await audit(), entries])).not.toContain('hunter2');
});

// Guarantee: before a command is sent it is in the history, as running, and in the audit log; afterwards, with its outcome.
test('a run', async () => {
  reach = async (serverId, command) => {
    const written = await rows();
    expect(written).toHaveLength(2);
    expect(written.find(({ server_id }) => server_id === serverId)).toMatchObject({ outcome: null });
    expect(await audit()).toHaveLength(1);
    return result(`${command} on ${serverId}`);
  };
  const answered = granted(await run(['two', 'one'], 'say secret-free'));
  expect(answered).toMatchObject([
    { serverId: 'two', outcome: 'answered', reply: 'say secret-free on two', durationMs: 13, via: 'direct' },
    { serverId: 'one', outcome: 'answered', reply: 'say secret-free on one' },
  ]);
  expect(answered[0]?.actor).toEqual({ kind: 'admin', id: 'owner-1', name: 'Owner' });
  expect(answered[0]?.runId).toBe(answered[1]?.runId);
  expect((await rows()).map(({ outcome, reply }) => [outcome, reply])).toEqual([
    ['answered', 'say secret-free on two'],
    ['answered', 'say secret-free on one'],
  ]);
  const [row] = await audit();
  expect(row).toMatchObject({
    action: 'console.run',
    after: { command: 'say secret-free', servers: ['two', 'one'] },
  });
  expect(entries.map(({ outcome }) => outcome)).toEqual([null, null, 'answered', 'answered']);
});

// Guarantee: an actor without the permission for one of the servers sends nothing to any of them; the same holds for
// one who names a server that is not in use.
test('refused as a whole', async () => {
  const held = new Set<Permission>(['console.write', 'console.read']);
  const actor: Actor = {
    ...testOwner,
    permissions: new Set(['console.read']),
    serverPermissions: new Map([['one', held]]),
  };
  expect(await run(['one', 'two'], 'list', actor)).toMatchObject({ refused: 'FORBIDDEN' });
  expect(await run(['nowhere'], 'list', actor)).toMatchObject({ refused: 'FORBIDDEN' });
  expect(await run(['one', 'nowhere'])).toMatchObject({ refused: 'NOT_FOUND' });
  await database.db
    .updateTable('game_servers')
    .set({ archived_at: new Date() })
    .where('id', '=', 'two')
    .execute();
  expect(await run(['one', 'two'])).toMatchObject({ refused: 'SERVER_ARCHIVED' });
  expect([sent, entries, await rows(), await audit()]).toEqual([[], [], [], []]);
  expect(granted(await run(['one'], 'list', actor))).toHaveLength(1);
});

// Guarantee: a hundred servers are asked in parallel, not one after the other, and answer in the order in which they were named.
test('in parallel', async () => {
  const ids = Array.from({ length: 100 }, (_, index) => `server-${index}`);
  await insertServers(database.db, ids);
  const all = Promise.withResolvers<void>();
  reach = async (serverId) => {
    if (sent.length === ids.length) all.resolve();
    await all.promise;
    return result(serverId);
  };
  expect(granted(await run(ids)).map(({ reply }) => reply)).toEqual(ids);
});

// Guarantee: whatever a game replies is stored, as far as text can be; what exceeds the limit is cut and marked.
test('strange replies', async () => {
  reach = async () => result(`a\0b \ud800 \u202e ☃ ${'x'.repeat(longestReply)}`);
  const [entry] = granted(await run(['one']));
  expect(entry?.reply?.slice(0, 9)).toBe('a\ufffdb \ufffd \u202e ☃');
  expect([entry?.reply?.length, entry?.truncated]).toEqual([longestReply, true]);
  expect((await rows())[0]?.reply).toBe(entry?.reply);
});

// Guarantee: the response says why there is no reply, and whether the command may have been carried out anyway.
test('without an answer', async () => {
  reach = async (serverId) => ({
    ...result('', { outcome: 'timeout', reply: null, sent: serverId === 'one' }),
    detail: serverId === 'two' ? 'Nobody is at home.' : null,
  });
  const replies = granted(await run(['one', 'two'])).map(({ reply }) => reply);
  expect(replies).toEqual([
    'The game did not answer in time. The command may have been carried out.',
    'Nobody is at home.',
  ]);
});

// Guarantee: a command that a killed API left running is unknown after the next start, and is not sent again.
test('killed while a command runs', async () => {
  reach = () => new Promise(() => undefined);
  void run(['one', 'two']);
  await eventually(() => expect(sent).toHaveLength(2));
  reach = async () => result('');
  await begin();
  console = open();
  await console.prepare();
  expect((await rows()).map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown']);
  expect(sent).toHaveLength(2);
});

// Guarantee: repeating the preparation, as when the database was lost in the middle of the first one, gives up nothing
// that still runs.
test('prepared again while a command runs', async () => {
  const end = Promise.withResolvers<void>();
  reach = async () => {
    await end.promise;
    return result('done');
  };
  const running = run(['one']);
  await eventually(() => expect(sent).toHaveLength(1));
  await console.prepare();
  expect(await rows()).toMatchObject([{ outcome: null }]);
  end.resolve();
  expect(granted(await running)).toMatchObject([{ outcome: 'answered', reply: 'done' }]);
});

// Guarantee: a process that starts beside another one leaves its commands alone; one that it takes for dead still gets its
// answer into the history, next to what was supposed.
test.each([
  ['lives', { outcome: 'answered', reply: 'done', revised_from: null }],
  ['is taken for dead', { outcome: 'answered', reply: 'done', revised_from: 'unknown' }],
])('another process starts while one that %s waits for its game', async (fate, ended) => {
  const end = Promise.withResolvers<void>();
  reach = async () => {
    await end.promise;
    return result('done');
  };
  const running = run(['one']);
  await eventually(() => expect(sent).toHaveLength(1));
  const [first, waiting] = [leases, console];
  if (fate === 'lives') leases = createLeases({ db: database.db, log: silentLog });
  else await begin();
  console = open();
  await console.prepare();
  expect(await rows()).toMatchObject([{ outcome: fate === 'lives' ? null : 'unknown' }]);
  end.resolve();
  expect(granted(await running)).toMatchObject([{ outcome: 'answered', reply: 'done' }]);
  expect(await rows()).toMatchObject([ended]);
  await waiting[Symbol.asyncDispose]();
  await first[Symbol.asyncDispose]();
});

// Guarantee: an absurd duration, which an agent may report, does not keep its reply out of the history.
test('an endless duration', async () => {
  reach = async () => result('done', { durationMs: 1e300 });
  expect(granted(await run(['one']))).toMatchObject([{ outcome: 'answered' }]);
  expect(await rows()).toMatchObject([{ outcome: 'answered', duration_ms: 2 ** 31 - 1 }]);
});

// Guarantee: a stop does not wait for games, and leaves no command running: what was sent is unknown, the rest cancelled.
test('stopped while a command runs', async () => {
  reach = (serverId, _command, { signal }) =>
    new Promise((resolve) => {
      const cancelled = result('', { outcome: 'cancelled', reply: null, sent: serverId === 'one' });
      signal?.addEventListener('abort', () => resolve(cancelled));
    });
  const running = run(['one', 'two']);
  await eventually(() => expect(sent).toHaveLength(2));
  await console[Symbol.asyncDispose]();
  expect(granted(await running).map(({ outcome }) => outcome)).toEqual(['unknown', 'cancelled']);
  expect((await rows()).map(({ outcome }) => outcome)).toEqual(['unknown', 'cancelled']);
  expect(await run(['one'])).toMatchObject({ refused: 'SHUTTING_DOWN' });
});

// Guarantee: a reply that the database does not take is still returned, and written as soon as it does.
test('without the database at the end', async () => {
  const rename = (from: string, to: string) =>
    database.pool.query(`alter table ${from} rename to ${to}`).then(() => undefined);
  reach = async () => {
    await rename('console_commands', 'away');
    return result('done');
  };
  expect(granted(await run(['one']))).toMatchObject([{ outcome: 'answered', reply: 'done' }]);
  await rename('away', 'console_commands');
  await eventually(async () => expect(await rows()).toMatchObject([{ outcome: 'answered', reply: 'done' }]));
});

// Guarantee: what cannot be written, in the history and in the audit log, is not sent.
test('without the database at the beginning', async () => {
  await database.pool.query('alter table audit_logs rename to away');
  await expect(run(['one'])).rejects.toThrow();
  expect([sent, entries, await rows()]).toEqual([[], [], []]);
  await database.pool.query('alter table away rename to audit_logs');
  expect(granted(await run(['one']))).toHaveLength(1);
});

// Guarantee: no one has more than ten runs under way; others are not delayed by them.
test('too many at once', async () => {
  const end = Promise.withResolvers<void>();
  reach = async () => {
    await end.promise;
    return result('');
  };
  const running = Array.from({ length: 10 }, () => run(['one']));
  expect(await run(['one'])).toMatchObject({ refused: 'RATE_LIMITED', retryAfterMs: 1000 });
  const other = run(['one'], 'list', { ...testOwner, id: 'owner-2' });
  end.resolve();
  for (const each of [...running, other]) expect(granted(await each)).toHaveLength(1);
  expect(granted(await run(['one']))).toHaveLength(1);
});

// Guarantee: a command of another feature is in the history and, under that feature's name, in the audit log.
test('given by another feature', async () => {
  const given = { serverId: 'one', command: 'kick Steve', timeoutMs: 1000 };
  const answer = await console.give({ ...given, action: 'players.kick', target: 'player:7' }, by);
  expect(answer).toMatchObject({ entry: { command: 'kick Steve' }, result: { reply: 'kick Steve on one' } });
  expect(await console.give({ ...given, serverId: 'nowhere' }, by)).toMatchObject({ refused: 'NOT_FOUND' });
  expect(await rows()).toMatchObject([{ command: 'kick Steve', outcome: 'answered' }]);
  expect(await audit()).toMatchObject([{ action: 'players.kick', target: 'player:7' }]);
});

// Guarantee: a result that comes when no one waits any more replaces the history's outcome, once, and the history keeps
// the old one; what the game itself has replied, and the commands of other servers, stay.
test('a late result', async () => {
  const { result: answered } = result('done');
  for (const outcome of ['unknown', 'timeout', 'answered'] as const) {
    reach = async () => ({ ...result('first', { outcome }), via: 'agent' });
    granted(await run(['one'], outcome));
  }
  const given = await rows();
  entries = [];
  for (const { id } of given) {
    await console.takeLate('two', `console-${id}`, answered);
    await console.takeLate('one', `console-${id}`, answered);
    await console.takeLate('one', `console-${id}`, answered);
  }
  await console.takeLate('one', 'not-of-the-console', answered);
  expect((await rows()).map(({ outcome, reply, revised_from }) => [outcome, reply, revised_from])).toEqual([
    ['answered', 'done', 'unknown'],
    ['answered', 'done', 'timeout'],
    ['answered', 'first', null],
  ]);
  expect(entries).toMatchObject([
    { id: given[0]?.id, outcome: 'answered', revised: { from: 'unknown' } },
    { id: given[1]?.id, outcome: 'answered', revised: { from: 'timeout' } },
  ]);
});

// Guarantee: a late reply shows no secret of its command either.
test('a late result of a command with a secret', async () => {
  const given = { serverId: 'one', command: 'tell Steve K7WD-3M9P', timeoutMs: 1000, secret: 'K7WD-3M9P' };
  reach = async () => ({ ...result('', { outcome: 'timeout' }), via: 'agent' });
  await console.give({ ...given, action: 'players.whisper', target: 'player:7' }, by);
  expect(hiddenSecrets).toEqual([['one', 'K7WD-3M9P']]);
  const [{ id } = { id: '' }] = await rows();
  await console.takeLate('one', `console-${id}`, result('You whisper to Steve: K7WD-3M9P').result);
  expect(await rows()).toMatchObject([
    { command: 'tell Steve [code]', reply: '[code]', outcome: 'answered' },
  ]);
  expect(JSON.stringify([entries, await audit()])).not.toContain('K7WD');
});

// Guarantee: a result that arrives before its own caller's end stays, live and in the history.
test('a result that comes first', async () => {
  reach = async (serverId, _command, { id = '' }) => {
    await console.takeLate(serverId, id, result('in time').result);
    return { ...result(''), result: { ...result('').result, outcome: 'timeout', reply: null }, via: 'agent' };
  };
  expect(granted(await run(['one']))).toMatchObject([{ outcome: 'answered', reply: 'in time' }]);
  expect(entries.at(-1)).toMatchObject({ outcome: 'answered' });
  expect(await rows()).toMatchObject([{ outcome: 'answered', reply: 'in time', revised_from: null }]);
});

// Guarantee: a command that a killed process left running gets its agent's result, if there is one.
test('left running, but answered', async () => {
  await console[Symbol.asyncDispose]();
  const left = await database.db
    .insertInto('console_commands')
    .values(
      ['first', 'second'].map((command) => ({
        server_id: 'one',
        run_id: 'r',
        actor: 'admin:1',
        actor_name: null,
        command,
      })),
    )
    .returning('id')
    .execute();
  known.set(`console-${left[0]?.id}`, result('after all').result);
  console = open();
  await console.prepare();
  expect(await rows()).toMatchObject([
    { outcome: 'answered', reply: 'after all', via: 'agent' },
    { outcome: 'unknown' },
  ]);
});
