import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { silentLog } from '../../kernel/testing/feature-api.ts';
import type { Servers } from '../../servers/servers.ts';
import { createPlayerPolling } from './player-polling.ts';

const server = (id: string, host: string | null = 'localhost') => ({
  ...{ id, host, clusterId: 'c', name: id, game: 'minecraft' as const },
  ...{ port: 25_575, password: null, version: 1 },
});
const pollingOf = (
  all: readonly ReturnType<Servers['directory']['all']>[number][],
  given: Partial<
    Pick<Servers['pool'], 'listPlayers'> & Pick<Servers['agents'], 'isPresent'> & Pick<Kernel, 'licenseHolds'>
  > = {},
) => {
  const heard: string[] = [];
  const asked: string[] = [];
  const polling = createPlayerPolling({
    servers: {
      directory: { all: () => all },
      pool: {
        listPlayers:
          given.listPlayers ??
          (async (serverId) => {
            asked.push(serverId);
            return { value: [] };
          }),
      },
      agents: { isPresent: given.isPresent ?? (() => false) },
    },
    licenseHolds: given.licenseHolds ?? (() => true),
    presence: {
      report: (serverId, source, players) => heard.push(`${serverId} ${source} ${players.length}`),
      lost: (serverId, source) => heard.push(`${serverId} ${source} lost`),
    },
    log: silentLog,
    intervalMs: 60,
  });
  polling.begin();
  return { polling, heard, asked };
};

// Guarantee: every game with an address and without an agent is polled repeatedly; no other is.
test('who is asked', async () => {
  const agents = new Set(['agent']);
  const { polling, asked, heard } = pollingOf(
    [server('a'), server('b'), server('agent'), server('none', null)],
    {
      isPresent: (id) => agents.has(id),
    },
  );
  await using _ = polling;
  await eventually(() => expect(asked.filter((id) => id === 'b').length).toBeGreaterThan(3));
  expect(new Set(asked)).toEqual(new Set(['a', 'b']));
  expect(heard[0]).toMatch(/^[ab] direct 0$/);
  agents.delete('agent');
  await eventually(() => expect(asked).toContain('agent'));
});

// Guarantee: no answer, an unreadable answer and an error of our own each leave the polling running.
test('no list', async () => {
  const answers: Record<string, () => Awaited<ReturnType<Servers['pool']['listPlayers']>>> = {
    silent: () => ({ unanswered: null }),
    strange: () => ({ unreadable: 'not a list' }),
    broken: () => {
      throw new Error('a fault of ours');
    },
  };
  const asked: string[] = [];
  const { polling, heard } = pollingOf(
    Object.keys(answers).map((id) => server(id)),
    {
      async listPlayers(serverId) {
        asked.push(serverId);
        return answers[serverId]?.() ?? { unanswered: null };
      },
    },
  );
  await using _ = polling;
  await eventually(() => {
    for (const id of Object.keys(answers))
      expect(asked.filter((one) => one === id).length).toBeGreaterThan(2);
  });
  expect(new Set(heard)).toEqual(
    new Set(['silent direct lost', 'strange direct lost', 'broken direct lost']),
  );
  expect(['silent', 'strange', 'broken'].map(polling.complaint)).toEqual([null, 'not a list', null]);
});

// Guarantee: games that do not answer occupy only the concurrent slots, and never block the others for good; a stop waits
// for no game.
test('many that hang', async () => {
  const hanging = Array.from({ length: 7 }, (_, index) => server(`hangs-${index}`));
  let underWay = 0;
  let most = 0;
  const asked: string[] = [];
  const { polling } = pollingOf([...hanging, server('a'), server('b')], {
    async listPlayers(serverId, asking) {
      asked.push(serverId);
      underWay += 1;
      most = Math.max(most, underWay);
      if (serverId.startsWith('hangs'))
        await new Promise((resolve) => asking?.signal?.addEventListener('abort', resolve, { once: true }));
      underWay -= 1;
      return { value: [] };
    },
  });
  await eventually(() => {
    for (const id of ['a', 'b']) expect(asked.filter((one) => one === id).length).toBeGreaterThan(3);
    expect(new Set(asked).size).toBe(9);
  });
  expect(most).toBeLessThanOrEqual(8);
  expect(asked.filter((id) => id === 'hangs-0')).toHaveLength(1);
  await polling[Symbol.asyncDispose]();
  expect(underWay).toBe(0);
});

// Guarantee: a game whose log is filled by every query is not polled during its rest period.
test('a game that rests', async () => {
  const { polling, asked } = pollingOf([server('a'), { ...server('rests'), game: 'seven-days-to-die' }]);
  await using _ = polling;
  await eventually(() => expect(asked.filter((id) => id === 'a').length).toBeGreaterThan(5));
  expect(asked.filter((id) => id === 'rests')).toHaveLength(1);
});

// Guarantee: while the license is rejected no game is polled.
test('the license', async () => {
  let mayAsk = false;
  let looked = 0;
  const { polling, asked } = pollingOf([server('a')], {
    licenseHolds() {
      looked += 1;
      return mayAsk;
    },
  });
  await using _ = polling;
  await eventually(() => expect(looked).toBeGreaterThan(70));
  expect(asked).toEqual([]);
  mayAsk = true;
  await eventually(() => expect(asked).toContain('a'));
});
