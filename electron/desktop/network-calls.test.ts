import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { FirewallFault, NetworkState } from '#contracts/desktop/desktop-network.ts';
import type { StackStatus } from '#contracts/operations/stack.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import type { ElevationOutcome } from '../elevation/run-elevated.ts';
import { ensureEnv } from '../first-start/ensure-env.ts';
import type { FirewallChange } from '../first-start/firewall.ts';
import { networkCalls } from './network-calls.ts';

const licenseServer = {
  url: 'https://portal.example',
  publicKey: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};
const closed = { apiPort: 3001, postgresPort: 5440, isOpen: false };

/** A user answers later than a file is read; only a change that is not awaited makes it matter. */
const answerMs = 30;

/** A stopped stack, and a firewall that keeps rules the way Windows does. */
const openHome = async () => {
  const folder = await temporaryFolder('network');
  const values = { API_HOST: '127.0.0.1', API_PORT: '3001' };
  await ensureEnv(folder.path, licenseServer, { postgresPort: 5440, values });
  /** By port; a rule that someone has turned off is there and not right. */
  const rules = new Map<number, 'right' | 'off'>();
  const faults: FirewallFault[] = [];
  const changes: FirewallChange[] = [];
  const told: NetworkState[] = [];
  const person: { answer: ElevationOutcome } = { answer: 'done' };
  const stack = {
    status: () => ({ state: 'stopped', components: [] }) as unknown as StackStatus,
    restart: async () => undefined,
  };
  const calls = networkCalls({
    home: folder.path,
    stack,
    log: createLog({ component: 'test', destination: { write: () => undefined } }),
    isService: () => false,
    firewall: {
      hasRule: async (port) => rules.has(port),
      check: async (port) => ({ isRuleRight: rules.get(port) === 'right', faults }),
      command: ({ open, close }) => `open ${open}, close ${close}`,
      async change(change) {
        changes.push(change);
        await delay(answerMs);
        if (person.answer !== 'done') return { outcome: person.answer, exitCode: 1223 };
        for (const port of change.close) rules.delete(port);
        if (change.open !== null) rules.set(change.open, 'right');
        return { outcome: 'done', exitCode: 0 };
      },
    },
    tell: (state) => told.push(state),
  });
  return {
    home: folder.path,
    rules,
    faults,
    changes,
    person,
    calls,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
};

// Guarantee: the firewall follows the settings, with one question each time and no rule left behind.
test('the firewall follows', async () => {
  await using opened = await openHome();
  const { calls, rules, changes } = opened;
  const change = calls['network.change'];
  expect(await calls['network.state'](undefined)).toMatchObject({ ...closed, firewall: 'closed' });
  expect(await change({ ...closed, isOpen: true })).toMatchObject({ isOpen: true, firewall: 'open' });
  expect(await change({ ...closed, isOpen: true, apiPort: 4001 })).toMatchObject({ firewall: 'open' });
  expect([...rules.keys()]).toEqual([4001]);
  expect(await change({ ...closed, apiPort: 4001 })).toMatchObject({ isOpen: false, firewall: 'closed' });
  expect([...rules.keys()]).toEqual([]);
  expect(changes).toEqual([
    { open: 3001, close: [] },
    { open: 4001, close: [3001] },
    { open: null, close: [4001] },
  ]);
  // This change does not concern the firewall, so no question is asked.
  await change({ ...closed, apiPort: 4002 });
  expect(changes).toHaveLength(3);
});

// Guarantee: a user who refuses keeps the setting, is told what is missing or left, and can make up for it.
test('a refusal', async () => {
  await using opened = await openHome();
  const { calls, rules, person } = opened;
  const change = calls['network.change'];
  const mend = calls['network.mendFirewall'];
  person.answer = 'refused';
  expect(await change({ ...closed, isOpen: true })).toMatchObject({
    isOpen: true,
    firewall: 'missing',
    firewallCommand: 'open 3001, close ',
  });
  expect(await mend(undefined)).toMatchObject({ outcome: 'refused', state: { firewall: 'missing' } });
  person.answer = 'done';
  expect(await mend(undefined)).toMatchObject({ outcome: 'done', state: { firewall: 'open' } });
  person.answer = 'refused';
  expect(await change({ ...closed, apiPort: 4001 })).toMatchObject({
    isOpen: false,
    firewall: 'left',
    firewallCommand: 'open null, close 3001,4001',
  });
  person.answer = 'done';
  expect(await mend(undefined)).toMatchObject({ outcome: 'done', state: { firewall: 'closed' } });
  expect([...rules.keys()]).toEqual([]);
});

// Guarantee: opening the API asks the user one question, also when the answer is no and rules of earlier ports are left.
test('one question', async () => {
  await using opened = await openHome();
  const { calls, changes, person } = opened;
  await calls['network.change']({ ...closed, isOpen: true });
  person.answer = 'refused';
  expect(await calls['network.change']({ ...closed, isOpen: true, apiPort: 4001 })).toMatchObject({
    firewall: 'missing',
  });
  expect(changes.slice(1)).toEqual([{ open: 4001, close: [3001] }]);
});

// Guarantee: a rule that someone has turned off is no way: the page says so, and its button replaces the rule; what else keeps
// others out is told although the rule is right.
test('a rule is not a way', async () => {
  await using opened = await openHome();
  const { calls, rules, faults, changes } = opened;
  await calls['network.change']({ ...closed, isOpen: true });
  rules.set(3001, 'off');
  expect(await calls['network.state'](undefined)).toMatchObject({ firewall: 'missing' });
  expect(await calls['network.mendFirewall'](undefined)).toMatchObject({
    outcome: 'done',
    state: { firewall: 'open' },
  });
  expect(changes.at(-1)).toEqual({ open: 3001, close: [] });
  const fault: FirewallFault = { kind: 'public', profile: 'public', names: [] };
  faults.push(fault);
  expect(await calls['network.state'](undefined)).toMatchObject({
    firewall: 'blocked',
    firewallFaults: [fault],
  });
});

// Guarantee: what cannot be written is refused before anything is changed.
test('refused at once', async () => {
  await using opened = await openHome();
  const { calls, home, changes } = opened;
  await expect(calls['network.change']({ ...closed, apiPort: 5440 })).rejects.toThrow('different');
  await writeFile(join(home, '.env'), 'API_PORT=nothing\n');
  await expect(calls['network.change']({ ...closed, isOpen: true })).rejects.toThrow('API_PORT');
  expect(changes).toEqual([]);
});
