import { expect, test } from 'vitest';
import { type ComponentState, componentNames } from '#contracts/operations/stack.ts';
import { type ComponentSnapshot, stackState } from './stack-state.ts';

const stack = (
  states: readonly ComponentState[],
  api: Partial<ComponentSnapshot> = {},
): ComponentSnapshot[] =>
  componentNames.map((name, index) => ({
    name,
    state: states[index] ?? 'stopped',
    condition: 'ok',
    license: null,
    ...(name === 'api' ? api : {}),
  }));

const running = ['running', 'running', 'running'] as const;

// Guarantee: the state of the whole says what a person must know first.
test.each([
  [true, stack(running), 'running'],
  [true, stack(running, { license: 'valid' }), 'running'],
  [true, stack(running, { license: 'unlicensed' }), 'unlicensed'],
  [true, stack(running, { license: 'rejected' }), 'unlicensed'],
  [true, stack(running, { condition: 'degraded' }), 'degraded'],
  [true, stack(['running', 'unhealthy', 'running']), 'degraded'],
  [true, stack(['crashed', 'running', 'running']), 'degraded'],
  [true, stack(['running', 'starting', 'stopped']), 'starting'],
  [true, stack(['running', 'running', 'failed']), 'degraded'],
  [true, stack(['failed', 'running', 'running']), 'failed'],
  [true, stack(['running', 'failed', 'starting']), 'failed'],
  [true, stack(['running', 'stopping', 'running']), 'starting'],
  [false, stack(['running', 'stopping', 'stopped']), 'stopping'],
  [false, stack(['stopped', 'stopped', 'stopped']), 'stopped'],
  [false, stack(['failed', 'stopped', 'stopped']), 'stopped'],
] as const)('wanted %s, %o is %s', (wanted, components, state) => {
  expect(stackState(wanted, components)).toBe(state);
});
