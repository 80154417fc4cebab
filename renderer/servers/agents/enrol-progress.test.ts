import { expect, test } from 'vitest';
import { enrolProgress } from './enrol-progress.ts';

const at = '2026-01-02T03:04:05.678Z';
const refused = { at, code: 'AGENT_KEY_MISMATCH', detail: '', address: '' };
const open = { state: 'open', downloadedAt: null, usedAt: null, lastFailure: null } as const;
const used = { state: 'used', downloadedAt: at, usedAt: at, lastFailure: null } as const;
const away = { mode: null, stale: false, state: null, detail: null, lastRefusal: null };
const here = { ...away, mode: 'websocket' } as const;

// Guarantee: each step is done only when it is proven for the new agent, and the first one that is not says what it waits for.
test.each<[string, Parameters<typeof enrolProgress>[0], string]>([
  ['no code', { enrolment: null, agent: here, players: 3 }, 'later later later later later'],
  ['a code', { enrolment: open, agent: away, players: null }, 'next later later later later'],
  [
    'an older agent',
    { enrolment: open, agent: { ...here, state: 'online' }, players: 3 },
    'next later later later later',
  ],
  [
    'downloaded',
    { enrolment: { ...open, downloadedAt: at }, agent: away, players: null },
    'done next later later later',
  ],
  [
    'a wrong code without a download',
    { enrolment: { ...open, lastFailure: refused }, agent: away, players: null },
    'next failed later later later',
  ],
  [
    'over',
    { enrolment: { ...open, state: 'ended' }, agent: away, players: null },
    'next failed later later later',
  ],
  ['used', { enrolment: used, agent: away, players: null }, 'done done next later later'],
  [
    'not let in',
    { enrolment: used, agent: { ...away, lastRefusal: refused }, players: null },
    'done done failed later later',
  ],
  ['silent', { enrolment: used, agent: { ...here, stale: true }, players: 1 }, 'done done next later later'],
  ['connected', { enrolment: used, agent: here, players: null }, 'done done done next later'],
  [
    'no console',
    { enrolment: used, agent: { ...here, state: 'unknown' }, players: null },
    'done done done failed later',
  ],
  [
    'the game is off',
    { enrolment: used, agent: { ...here, state: 'offline' }, players: 0 },
    'done done done done failed',
  ],
  [
    'no list yet',
    { enrolment: used, agent: { ...here, state: 'online', detail: 'Cannot be read.' }, players: null },
    'done done done done next',
  ],
  [
    'started by hand, so the number is not told',
    { enrolment: used, agent: { ...here, state: 'online' }, players: null },
    'done done done done done',
  ],
  ['all', { enrolment: used, agent: { ...here, state: 'online' }, players: 0 }, 'done done done done done'],
])('%s', (_name, facts, states) => expect(Object.values(enrolProgress(facts)).join(' ')).toBe(states));
