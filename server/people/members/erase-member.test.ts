import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../../kernel/http/refusal.ts';
import { byOwner, type MembersOfATest, membersOfATest } from './testing/members-of-a-test.ts';

let bench: MembersOfATest;
beforeAll(async () => {
  bench = await membersOfATest();
  await bench.query(`insert into clusters (id, name, name_key, description) values ('c', 'C', 'c', '')`);
  await bench.query(
    `insert into game_servers (id, cluster_id, name, name_key, game, port) values ('s', 'c', 'S', 's', 'minecraft', 1)`,
  );
});
afterAll(() => bench[Symbol.asyncDispose]());

/** Everything the database holds, apart from what staff did, as one text. */
const everything = async () => {
  const tables = await bench.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('audit_logs', 'console_commands')`,
  );
  const texts = await Promise.all(
    tables.map(({ name }) => bench.query<{ text: string }>(`select t::text as text from "${name}" as t`)),
  );
  return texts
    .flat()
    .map(({ text }) => text)
    .join('\n');
};

// Guarantee: nothing identifying is left; the ledger, orders and deliveries keep only the number.
test('an erased person', async () => {
  const { playerId, memberId } = await bench.see('Ophelia', 'steam:76561190000000001');
  const other = await bench.member(9);
  await bench.members.merge(memberId, other, byOwner);
  await bench.points.grant(memberId, { kind: 'grant', points: 30, note: 'Ophelia helped' }, byOwner);
  await bench.members.linkCode(memberId, byOwner);
  await bench.query(`update members set discord_id = 'discord-of-ophelia' where id = $1`, [memberId]);
  await bench.query(
    `insert into player_sessions (player_id, server_id, handle) values ($1, 's', 'handle-of-ophelia')`,
    [playerId],
  );
  await bench.query(
    `insert into survivor_numbers (player_id, server_id, number, source) values ($1, 's', '443322', 'staff')`,
    [playerId],
  );
  await bench.query(
    `insert into discord_guild_members (discord_id, name, name_key, is_bot, seen_in)
     values ('discord-of-ophelia', 'Ophelia there', 'ophelia there', false, 'r')`,
  );
  await bench.query(
    `insert into event_logs (kind, severity, payload) values ('discord.member-joined', 'info', $1)`,
    [{ discordId: 'discord-of-ophelia', name: 'Ophelia there' }],
  );
  for (const kind of ['player.joined', 'player.left', 'chat.message'])
    await bench.query(`insert into event_logs (kind, severity, payload) values ($1, 'info', $2)`, [
      kind,
      { playerId, name: 'Ophelia', text: 'hello' },
    ]);
  await bench.query(
    `insert into event_logs (kind, severity, payload) values ('player.joined', 'info', '{"playerId": "0", "name": "Kept"}')`,
  );
  const delivery = await bench.deliver(memberId, 'delivered');
  await bench.query(
    `insert into delivery_attempts (delivery_id, number, command_id, server_id, way, player_id, command, ended_at, reply)
     values ($1, 1, 'c', 's', 'agent', $2, 'give Ophelia stone', now(), 'Gave Ophelia')`,
    [delivery, playerId],
  );
  expect(await everything()).toContain('Ophelia');

  const before = await bench.members.read(memberId);
  if (isRefusal(before)) throw new Error(before.refused);
  expect(await bench.members.erase(memberId, before.version, byOwner)).toBeNull();
  const left = await everything();
  for (const trace of ['phelia', '76561190000000001', '443322', 'Player ']) expect(left).not.toContain(trace);
  expect(left).toContain('Kept');
  expect(bench.forgotten).toContain(playerId);
  expect(await bench.members.read(other)).toMatchObject({
    id: memberId,
    name: '',
    players: [],
    balance: 39,
    erasedAt: expect.any(String),
  });
  expect(await bench.points.ledger(memberId, { limit: 10 })).toMatchObject({
    rows: [
      { kind: 'grant', change: 30, note: null },
      { kind: 'merge', change: 9, otherMemberId: other },
    ],
  });
  expect(await bench.query('select state from deliveries where id = $1', [delivery])).toEqual([
    { state: 'delivered' },
  ]);
  const audited = await bench.query<{ text: string }>('select a::text as text from audit_logs as a');
  expect(audited.map(({ text }) => text).join()).not.toContain('phelia');
});

// Guarantee: what merges, even undone ones, and the Game Agents' answered commands stored about a person goes too.
test('an erased person who was merged for a while, and got a delivery through an agent', async () => {
  const [kept, { playerId, memberId }] = [await bench.member(), await bench.see('Viola')];
  await bench.query(`update members set discord_id = 'discord-of-viola' where id = $1`, [memberId]);
  const merged = await bench.members.merge(kept, memberId, byOwner);
  if (isRefusal(merged)) throw new Error(merged.refused);
  await bench.members.undoMerge(kept, merged.merges[0]?.id ?? '', byOwner);
  const delivery = await bench.deliver(memberId, 'delivered');
  const command = 'give Viola stone';
  await bench.query(
    `insert into delivery_attempts (delivery_id, number, command_id, server_id, way, player_id, command, ended_at)
     values ($1, 1, 'of-viola', 's', 'agent', $2, $3, now())`,
    [delivery, playerId, command],
  );
  for (const id of ['of-viola', 'another'])
    await bench.query(
      `insert into agent_commands (id, server_id, command, timeout_ms, expires_at, done_at, result)
       values ($1, 's', $2, 1000, now(), now(), $3)`,
      [id, id === 'another' ? 'list' : command, { outcome: 'answered', reply: id }],
    );
  expect(await everything()).toContain('discord-of-viola');

  const { version } = await bench.members.read(memberId).then((read) => {
    if (isRefusal(read)) throw new Error(read.refused);
    return read;
  });
  expect(await bench.members.erase(memberId, version, byOwner)).toBeNull();
  const left = await everything();
  expect(left).not.toContain('discord-of-viola');
  expect(left).not.toContain('Viola');
  expect(await bench.query('select id from agent_commands')).toEqual([{ id: 'another' }]);
  expect(await bench.members.read(kept)).toMatchObject({ erasedAt: null, players: [{}] });
});

// Guarantee: what people did for themselves, in a game or in Discord, no longer names them; what they did as staff still
// does, and nothing else in such a row can be changed.
test('an erased person who acted', async () => {
  const { playerId, memberId } = await bench.see('Rosalind');
  const kept = await bench.member(5);
  const nobody = { permissions: new Set<never>(), serverPermissions: new Map(), name: 'Rosalind' };
  const as = (kind: 'player' | 'discord', id: string) => ({
    actor: { ...nobody, kind, id } as const,
    address: '',
  });
  await bench.members.merge(memberId, kept, as('player', playerId));
  await bench.query(`update members set discord_id = 'discord-of-rosalind' where id = $1`, [memberId]);
  await bench.members.linkCode(memberId, as('discord', 'discord-of-rosalind'));
  await bench.query(
    `insert into audit_logs (actor, actor_name, action) values ('discord:discord-of-rosalind', 'Rosalind', 'players.kick')`,
  );
  const survivor = 'players.set-survivor-number';
  for (const actor of [`player:${playerId}`, 'discord:discord-of-rosalind'])
    await bench.query(`insert into audit_logs (actor, actor_name, action) values ($1, 'Rosalind', $2)`, [
      actor,
      survivor,
    ]);
  const read = await bench.members.read(memberId);
  if (isRefusal(read)) throw new Error(read.refused);
  expect(await bench.members.erase(memberId, read.version, byOwner)).toBeNull();
  expect(await everything()).not.toContain('Rosalind');
  const named = await bench.query(
    `select actor, action from audit_logs where actor_name = 'Rosalind' order by action`,
  );
  const actor = 'discord:discord-of-rosalind';
  expect(named).toEqual([
    { actor, action: 'players.kick' },
    { actor, action: survivor },
  ]);
  const erasing = (change: string) =>
    bench.query(`do $$ begin perform set_config('castellan.erasure', 'on', true); ${change}; end $$`);
  for (const change of [
    `update audit_logs set action = 'x', actor_name = null`,
    `update audit_logs set actor_name = 'x'`,
    'update ledger set amount = amount + 1, actor_name = null',
    'delete from ledger',
  ])
    await expect(erasing(change)).rejects.toThrow(/only the name|only ever added/);
});

// Guarantee: a command that no Game Agent answered no longer names anyone once no agent can begin it.
test('an erased person whose delivery was never answered', async () => {
  const { playerId, memberId } = await bench.see('Cordelia');
  const delivery = await bench.deliver(memberId, 'delivered');
  await bench.query(
    `insert into delivery_attempts (delivery_id, number, command_id, server_id, way, player_id, command, ended_at)
     values ($1, 1, 'of-cordelia', 's', 'agent', $2, 'give Cordelia stone', now())`,
    [delivery, playerId],
  );
  await bench.query(
    `insert into agent_commands (id, server_id, command, timeout_ms, expires_at, sent_at)
     values ('of-cordelia', 's', 'give Cordelia stone', 1000, now() + interval '1 minute', now())`,
  );
  expect(await bench.members.erase(memberId, 1, byOwner)).toMatchObject({ refused: 'DELIVERY_STATE' });
  await bench.query(
    `update agent_commands set expires_at = now() - interval '1 second' where id = 'of-cordelia'`,
  );
  expect(await bench.members.erase(memberId, 1, byOwner)).toBeNull();
  expect(await everything()).not.toContain('Cordelia');
});

// Guarantee: a person who is seen again after being erased is a new member with an empty wallet, and the search finds no other.
test('an erased person who comes back', async () => {
  const { memberId } = await bench.see('Portia');
  await bench.points.grant(memberId, { kind: 'grant', points: 5, note: '' }, byOwner);
  await bench.members.erase(memberId, 1, byOwner);
  const again = await bench.see('Portia');
  expect(again.memberId).not.toBe(memberId);
  expect(await bench.balance(again.memberId)).toBe(0);
  const found = await bench.members.search({ text: 'portia', limit: 10 });
  expect(found.rows.map(({ id }) => id)).toEqual([again.memberId]);
});

// Guarantee: a person stays until everything that is still to be delivered or decided has ended.
test.each(['pending', 'waiting', 'sending', 'unknown'])('a delivery that is %s', async (state) => {
  const [kept, merged] = [await bench.member(), await bench.member()];
  await bench.deliver(merged, state);
  await bench.members.merge(kept, merged, byOwner);
  expect(await bench.members.erase(kept, 2, byOwner)).toEqual({
    refused: 'DELIVERY_STATE',
    detail: 'A delivery is open or at the desk: cancel or decide them first.',
  });
  expect(await bench.members.read(kept)).toMatchObject({ erasedAt: null, players: [{}, {}] });
});

// Guarantee: a member that was changed in between, does not exist or is already gone is not erased.
test('refused erasing', async () => {
  const [kept, merged] = [await bench.member(), await bench.member()];
  await bench.members.merge(kept, merged, byOwner);
  for (const [id, version, refused] of [
    [kept, 1, 'CONFLICT'],
    [merged, 2, 'MEMBER_GONE'],
    ['999999', 1, 'NOT_FOUND'],
  ] as const)
    expect(await bench.members.erase(id, version, byOwner)).toMatchObject({ refused });
  const both = await Promise.all([
    bench.members.erase(kept, 2, byOwner),
    bench.members.erase(kept, 2, byOwner),
  ]);
  expect(both.filter((result) => result === null)).toHaveLength(1);
  expect(both.find((result) => result !== null)).toMatchObject({ refused: 'MEMBER_GONE' });
});
