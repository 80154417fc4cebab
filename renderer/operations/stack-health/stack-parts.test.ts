import { expect, test } from 'vitest';
import { healthReport } from '#contracts/kernel/testing/health-report.ts';
import type { StackHealth } from '#contracts/operations/health.ts';
import { isTrouble, needsAdvice, partTones, stackParts } from './stack-parts.ts';

const healthWith = (
  components: Partial<StackHealth['components']>,
  license: StackHealth['license'] = 'valid',
) => stackParts(healthReport({ license, components }));
const stateOf = (name: string, parts: ReturnType<typeof healthWith>) =>
  parts.find((part) => part.name === name)?.state;

// Guarantee: only what is proven to work is green.
test('what is not in use or not heard of is not called well', () => {
  const bot = (detail: string) => stateOf('bot', healthWith({ bot: { status: 'ok', detail } }));
  expect(bot("waiting: No token is set. Enter one on the panel's page Discord.")).toBe('unused');
  expect(bot('The bot has not reported yet.')).toBe('unknown');
  expect(bot('connected: Signed in as Castellan#1.')).toBe('ok');
  const agents = { status: 'ok', detail: 'There are no game servers yet.' } as const;
  expect(stateOf('agents', healthWith({ agents }))).toBe('unused');
  const api = { status: 'ok', detail: 'open without TLS' } as const;
  expect(stateOf('api', healthWith({ api }))).toBe('exposed');
  expect(partTones.unused).not.toBe('ok');
  expect(partTones.unknown).not.toBe('ok');
});

// Guarantee: a component that is degraded, down, exposed or without a license calls for attention; nothing else does.
test('trouble', () => {
  expect(healthWith({}).filter(isTrouble)).toEqual([]);
  const database = { status: 'down', detail: 'away' } as const;
  const troubled = healthWith({ database }, 'grace').filter(isTrouble);
  expect(troubled.map(({ name, state }) => [name, state])).toEqual([
    ['database', 'down'],
    ['license', 'grace'],
  ]);
});

// Guarantee: an API whose certificate ends is not said to send passwords openly; one without a certificate is.
test('advice about the API', () => {
  const apiWith = (api: StackHealth['components']['api']) =>
    healthWith({ api }).filter(isTrouble).map(needsAdvice);
  expect(apiWith({ status: 'degraded', detail: 'The TLS certificate expires in 6 days.' })).toEqual([false]);
  expect(apiWith({ status: 'ok', detail: 'open without TLS' })).toEqual([true]);
});
