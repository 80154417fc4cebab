import { expect, test } from 'vitest';
import type { GameConnection } from '../connection.ts';
import { type SourceRconDialect, sourceRcon } from './source-rcon.ts';
import { fenced, patient, runPatiently } from './testing/rcon-client.ts';
import { type RconRequest, rconFrame, startRconPeer } from './testing/rcon-peer.ts';

/** With `EVERY_SPLIT=1` each size from 1,000 to 4,110; else every 97th, and those of known servers. */
const step = process.env.EVERY_SPLIT === '1' ? 1 : 97;
const known = [2048, 4000, 4086, 4095, 4096, 4110];
const sizes = Array.from({ length: 3111 }, (_, at) => 1000 + at).filter(
  (size) => (size - 1000) % step === 0 || known.includes(size),
);

const ascii = 'abcdefghij'.repeat(1025);
/** Two bytes per character on average. */
const mixed = 'äbçd€fgh'.repeat(640);
const texts = { ascii, mixed };
type Text = keyof typeof texts;

const cutBytes = (text: string, size: number) => {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
};
const cutCharacters = (text: string, size: number) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    Buffer.from(text.slice(at * size, (at + 1) * size)),
  );
/** For the command `big <unit> <size> <text>`. */
const framesFor = (command: string) => {
  const [, unit, size, name] = command.split(' ');
  const text = texts[name as Text];
  if (unit === 'one') return [Buffer.from(text)];
  return unit === 'bytes' ? cutBytes(text, Number(size)) : cutCharacters(text, Number(size));
};

/** How servers handle a frame of an odd type, and a question after the reply. */
const behaviours = {
  answered: { odd: 'answers', question: 'answers' },
  ignored: { odd: 'ignores', question: 'answers' },
  closing: { odd: 'closes', question: 'answers' },
  never: { odd: 'ignores', question: 'ignores' },
  'closing on everything': { odd: 'closes', question: 'closes' },
} as const;
type Behaviour = (typeof behaviours)[keyof typeof behaviours];

const serve = ({ odd, question }: Behaviour) =>
  startRconPeer({
    onRequest({ type, body, socket, reply, id }: RconRequest) {
      if (type === 2 && body.startsWith('big ')) {
        for (const frame of framesFor(body)) socket.write(rconFrame(id, 0, frame));
        return;
      }
      const does = type === 2 ? question : odd;
      if (does === 'answers') reply(type === 2 ? 'There are 0 players' : 'Unknown request 64');
      if (does === 'closes') socket.end();
    },
  });

const dialect: SourceRconDialect = { ...fenced, fenceCommand: 'list', quietMs: 60 };

/** Runs commands one after the other, on a new connection when the last was closed. */
const createRunner = (target: Parameters<ReturnType<typeof sourceRcon>>[0]) => {
  const connect = sourceRcon(dialect);
  let connection: GameConnection | null = null;
  let connections = 0;
  return {
    connections: () => connections,
    async run(command: string) {
      for (;;) {
        if (!connection) {
          const opened = await connect(target, patient);
          if ('failure' in opened) throw new Error(opened.failure.detail);
          connection = opened.connection;
          connections += 1;
        }
        const result = await connection.run(command, runPatiently);
        if (result.sent) return result;
        connection = null;
      }
    },
    [Symbol.dispose]: () => connection?.[Symbol.dispose](),
  };
};

const commands = [
  'big one 0 ascii',
  'big one 0 mixed',
  ...sizes.flatMap((size) =>
    ['bytes', 'characters'].flatMap((unit) =>
      ['ascii', 'mixed'].map((text) => `big ${unit} ${size} ${text}`),
    ),
  ),
];

// Guarantee: wherever a server splits, and however it handles the fence, a reply is complete or says that it may not be, no command
// is sent twice, and one observation of a server counts from then on.
test.each(Object.entries(behaviours).map(([name, behaviour]) => ({ name, behaviour })))(
  'every split size, fence: $name',
  { timeout: 590_000 },
  async ({ name, behaviour }) => {
    await using peer = await serve(behaviour);
    using runner = createRunner(peer.target());
    const counts = { whole: 0, incomplete: 0, lied: 0, lost: 0 };
    const hasFence = behaviour.question === 'answers';
    for (const command of commands) {
      const { outcome, reply, truncated } = await runner.run(command);
      const whole = texts[command.split(' ')[3] as Text];
      if (outcome !== 'answered' || reply === '') counts.lost += 1;
      else if (truncated) counts.incomplete += 1;
      else if (reply === whole) counts.whole += 1;
      else counts.lied += 1;
      // The text is kept, whether or not it can be proven to be complete.
      expect(reply).toBe(whole);
    }
    expect(counts).toMatchObject({ lied: 0, lost: 0 });
    // The reply on which the server closed could not be proven.
    if (hasFence) expect(counts.incomplete).toBeLessThanOrEqual(behaviour.odd === 'closes' ? 1 : 0);
    expect(peer.commands.filter((command) => command.startsWith('big '))).toEqual(commands);
    const closes = Object.values(behaviour).filter((does) => does === 'closes').length;
    expect(runner.connections()).toBe(1 + closes);
    if (process.env.EVERY_SPLIT === '1') process.stdout.write(`${name}: ${JSON.stringify(counts)}\n`);
  },
);

// Guarantee: a server's habits are tested once; from then on a long reply costs a round trip, or the wait for silence.
test.each(['answered', 'ignored', 'never'] as const)(
  'the second long reply is quick, fence: %s',
  async (name) => {
    await using peer = await serve(behaviours[name]);
    using runner = createRunner(peer.target());
    await runner.run('big bytes 4000 ascii');
    const { durationMs } = await runner.run('big bytes 4000 ascii');
    // Less than the patience with a server that is not known yet.
    expect(durationMs).toBeLessThan(900);
  },
);

// Guarantee: without an answer to a fence, a single frame of any size never counts as proven complete.
test('one frame, and no fence answered', async () => {
  await using peer = await serve(behaviours.never);
  using runner = createRunner(peer.target());
  for (const text of ['ascii', 'mixed'] as const)
    expect(await runner.run(`big one 0 ${text}`)).toMatchObject({ reply: texts[text], truncated: true });
});

// Guarantee: when the time runs out in the middle of a reply, its text so far is the answer, marked incomplete.
test('a reply that stops in the middle', async () => {
  await using peer = await startRconPeer({
    onRequest: ({ type, id, socket }) =>
      void (
        type === 2 &&
        socket.write(
          Buffer.concat([
            rconFrame(id, 0, 'x'.repeat(4000)),
            rconFrame(id, 0, 'y'.repeat(4000)).subarray(0, 90),
          ]),
        )
      ),
  });
  const opened = await sourceRcon(dialect)(peer.target(), patient);
  if ('failure' in opened) throw new Error(opened.failure.detail);
  const { outcome, reply, truncated } = await opened.connection.run('help', { timeoutMs: 400 });
  expect({ outcome, reply, truncated }).toEqual({
    outcome: 'answered',
    reply: 'x'.repeat(4000),
    truncated: true,
  });
  await opened.connection.ended;
});

// Guarantee: a server that continues after a frame that seemed the last one is not trusted a second time.
test('a server that cuts below every known size', async () => {
  let long = Promise.resolve();
  await using peer = await startRconPeer({
    onRequest({ type, id, socket, reply }) {
      if (type !== 2) return reply('Unknown request 64');
      for (let part = 0; part < 3; part += 1)
        long = long.then(async () => {
          socket.write(rconFrame(id, 0, 'p'.repeat(300)));
          await new Promise((resolve) => setImmediate(resolve));
        });
    },
  });
  using runner = createRunner(peer.target());
  await runner.run('first');
  await long;
  await runner.run('second');
  await long;
  expect(await runner.run('third')).toMatchObject({ reply: 'p'.repeat(900), truncated: false });
});

// Guarantee: hundreds of thousands of frames in one reply neither crash the process nor block it.
test('200,000 small frames', async () => {
  await using peer = await startRconPeer({
    onRequest({ body, id, socket, reply }) {
      if (body !== 'flood') return;
      reply('x'.repeat(1000));
      const frame = rconFrame(id, 0, 'y');
      socket.write(Buffer.concat(Array.from({ length: 200_000 }, () => frame)));
    },
  });
  using runner = createRunner(peer.target());
  expect(await runner.run('flood')).toMatchObject({ outcome: 'answered', truncated: true });
});

// Guarantee: a reply in one frame that is larger than any login's is read, and stored up to the usual limit.
test('one frame of 300,000 bytes', async () => {
  await using peer = await startRconPeer({
    onRequest: ({ type, reply }) => reply(type === 2 ? 'z'.repeat(300_000) : 'Unknown request 64'),
  });
  using runner = createRunner(peer.target());
  expect(await runner.run('dump')).toMatchObject({ reply: 'z'.repeat(65_536), truncated: true });
});
