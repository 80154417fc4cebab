import { afterAll, beforeAll, expect, test } from 'vitest';
import { membersHttp } from '#contracts/people/members.ts';
import { ask } from '../../kernel/testing/ask.ts';
import { call } from '../../kernel/testing/call.ts';
import { readMemberNames } from './member-names.ts';
import { byOwner, type MembersOfATest, membersOfATest } from './testing/members-of-a-test.ts';

let bench: MembersOfATest;
beforeAll(async () => {
  bench = await membersOfATest();
});
afterAll(() => bench[Symbol.asyncDispose]());

const search = async (query: string) => {
  const answer = await ask(bench.api.port, `/api/members?${query}`);
  return membersHttp.search.response.parse(answer.json);
};
const found = async (text: string) =>
  (await search(`text=${encodeURIComponent(text)}`)).rows.map(({ id }) => id);

// Guarantee: a member is found by part of any player's name, by a whole platform id, and by nothing else.
test('the search', async () => {
  const ann = await bench.see('Ann Onymous', 'steam:76561190000000042');
  const named = await bench.see('50%_off', null);
  await bench.query(`insert into player_names (player_id, name, name_key) values ($1, 'Ünder', 'ünder')`, [
    ann.playerId,
  ]);
  for (const text of ['onym', 'ANN', 'ÜNDER', 'steam:76561190000000042', '76561190000000042'])
    expect([text, await found(text)]).toEqual([text, [ann.memberId]]);
  for (const text of ['%', '_off', '50%_'])
    expect([text, await found(text)]).toEqual([text, [named.memberId]]);
  for (const text of ['7656119', 'steam', "' or 1=1", '\u200b', '\0'])
    expect([text, await found(text)]).toEqual([text, []]);
});

// Guarantee: page by page each member comes once, newest first; merged ones are not listed.
test('pages', async () => {
  const made: string[] = [];
  for (let count = 0; count < 7; count += 1) made.push((await bench.see(`Paged ${count}`)).memberId);
  const [kept = '', merged = '', ...others] = made;
  const answer = await call(bench.api.port, membersHttp.merge, {
    params: { id: kept },
    body: { mergedId: merged },
  });
  expect(membersHttp.merge.response.parse(answer.json).players).toHaveLength(2);
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: Awaited<ReturnType<typeof search>> = await search(
      `text=paged&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    expect(page.rows.length).toBeLessThanOrEqual(2);
    seen.push(...page.rows.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  expect(seen).toEqual([...others.reverse(), kept]);
  expect((await search('limit=500')).rows.map(({ id }) => id)).not.toContain(merged);
});

// Guarantee: pickers find who was seen in a game, and who is on a server of it now, as far as the caller may see the server.
test('members of a game, and those online', async () => {
  const here = await bench.see('Picked one');
  const away = await bench.see('Picked two');
  const ids = async (query: string) => (await search(`text=picked&${query}`)).rows.map(({ id }) => id);
  expect(await ids('game=minecraft')).toEqual([away.memberId, here.memberId]);
  expect(await ids('game=palworld')).toEqual([]);
  await bench.query(
    `insert into clusters (id, name, name_key, description) values ('pick', 'P', 'pick', '')`,
  );
  await bench.query(
    `insert into game_servers (id, cluster_id, name, name_key, game, port)
     values ('pal', 'pick', 'Pal', 'pal', 'palworld', 1)`,
  );
  await bench.query(
    `insert into player_sessions (player_id, server_id, handle, joined_at) values ($1, 'pal', '', now())`,
    [here.playerId],
  );
  expect(await ids('game=palworld')).toEqual([here.memberId]);
  expect(await ids('game=palworld&online=true')).toEqual([here.memberId]);
  expect(await ids('game=minecraft&online=true')).toEqual([]);
  expect(await ids('online=true')).toEqual([here.memberId]);
  for (const [scope, found] of [
    [['pal'], [here.memberId]],
    [['other'], []],
  ] as const) {
    const page = await bench.members.search({ text: 'picked', limit: 10, onlineIn: scope });
    expect(page.rows.map(({ id }) => id)).toEqual(found);
  }
});

// Guarantee: people on the Discord server are found by their name there and by their id, are named by it while no player has
// a name, and each group holds exactly the people who belong to it.
test('people in Discord', async () => {
  const account = async (id: string, name: string, leftAt: string | null = null) => {
    await bench.query(
      `insert into discord_guild_members (discord_id, name, name_key, is_bot, left_at, seen_in)
       values ($1, $2, lower($2), false, $3, 'r')`,
      [id, name, leftAt],
    );
    const [row] = await bench.query<{ id: string }>(
      `insert into members (discord_id) values ($1) returning id`,
      [id],
    );
    return row?.id ?? '';
  };
  const here = await account('700000000000000001', 'Gilda Here');
  const gone = await account('700000000000000002', 'Gilda Gone', '2026-01-02T00:00:00Z');
  const linked = await account('700000000000000003', 'Gilda Linked');
  const { memberId: player } = await bench.see('Gilda Player');
  const own = await bench.see('Gildas Own');
  await bench.members.merge(linked, own.memberId, byOwner);

  const group = async (name: string) => {
    const { rows } = await search(`text=gilda&group=${name}`);
    return rows.map(({ id }) => id).toSorted();
  };
  const all = { here, gone, linked, player };
  const groups = {
    'with-player': [linked, player],
    'in-discord': [here, linked],
    linked: [linked],
    'without-player': [here, gone],
    'without-discord': [player],
    'left-discord': [gone],
  };
  expect((await found('gilda')).toSorted()).toEqual(Object.values(all).toSorted());
  for (const [name, ids] of Object.entries(groups))
    expect([name, await group(name)]).toEqual([name, ids.toSorted()]);
  expect(await found('700000000000000002')).toEqual([gone]);
  const { rows } = await search('text=gilda');
  expect(rows.find(({ id }) => id === gone)).toMatchObject({
    name: 'Gilda Gone',
    lastSeenAt: null,
    discord: { name: 'Gilda Gone', joinedAt: null, leftAt: '2026-01-02T00:00:00.000Z' },
  });
  expect(rows.find(({ id }) => id === linked)).toMatchObject({ name: 'Gildas Own' });
  const names = await readMemberNames(bench.database.db, [here, linked, own.memberId]);
  expect(Object.fromEntries(names)).toEqual({
    [here]: 'Gilda Here',
    [linked]: 'Gildas Own',
    [own.memberId]: 'Gildas Own',
  });

  // Unlinking an account from its players makes it a member without one.
  await bench.members.unlinkDiscord('700000000000000003', byOwner);
  const [alone] = await group('in-discord').then((ids) => ids.filter((id) => id !== here));
  expect(await bench.members.ofDiscord('700000000000000003')).toMatchObject({ id: alone, players: [] });
  expect(alone).not.toBe(linked);
  await bench.members.unlinkDiscord('700000000000000002', byOwner);
  expect(await group('left-discord')).toEqual([gone]);
});

// Guarantee: a member's page shows the server they are on, or were last known to be on, only to those who may know.
test('where they are', async () => {
  const { memberId, playerId } = await bench.see('Present');
  await bench.query(`insert into clusters (id, name, name_key, description) values ('c', 'C', 'c', '')`);
  await bench.query(
    `insert into game_servers (id, cluster_id, name, name_key, game, port) values ('s', 'c', 'S', 's', 'minecraft', 1)`,
  );
  await bench.query(`insert into player_sessions (player_id, server_id, handle) values ($1, 's', '')`, [
    playerId,
  ]);
  const onlineOn = async () => {
    const { json } = await call(bench.api.port, membersHttp.read, { params: { id: memberId } });
    return membersHttp.read.response.parse(json).players[0]?.onlineOn;
  };
  expect(await onlineOn()).toBe('s');
  expect(await bench.members.read(memberId)).toMatchObject({ players: [{ onlineOn: null }] });
  expect(await bench.members.read(memberId, ['other'])).toMatchObject({ players: [{ onlineOn: null }] });
  await bench.query(`update player_sessions set left_at = now() where player_id = $1`, [playerId]);
  expect(await onlineOn()).toBeNull();
});

// Guarantee: every answer has the shape of its contract, and a merged member leads to the remaining one.
test('requests', async () => {
  const { port } = bench.api;
  const [one, other] = [await bench.see('Reader'), await bench.see('Read')];
  const params = { id: one.memberId };
  const issued = await call(port, membersHttp.linkCode, { params, body: {} });
  const { code } = membersHttp.linkCode.response.parse(issued.json);
  const redeemed = await call(port, membersHttp.redeemCode, {
    params: { id: other.memberId },
    body: { code },
  });
  const [merge] = membersHttp.redeemCode.response.parse(redeemed.json).merges;
  expect(merge).toMatchObject({ mergedId: other.memberId, playerNames: ['Read'], actorName: 'Owner' });
  const read = await call(port, membersHttp.read, { params: { id: other.memberId } });
  expect(membersHttp.read.response.parse(read.json).id).toBe(one.memberId);
  const ofPlayer = await call(port, membersHttp.ofPlayer, { params: { id: other.playerId } });
  expect(membersHttp.ofPlayer.response.parse(ofPlayer.json).id).toBe(one.memberId);
  const undone = await call(port, membersHttp.undoMerge, {
    params: { ...params, mergeId: merge?.id ?? '' },
    body: {},
  });
  const { version } = membersHttp.undoMerge.response.parse(undone.json);
  const erased = await call(port, membersHttp.erase, { params, body: { version } });
  expect([erased.status, erased.json]).toEqual([200, {}]);
  const again = await call(port, membersHttp.linkCode, { params, body: {} });
  expect([again.status, again.json.code]).toEqual([409, 'MEMBER_GONE']);
  for (const path of ['/api/members/999999', '/api/players/999999/member'])
    expect((await ask(port, path)).json.code).toBe('NOT_FOUND');
  for (const path of [
    '/api/members/x',
    '/api/members?cursor=x',
    '/api/members?limit=0',
    '/api/members?text=',
  ])
    expect((await ask(port, path)).json.code).toBe('INVALID_REQUEST');
});
