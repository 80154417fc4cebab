import fc from 'fast-check';
import { expect, test } from 'vitest';
import { componentNames } from '#contracts/operations/stack.ts';
import { carryOut } from './carry-out.ts';
import {
  type FoundService,
  type FoundServices,
  type MoveStep,
  planMoveToApp,
  planMoveToServices,
} from './move-plan.ts';
import { serviceCommand } from './service-command.ts';

const installation = (home: string, programsFolder = 'C:\\Program Files\\Castellan') => ({
  home,
  programsFolder,
  node: 'C:\\Program Files\\Castellan\\node.exe',
});
const home = 'C:\\ProgramData\\Castellan';
const command = (component: (typeof componentNames)[number]) => serviceCommand(component, installation(home));
const older = (component: (typeof componentNames)[number]) =>
  serviceCommand(component, installation(home, 'C:\\Program Files\\Castellan 0.9'));
const wanted = { home, command, app: true };
const none: FoundServices = { postgres: null, api: null, bot: null };

const stopped = (text: string) => ({ command: text, runs: false });
const running = (text: string) => ({ command: text, runs: true });

const stepsOf = (found: FoundServices, to: 'services' | 'app'): readonly MoveStep[] => {
  const plan = to === 'services' ? planMoveToServices(found, wanted) : planMoveToApp(found, wanted);
  if (plan.outcome !== 'planned') throw new Error(plan.outcome);
  return plan.steps;
};
const inShort = (steps: readonly MoveStep[]): string[] =>
  steps.map((step) => ('component' in step ? `${step.kind} ${step.component}` : step.kind));

// Guarantee: app mode is stopped before the services start, and they count as up only when the stack is healthy.
test('from app mode to services', () => {
  expect(inShort(stepsOf(none, 'services'))).toEqual([
    ...['stop-app', 'create postgres', 'create api', 'create bot', 'write-envs', 'grant-rights'],
    ...['start postgres', 'start api', 'start bot', 'await-health'],
  ]);
});

// Guarantee: what a broken-off installation has left is used, and what an older version has left is replaced.
test('a half-finished installation', () => {
  const steps = inShort(
    stepsOf({ postgres: stopped(command('postgres')), api: running(older('api')), bot: null }, 'services'),
  );
  expect(steps).toEqual([
    ...['stop-app', 'stop api', 'delete api', 'create api', 'create bot', 'write-envs', 'grant-rights'],
    ...['start postgres', 'start api', 'start bot', 'await-health'],
  ]);
  expect(inShort(stepsOf({ ...none, api: running(older('api')) }, 'app'))).toEqual([
    ...['stop api', 'delete api', 'revoke-rights', 'remove-envs', 'start-app'],
  ]);
});

// Guarantee: names that another data folder or another program has are refused, with whose they are, before anything is done.
test('taken names', () => {
  const found = {
    postgres: stopped(serviceCommand('postgres', installation('D:\\Other'))),
    api: stopped(command('api')),
    bot: running('C:\\Windows\\notepad.exe'),
  };
  const refusal = {
    outcome: 'taken',
    names: [
      { service: 'Castellan-Postgres', home: 'D:\\Other' },
      { service: 'Castellan-Bot', home: null },
    ],
  };
  expect(planMoveToServices(found, wanted)).toEqual(refusal);
  expect(planMoveToApp(found, wanted)).toEqual(refusal);
});

/** A machine that the steps change. */
const machine = (found: FoundServices) => {
  const installed = componentNames.some((name) => found[name] !== null);
  const state = new Map<string, unknown>([
    ['app', !installed],
    ['envs', installed],
    ['rights', installed],
  ]);
  for (const name of componentNames)
    state.set(name, found[name]?.command ?? null).set(`${name} runs`, found[name]?.runs ?? false);
  const take = (step: MoveStep): void => {
    if (step.kind === 'create') state.set(step.component, step.command);
    else if (step.kind === 'delete') state.set(step.component, null).set(`${step.component} runs`, false);
    else if (step.kind === 'start' || step.kind === 'stop')
      state.set(`${step.component} runs`, step.kind === 'start');
    else if (step.kind === 'start-app' || step.kind === 'stop-app')
      state.set('app', step.kind === 'start-app');
    else if (step.kind === 'write-envs' || step.kind === 'remove-envs')
      state.set('envs', step.kind === 'write-envs');
    else if (step.kind === 'grant-rights' || step.kind === 'revoke-rights')
      state.set('rights', step.kind === 'grant-rights');
  };
  return { take, look: () => Object.fromEntries(state) };
};

const each = (found: (component: (typeof componentNames)[number]) => FoundService): FoundServices => ({
  postgres: found('postgres'),
  api: found('api'),
  bot: found('bot'),
});
const beginnings: readonly FoundServices[] = [
  none,
  each((name) => running(command(name))),
  each((name) => running(older(name))),
  each((name) => stopped(older(name))),
  { ...each((name) => running(command(name))), bot: stopped(command('bot')) },
];

// Guarantee: whichever step fails, in whichever direction, the machine is as it was before the first one.
test('a move that fails is undone whole', async () => {
  for (const [found, to] of beginnings.flatMap(
    (found) =>
      [
        [found, 'services'],
        [found, 'app'],
      ] as const,
  )) {
    // App mode runs only where there are no services.
    const steps = stepsOf(found, to).filter(
      ({ kind }) => kind !== (found === none ? 'start-app' : 'stop-app'),
    );
    /** Creating and deleting happen whole or not at all; any other step may have had its effect when it fails. */
    const failures = [...steps.entries()].flatMap(([failing, { kind }]) =>
      (kind === 'create' || kind === 'delete' ? [false] : [false, true]).map((halfDone) => ({
        failing,
        halfDone,
      })),
    );
    for (const { failing, halfDone } of failures) {
      const { take, look } = machine(found);
      const before = look();
      let taken = 0;
      const report = await carryOut(steps, async (step) => {
        const fails = taken++ === failing;
        if (!fails || halfDone) take(step);
        if (fails) throw new Error('refused');
      });
      expect(report).toMatchObject({ outcome: 'undone', failed: steps[failing], left: [] });
      expect(look(), `${to}: ${inShort(steps)[failing]}`).toEqual(before);
    }
  }
});

// Guarantee: a failed undo keeps no other step from being undone, and is named.
test('what cannot be brought back is told', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('api', 'bot', 'postgres'), async (stubborn) => {
      const undone: string[] = [];
      const report = await carryOut(stepsOf(none, 'services'), async (step) => {
        const [name = ''] = inShort([step]);
        if (name === 'await-health') throw new Error('not healthy');
        if (name === `delete ${stubborn}`) throw new Error('marked for deletion');
        if (/^(?:delete|start-app)/.test(name)) undone.push(name);
      });
      expect(report).toMatchObject({
        outcome: 'undone',
        left: [{ step: { kind: 'delete', component: stubborn } }],
      });
      expect(undone).toHaveLength(componentNames.length);
    }),
  );
});
