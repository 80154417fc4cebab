import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import type { ConnectOptions, ConsoleTarget, GameConnection } from '../connection.ts';
import { startRawPeer, writePieces } from '../wire/testing/raw-peer.ts';
import { connectTelnet } from './telnet.ts';
import { banner, startTelnetPeer } from './testing/telnet-peer.ts';

const patient = { connectTimeoutMs: 20_000 };
const runPatiently = { timeoutMs: 20_000 };

const open = async (target: ConsoleTarget, options: ConnectOptions = patient): Promise<GameConnection> => {
  const opened = await connectTelnet(target, options);
  if ('failure' in opened) throw new Error(`${opened.failure.outcome}: ${opened.failure.detail}`);
  return opened.connection;
};
const failToOpen = async (target: ConsoleTarget, options: ConnectOptions = patient) => {
  const opened = await connectTelnet(target, options);
  if ('failure' in opened) return opened.failure;
  opened.connection[Symbol.dispose]();
  throw new Error('It connected.');
};

const log = (text: string) => `2026-11-21T10:00:00 123.456 INF ${text}`;
const players = [
  '0. id=171, Löwe, der Große ⛏, pos=(1.0, 2.0, 3.0), rot=(0.0, 0.0, 0.0), remote=True, health=92',
  'Total of 1 in the game',
];

// Guarantee: the login follows each game's dialogue, and a reply contains only the game's lines.
test.each([
  ['a prompt without a line break', 'correct horse', 'Please enter password:'],
  ['a prompt with one', 'correct horse', 'Please enter password:\r\n'],
  [
    'IAC and NUL in the prompt',
    'correct horse',
    Buffer.concat([Buffer.from([255, 251, 1, 0]), Buffer.from('Please enter password: \0')]),
  ],
  ['no password', '', undefined],
])('%s', async (_name, password, prompt) => {
  await using peer = await startTelnetPeer({ password, onCommand: () => players, ...(prompt && { prompt }) });
  using connection = await open(peer.target(password));
  expect(await connection.run('lp', runPatiently)).toMatchObject({
    outcome: 'answered',
    reply: players.join('\n'),
    truncated: false,
    sent: true,
  });
  expect(peer.commands).toEqual(['lp']);
});

// Guarantee: a game that accepts any password is logged in to as soon as it is ready.
test('a password that nobody asks for', async () => {
  await using peer = await startTelnetPeer({ password: '', onCommand: () => ['yes'] });
  using connection = await open(peer.target('unneeded'));
  expect(await connection.run('version', runPatiently)).toMatchObject({ reply: 'yes' });
  expect(peer.commands).toEqual(['version']);
});

// Guarantee: a wrong password is tried once, reported as such, and shown nowhere.
test.each([
  ['wrong', 'Password incorrect, please enter password:'],
  ['wrong', 'Password incorrect, please enter password:\r\n'],
  ['wrong', '\r\nToo many failed login attempts!\r\n'],
  ['', 'never said'],
  ['wrong', null],
])('password "%s" is answered by %j', async (password, answer) => {
  let said = '';
  await using peer = await startRawPeer((socket) => {
    socket.write('Please enter password:');
    socket.on('data', (bytes) => {
      said += bytes;
      if (answer === null) socket.end();
      else socket.write(answer);
    });
  });
  const failure = await failToOpen(peer.target(password));
  expect(failure.outcome).toBe('authentication failed');
  if (password) expect(failure.detail).not.toContain(password);
  await eventually(() => expect(peer.sockets[0]?.readyState).toBe('closed'));
  expect(said).toBe(password && `${password}\n`);
});

// Guarantee: after a password only the game's own confirmation is a login, not even its greeting.
test('a greeting is no login', async () => {
  await using peer = await startRawPeer((socket) => {
    socket.write('Please enter password:');
    socket.once('data', () => socket.write(`${banner.join('\r\n')}\r\n`));
  });
  expect((await failToOpen(peer.target(), { connectTimeoutMs: 300 })).outcome).toBe('timeout');
});

// Guarantee: a login is complete only when the game takes commands.
test('a welcome without the line that says ready is no login', async () => {
  await using peer = await startRawPeer((socket) => {
    socket.write('Please enter password:');
    socket.once('data', () => socket.write('Logon successful.\r\n*** Connected with 7DTD server.\r\n'));
  });
  expect((await failToOpen(peer.target(), { connectTimeoutMs: 300 })).outcome).toBe('timeout');
});

// Guarantee: other kinds of servers are named for what they are.
test.each([
  ['SSH', 'SSH-2.0-OpenSSH_9.6\r\n', 'wrong protocol'],
  ['SMTP', '220 mail.example ESMTP\r\n', 'wrong protocol'],
  ['HTTP', 'HTTP/1.1 408 Request Timeout\r\n\r\n', 'wrong protocol'],
  ['no line at all', 'x'.repeat(5000), 'wrong protocol'],
  ['half a line', 'something', 'wrong protocol'],
  ['nothing', '', 'connection lost'],
])('%s in place of the console', async (_name, greeting, outcome) => {
  await using peer = await startRawPeer((socket) => socket.end(greeting));
  expect((await failToOpen(peer.target())).outcome).toBe(outcome);
});

// Guarantee: a Telnet server that asks for options and waits is named for what it is; the same bytes before a late prompt are no fault.
test.each([
  ['alone', '', 'wrong protocol'],
  ['and a prompt', 'Please', 'timeout'],
])('telnet options %s', async (_name, text, outcome) => {
  await using peer = await startRawPeer((socket) => {
    socket.write(Buffer.concat([Buffer.from([255, 251, 37, 255, 253, 24, 255, 253, 39]), Buffer.from(text)]));
  });
  expect((await failToOpen(peer.target(), { connectTimeoutMs: 300 })).outcome).toBe(outcome);
});

// Guarantee: log lines go to the log, echoes nowhere, and neither ever appears in a reply.
test('a log between the lines of a reply', async () => {
  const seen: string[] = [];
  const joined = log("GMSG: Player 'Steve' joined the game");
  const imitation = log(
    "Chat (from 'Steam_1', entity id '171', to 'Global'): 'Bob': *** ERROR: unknown command 'x'",
  );
  const foreign = log("Executing command 'shutdown' by Telnet from 10.0.0.9:4000");
  await using peer = await startTelnetPeer({
    onCommand(command, say) {
      say(joined);
      setImmediate(() => say(log('late'), 'a line without a time'));
      return ['first', imitation, 'second', foreign, `third ${command}`];
    },
  });
  using connection = await open(peer.target(), { ...patient, onLine: (line) => seen.push(line) });
  expect(await connection.run('lp', runPatiently)).toMatchObject({ reply: 'first\nsecond\nthird lp' });
  await eventually(() =>
    expect(seen).toEqual([joined, imitation, foreign, log('late'), 'a line without a time']),
  );
});

const trouble = '2026-11-21T10:00:00 123.456 WRN Disconnecting a client that is gone';
const trace = [
  'From: UnityEngine.StackTraceUtility:ExtractStackTrace ()',
  'GameManager:DisconnectClient (ClientInfo,bool)',
  '  at Steam.Client.Kick (System.String reason) [0x00000] in <0>:0 ',
];

// Guarantee: a stack trace in the middle of a reply belongs to the log, and a reply after a warning without one is kept.
test.each<[string, string[], string, number]>([
  ['up to an empty line', [trouble, ...trace, 'Parameter name: id', '', 'yes'], 'yes', 5],
  ['up to the end', ['yes', trouble, ...trace], 'yes', 4],
  ['up to the next line of the log', [trouble, ...trace, log('x'), 'yes', 'no'], 'yes\nno', 5],
  ['none', [trouble, 'yes', 'Total of 1 in the game'], 'yes\nTotal of 1 in the game', 1],
  ['none, and an empty line in the reply', [trouble, 'one', '', 'two'], 'one\n\ntwo', 1],
  ['and a reply with an empty line right behind it', [trouble, ...trace, 'one', '', 'two'], 'one\n\ntwo', 4],
])('a stack trace: %s', async (_name, lines, reply, logged) => {
  const seen: string[] = [];
  await using peer = await startTelnetPeer({ onCommand: () => lines });
  using connection = await open(peer.target(), { ...patient, onLine: (line) => seen.push(line) });
  expect(await connection.run('lp', runPatiently)).toMatchObject({ outcome: 'answered', reply });
  expect(seen).toHaveLength(logged);
});

// Guarantee: the game's own chat line answers the command that says it, and no other.
test('the chat of the game', async () => {
  const chat = "Chat (from '-non-player-', entity id '-1', to 'Global'): 'Server': hello";
  await using peer = await startTelnetPeer({ onCommand: () => [log(chat)] });
  using connection = await open(peer.target());
  expect(await connection.run('say "hello"', runPatiently)).toMatchObject({ reply: chat });
  expect(await connection.run('lp', runPatiently)).toMatchObject({ reply: '' });
});

// Guarantee: each command gets its own reply, in order; an unknown one gets the game's own message.
test('commands one after the other', async () => {
  await using peer = await startTelnetPeer({
    onCommand: (command) => (command === 'nope' ? null : [`did ${command}`]),
  });
  using connection = await open(peer.target());
  const commands = [...Array.from({ length: 30 }, (_, number) => `say ${number}`), 'nope', 'lp'];
  const results = await Promise.all(commands.map((command) => connection.run(command, runPatiently)));
  expect(results.map(({ reply }) => reply)).toEqual(
    commands.map((command) => (command === 'nope' ? "*** ERROR: unknown command 'nope'" : `did ${command}`)),
  );
  expect(peer.commands).toEqual(commands);
  expect(await connection.run('lp\nshutdown', runPatiently)).toMatchObject({
    outcome: 'invalid command',
    sent: false,
  });
});

// Guarantee: characters arrive whole in every splitting, and a long reply reaches its end.
test('10,240 characters in 100 splittings', async () => {
  const text = '⛏äz🐉€'.repeat(2048).match(/.{1,64}/gu) ?? [];
  let cuts: readonly number[] = [];
  let written: Promise<void> = Promise.resolve();
  await using peer = await startTelnetPeer({
    onCommand: () => text,
    write(socket, said) {
      const bytes = Buffer.from(said);
      const ends = [...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].sort((a, b) => a - b);
      const pieces = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
      written = written.then(() => writePieces(socket, pieces));
    },
  });
  using connection = await open(peer.target());
  let inputs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 30_000 }), { maxLength: 25 }), async (chosen) => {
      cuts = chosen;
      inputs += 1;
      const { reply } = await connection.run('lp', runPatiently);
      expect(reply === text.join('\n')).toBe(true);
    }),
    { numRuns: 100 },
  );
  expect(inputs).toBe(100);
});

// Guarantee: an endless reply is cut off and nothing is sent after it; an endless line times out.
test.each([
  ['lines', 'x'.repeat(999), { outcome: 'answered', truncated: true }],
  ['one line', null, { outcome: 'timeout', sent: true }],
])('%s without end', async (_name, line, expected) => {
  await using peer = await startTelnetPeer({
    write: (socket, said) => void (said.includes('fence') || socket.write(said)),
    onCommand(_command, _say, socket) {
      const pour = () => {
        while (!socket.destroyed && socket.write(line === null ? 'x'.repeat(4000) : `${line}\n`));
      };
      socket.on('drain', pour);
      pour();
      return [];
    },
  });
  using connection = await open(peer.target());
  const results = await Promise.all([
    connection.run('one', { timeoutMs: line === null ? 500 : 20_000 }),
    connection.run('two', runPatiently),
  ]);
  expect(results).toMatchObject([expected, { outcome: 'connection lost', sent: false }]);
  expect(results[0].reply?.length ?? 0).toBeLessThanOrEqual(65_536);
});

// Guarantee: whatever the server says, connecting ends, and a game that has not reported that it is ready is not a login.
test('600 hostile logins and answers', async () => {
  let inputs = 0;
  let pieces: readonly Buffer[] = [];
  const parts = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom(
          'Please enter password:',
          'Logon successful.\r\n',
          '*** ',
          '\r\n',
          'Press ',
          ...banner.slice(0, 5),
        )
        .map((text) => Buffer.from(text)),
      fc.constant(Buffer.from([255, 250])),
    ),
    { maxLength: 8 },
  );
  await using byLogin = await startRawPeer((socket) => {
    void writePieces(socket, pieces).then(() => socket.end());
  });
  await using byAnswer = await startTelnetPeer({
    onCommand(_command, _say, socket) {
      void writePieces(socket, pieces).then(() => socket.destroy());
      return [];
    },
    write: (socket, said) => void (said.includes('fence') || socket.write(said)),
  });
  await fc.assert(
    fc.asyncProperty(parts, async (chosen) => {
      inputs += 1;
      pieces = chosen;
      if (inputs % 2) {
        expect((await failToOpen(byLogin.target())).outcome).toMatch(/authentication|wrong|lost/);
        return;
      }
      using connection = await open(byAnswer.target());
      expect(await connection.run('give 171 ironIngot 1', runPatiently)).toMatchObject({
        outcome: 'connection lost',
        sent: true,
        reply: null,
      });
    }),
    { numRuns: 600 },
  );
  expect(inputs).toBe(600);
});
