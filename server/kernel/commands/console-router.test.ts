import { expect, test } from 'vitest';
import type { CommandResult } from '#contracts/servers/games.ts';
import { silentLog } from '../testing/feature-api.ts';
import { createConsoleRouter } from './console-router.ts';
import type { AgentRoute } from './routes.ts';
import { uncontestedLeases } from './testing/uncontested-leases.ts';

const noAgents: AgentRoute = {
  isPresent: () => false,
  isKnown: () => false,
  connectionOf: () => null,
  prepareCommands: async () => [],
  resultOf: async () => null,
  run: async () => {
    throw new Error('there is no Game Agent');
  },
};
const answered: CommandResult = {
  outcome: 'answered',
  reply: 'done',
  truncated: false,
  sent: true,
  durationMs: 1,
};

const reachWith = ({ agents = noAgents, isLinked = true }: { agents?: AgentRoute; isLinked?: boolean }) => {
  const direct: string[] = [];
  const reach = createConsoleRouter({
    agents,
    links: {
      read: () => null,
      run: async (_serverId, command) => {
        direct.push(command);
        return isLinked ? { result: answered, detail: null } : null;
      },
    },
    leases: uncontestedLeases,
    log: silentLog,
  });
  return { direct, run: (command: string) => reach.run('s', command, { timeoutMs: 1000 }) };
};

// Guarantee: what is given to an agent is never sent directly too, however the agent's link ends.
test('through the agent', async () => {
  const present = { ...noAgents, isPresent: () => true, isKnown: () => true };
  const well = reachWith({ agents: { ...present, run: async () => answered } });
  expect(await well.run('list')).toEqual({ result: answered, via: 'agent', detail: null });
  const late = reachWith({
    agents: { ...present, run: async () => ({ ...answered, outcome: 'timeout', reply: null }) },
  });
  expect(await late.run('list')).toMatchObject({ via: 'agent', result: { outcome: 'timeout', sent: true } });
  const broken = reachWith({
    agents: {
      ...present,
      run: async () => {
        throw new Error('the database is away');
      },
    },
  });
  expect(await broken.run('list')).toMatchObject({
    via: 'agent',
    result: { outcome: 'unknown', sent: true },
  });
  for (const { direct } of [well, late, broken]) expect(direct).toEqual([]);
});

// Guarantee: without a present agent the direct link is used, if there is one; otherwise the caller is told what is missing.
test('without the agent', async () => {
  const away = { ...noAgents, isKnown: () => true };
  expect(await reachWith({ agents: away }).run('list')).toMatchObject({ via: 'direct', result: answered });
  expect(await reachWith({ agents: away, isLinked: false }).run('list')).toMatchObject({
    via: null,
    result: { outcome: 'agent away', sent: false },
  });
  expect(await reachWith({ isLinked: false }).run('list')).toMatchObject({
    via: null,
    result: { outcome: 'unreachable', sent: false },
    detail: expect.stringContaining('no console address and no Game Agent'),
  });
});
