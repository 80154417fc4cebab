import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { startArk } from './ark-simulator.ts';
import { openRawRcon } from './raw-rcon-client.ts';
import { encodeFrame } from './source-rcon-frames.ts';

const noResponse = 'Server received, But no response!! \n ';

// Guarantee: the login reply accepts the right password only, and the empty frame before it comes only when switched on.
test('ARK: login', async () => {
  await using game = await startArk();
  using client = await openRawRcon(game.port);
  await client.sendFrame(5, 2, 'ListPlayers');
  expect(await client.frames(1)).toMatchObject([{ id: -1, type: 2 }]);
  client.forget();
  await client.sendFrame(6, 3, 'wrong');
  expect(await client.frames(1)).toMatchObject([{ id: -1, type: 2 }]);
  client.forget();
  game.quirks.emptyFrameBeforeLoginReply = true;
  await client.sendFrame(7, 3, game.password);
  expect(await client.frames(2)).toMatchObject([
    { id: 7, type: 0, text: '' },
    { id: 7, type: 2, text: '' },
  ]);
  expect(await client.run('ListPlayers')).toBe('No Players Connected \n ');
  await expect(startArk({ password: '' })).rejects.toThrow(/password/);
});

// Guarantee: every command replies as the game does, often with nothing, and the world records what was done.
test.each(['se', 'asa'] as const)('ARK %s: replies and their truth', async (variant) => {
  await using game = await startArk({ variant });
  const { world } = game;
  using client = await openRawRcon(game.port, game.password);
  const rex = world.join('Rex, the 2nd');
  const dodo = world.join('Dodo');
  expect(rex.platformId).toMatch(variant === 'se' ? /^7656119\d{10}$/ : /^0002[0-9a-f]{28}$/);
  world.chat('Dodo', 'hällo');
  const replies = {
    ListPlayers: `0. Rex, the 2nd, ${rex.platformId} \n1. Dodo, ${dodo.platformId} \n `,
    GetChat: 'Dodo (Dodo): hällo \n ',
    'getchat ': noResponse,
    'Broadcast hello  all': noResponse,
    SaveWorld: 'World Saved \n ',
    [`GiveItemNumToPlayer ${dodo.numericId} 1 10 0 0`]: noResponse,
    [`cheat GiveItemToPlayer ${rex.numericId} "Blueprint'/Game/A B.A B'" 2 1.5 0`]: noResponse,
    'GiveItemNumToPlayer 1 1 1 0 0': noResponse,
    [`ServerChatTo "${dodo.platformId}" psst`]: noResponse,
    'ServerChatToPlayer "Rex, the 2nd" psst': noResponse,
    [`AllowPlayerToJoinNoCheck ${dodo.platformId}`]: `${dodo.platformId} Allow Player To Join No Check \n `,
    [`DisallowPlayerToJoinNoCheck ${dodo.platformId}`]: `${dodo.platformId} Disallowed Player To Join No Checknned \n `,
    [`KickPlayer ${dodo.platformId}`]: `${dodo.platformId} Kicked \n `,
    [`BanPlayer ${rex.platformId}`]: `${rex.platformId} Banned \n `,
    DefinitelyNoCommand: noResponse,
  };
  for (const [command, reply] of Object.entries(replies))
    expect(await client.run(command), command).toBe(reply);
  expect(world.given).toEqual([
    { player: 'Dodo', item: '1', quantity: 10, quality: 0 },
    { player: 'Rex, the 2nd', item: "Blueprint'/Game/A B.A B'", quantity: 2, quality: 1.5 },
  ]);
  expect(world.messages).toEqual([
    { to: null, text: 'hello  all' },
    { to: 'Dodo', text: 'psst' },
    { to: 'Rex, the 2nd', text: 'psst' },
  ]);
  expect(world.players).toEqual([]);
  expect(world.mayJoin('Rex, the 2nd')).toBe(false);
  expect(await client.run(`UnbanPlayer ${rex.platformId}`)).toBe(`${rex.platformId} Unbanned \n `);
  expect(world.mayJoin('Rex, the 2nd')).toBe(true);
  expect(world.commands).not.toContain('DefinitelyNoCommand');
  const suffix = variant === 'se' ? 'Dodo' : `Dodo [UniqueNetId:${dodo.platformId} Platform:None]`;
  expect(game.log.lines[1]?.replace(/^\[[\d.:-]+\]\[[ \d]{3}\][\d._]+: /, '')).toBe(
    `${suffix} joined this ARK!`,
  );
});

test('ARK accepts a give that comes to nothing, and says the same', async () => {
  await using game = await startArk({ quirks: { losesGives: true } });
  const { numericId } = game.world.join('Dodo');
  using client = await openRawRcon(game.port, game.password);
  expect(await client.run(`GiveItemNumToPlayer ${numericId} 1 1 0 0`)).toBe(noResponse);
  expect(game.world.given).toEqual([]);
});

// Guarantee: a session that is opened too early logs in and is never answered, even when the game is up; a later one is.
test('ARK ignores sessions that were opened while it booted', async () => {
  await using game = await startArk({ bootMs: 'manual' });
  using early = await openRawRcon(game.port, game.password);
  await early.sendFrame(9, 2, 'ListPlayers');
  game.finishBoot();
  await early.sendFrame(10, 2, 'ListPlayers');
  using later = await openRawRcon(game.port, game.password);
  expect(await later.run('ListPlayers')).toContain('No Players');
  expect(early.received).toHaveLength(0);
  expect(game.world.received).toEqual(['ListPlayers']);

  await using slow = await startArk({ bootMs: 1 });
  await eventually(() => expect(slow.log.lines.join()).toContain('completed startup'));
});

// Guarantee: unsolicited frames arrive with id 0 or with one that no request had.
test('ARK sends Keep Alive bodies', async () => {
  await using game = await startArk({ quirks: { keepAliveBeforeReply: true } });
  using client = await openRawRcon(game.port, game.password);
  await client.sendFrame(4, 2, 'SaveWorld');
  expect(await client.frames(2)).toMatchObject([
    { id: 0, type: 0, text: 'Keep Alive' },
    { id: 4, text: 'World Saved \n ' },
  ]);
  client.forget();
  game.quirks.keepAliveId = 'stray';
  game.sendKeepAlive();
  const [frame] = await client.frames(1);
  expect(frame?.text).toBe('Keep Alive');
  expect(frame?.id).toBeGreaterThan(4);

  await using restless = await startArk({ keepAliveEveryMs: 5 });
  using other = await openRawRcon(restless.port, restless.password);
  expect(await other.frames(3)).toMatchObject(Array.from({ length: 3 }, () => ({ text: 'Keep Alive' })));
});

// Guarantee: long replies are cut by bytes, also through characters; the frame at a boundary follows the setting.
test('ARK splits long replies', async () => {
  await using game = await startArk();
  game.quirks.replies.set('odd', `x${'ä'.repeat(4096)}`).set('full', 'x'.repeat(8192));
  using client = await openRawRcon(game.port, game.password);
  const sizes = async (command: string, count: number) => {
    client.forget();
    await client.sendFrame(5, 2, command);
    await client.frames(count);
    // The answer to the next command shows that no frame of the last one is missing.
    await client.sendFrame(6, 2, 'SaveWorld');
    const frames = await client.frames(count + 1);
    expect(frames.at(-1)).toMatchObject({ id: 6 });
    return frames.slice(0, -1).map(({ bytes }) => bytes);
  };
  expect(await sizes('odd', 3)).toEqual([4096, 4096, 1]);
  expect(client.received.subarray(12, 4108).at(-1)).toBe(0xc3);
  expect(await sizes('full', 2)).toEqual([4096, 4096]);
  game.quirks.emptyFrameAfterFull = true;
  expect(await sizes('full', 3)).toEqual([4096, 4096, 0]);
  game.quirks.frameBytes = null;
  expect(await sizes('odd', 1)).toEqual([8193]);
});

// Guarantee: no fence is echoed, and only one command can be in flight.
test('ARK echoes no fence and loses a command that comes while another is answered', async () => {
  await using game = await startArk();
  using client = await openRawRcon(game.port, game.password);
  await client.send(
    Buffer.concat([
      encodeFrame(5, 2, 'ListPlayers'),
      encodeFrame(6, 100, ''),
      encodeFrame(7, 2, 'SaveWorld'),
    ]),
  );
  await client.frames(1);
  await client.sendFrame(8, 2, 'Broadcast hi');
  expect((await client.frames(2)).map(({ id }) => id)).toEqual([5, 8]);
  expect(game.world.commands).toEqual(['ListPlayers', 'Broadcast hi']);
  expect(game.world.saves).toBe(0);
});
