// Guarantee: every kind of event has a sentence in both languages, made from its payload; nothing in a payload can
// distort the sentence or hide in it, and an unknown event is shown unchanged.

import { expect, it } from 'vitest';
import type { EventKindName, EventPayload } from '#contracts/kernel/event-kinds.ts';
import { eventKindNames, eventKinds } from '#contracts/kernel/event-kinds.ts';
import { languages } from '#contracts/kernel/language.ts';
import type { EventRow } from '#contracts/operations/event-row.ts';
import { kindName } from '#contracts/operations/event-sentence.ts';
import { eventSentence } from './event-sentence.ts';

const samples: { readonly [Name in EventKindName]: EventPayload<Name> } = {
  'stack.started': { version: '1.2.3' },
  'license.changed': { from: 'valid', to: 'rejected', code: 'LICENSE_GRACE_ENDED' },
  'license.ends-soon': { endsAt: '2026-01-02T03:04:05.000Z' },
  'database.recovered': { unreachableSince: '2026-01-02T03:04:05.000Z', fault: 'terminated' },
  'backup.taken': { name: 'nightly', reason: 'schedule', bytes: 5 },
  'backup.failed': { reason: 'nightly', detail: 'no room' },
  'backup.damaged': { name: '2026-01-02T03-30-00-abcdef', file: '.env' },
  'database.damaged': { detail: 'Page 3 of base/5/16385 does not match its checksum.' },
  'disk.state-changed': { from: 'enough', to: 'low', freeBytes: 5_000_000 },
  'secrets.key-replaced': {
    keyId: '1a2b3c4d',
    replacedKeyId: '5e6f7a8b',
    secrets: [
      { keyId: '1a2b3c4d', count: 0 },
      { keyId: '5e6f7a8b', count: 3 },
    ],
  },
  'bot.state-changed': { from: null, to: 'throttled', detail: 'too many' },
  'queue.job-failed': { queue: 'deliveries', jobId: '00000000-0000-4000-8000-000000000000', tries: 3 },
  'delivery.failed': {
    deliveryId: '00000000-0000-4000-8000-000000000000',
    orderId: 'o1',
    detail: 'There is no such item.',
  },
  'delivery.needs-decision': {
    deliveryId: '00000000-0000-4000-8000-000000000000',
    orderId: 'o1',
    reason: 'unknown',
  },
  'shop.order-arrived': { shopId: 's', shop: 'Tebex', order: 'tbx-1' },
  'shop.order-waits': { shopId: 's', shop: 'Tebex', order: 'tbx-1', reason: 'product-unmapped' },
  'shop.order-taken-back': {
    shopId: 's',
    shop: 'Tebex',
    order: 'tbx-1',
    reason: 'refunded',
    left: ['Diamonds'],
  },
  'entitlement.ended': { memberId: '7', game: 'minecraft', key: 'rank:vip', why: 'time' },
  'entitlement.needs-decision': { memberId: '7', key: 'rank:vip' },
  'admin.signed-in': { adminId: 'a', name: 'Ada', address: '192.0.2.1' },
  'login.failed': { name: 'Ada', address: '192.0.2.1' },
  'server.online': { name: 'Fjord', via: 'agent' },
  'server.unreachable': { name: 'Fjord', via: 'direct', outcome: 'timeout', detail: '' },
  'server.players-unreadable': { name: 'Fjord', via: 'direct', detail: 'This is no list.' },
  'server.started': { name: 'Fjord' },
  'server.stopped': { name: 'Fjord' },
  'server.crashed': { name: 'Fjord', exitCode: 137, signal: null, crashes: 1 },
  'server.program-fault': {
    name: 'The Island',
    code: 'interpreter-missing',
    values: ['/srv/start.sh', '/bin/bash'],
  },
  'server.crash-looping': { name: 'Fjord', crashes: 5 },
  'saves.backed-up': { name: 'Fjord', backup: '2026-01-02T03-04-05Z', bytes: 5_000_000, notes: 1 },
  'saves.backup-failed': { name: 'Fjord', by: 'Ada', detail: 'The disk is full.' },
  'saves.nightly-failed': { name: 'Fjord', detail: 'The disk is full.' },
  'mods.changed': { name: 'Fjord', by: 'Ada', count: 2 },
  'mods.rolled-back': { name: 'Fjord', by: 'Ada', detail: 'It crashed.' },
  'mods.failed': { name: 'Fjord', by: 'Ada', detail: 'The disk is full.' },
  'saves.restored': { name: 'Fjord', backup: '2026-01-02T03-04-05Z', by: 'Ada' },
  'saves.restore-undone': { name: 'Fjord', backup: '2026-01-02T03-04-05Z', by: 'Ada' },
  'saves.restore-failed': {
    name: 'Fjord',
    backup: '2026-01-02T03-04-05Z',
    by: 'Ada',
    step: 'restoring',
    code: null,
    detail: 'The disk is full.',
  },
  'saves.restore-waits': {
    name: 'Fjord',
    backup: '2026-01-02T03-04-05Z',
    by: 'Ada',
    step: 'stopping',
    code: 'POWER_AGENT_AWAY',
  },
  'mods.updates': { name: 'Island', count: 12, mods: ['Sodium', 'Lithium'] },
  'mods.wave-done': { by: 'Ana', changed: 3, blocked: 1 },
  'mods.wave-stopped': { by: 'Ana', name: 'Island', detail: 'It crashed.', left: 2 },
  'waiting.began': { waiting: 'deliveries', count: 3 },
  'waiting.ended': { waiting: 'deliveries' },
  'season.began': {
    name: 'Winter',
    game: 'ark-asa',
    by: 'Ana',
    members: 12,
    pieces: 30,
    announcement: { en: 'Have fun!', 'pt-BR': 'Divirtam-se!' },
  },
  'player.joined': { playerId: '1', name: 'Otter' },
  'player.left': { playerId: '1', name: 'Otter', playedSeconds: 3725 },
  'chat.message': { playerId: '1', name: 'Otter', text: 'hello' },
  'discord.member-joined': { discordId: '111111111111111111', name: 'Otter' },
  'discord.member-left': { discordId: '111111111111111111', name: 'Otter' },
  'agent.connected': { name: 'Fjord', mode: 'websocket', version: '1', address: '192.0.2.1' },
  'agent.stale': { name: 'Fjord', lastSeenAt: '2026-01-02T03:04:05.000Z' },
  'agent.pinned': { name: 'Fjord', fingerprint: 'ab', address: '192.0.2.1' },
  'agent.refused': { code: 'AGENT_PROOF_WRONG', detail: '', address: '192.0.2.1' },
};

const row = (kind: string, payload: Record<string, unknown>): EventRow => ({
  id: '1',
  at: '2026-01-02T03:04:05.000Z',
  kind,
  severity: 'info',
  serverId: null,
  payload,
});

it.each(eventKindNames)('says %s in every language', (kind) => {
  expect(eventKinds[kind].payload.safeParse(samples[kind]).success).toBe(true);
  const said = languages.map((language) => eventSentence(row(kind, samples[kind]), language, null));
  for (const sentence of said) {
    expect(sentence).not.toMatch(/undefined|null|\[object|[{}]/);
    expect(sentence.length).toBeGreaterThan(5);
  }
  if (kind !== 'chat.message') expect(said[0]).not.toBe(said[1]);
  for (const language of languages) expect(kindName(kind, language)).not.toBe(kind);
});

it('puts the values in', () => {
  const [left, refused, failed] = (['player.left', 'agent.refused', 'queue.job-failed'] as const).map(
    (kind) => eventSentence(row(kind, samples[kind]), 'en', null).replace(/[\u2068\u2069]/g, ''),
  );
  expect(left).toMatch(/^Otter left after 1h 2m/);
  expect(refused).toContain('192.0.2.1 was rejected: ');
  expect(failed).toContain('after 3 tries');
});

it('tells of a refund only where points were returned', () => {
  const failed = samples['delivery.failed'];
  const say = (points: number | undefined) =>
    languages.map((language) =>
      eventSentence(row('delivery.failed', { ...failed, points }), language, null).replace(
        /[\u2068\u2069]/g,
        '',
      ),
    );
  const refunded = [
    'A delivery failed and was refunded: There is no such item.',
    'Uma entrega falhou e foi reembolsada: There is no such item.',
  ];
  expect(say(10)).toEqual(refunded);
  expect(say(undefined)).toEqual(refunded);
  expect(say(0)).toEqual([
    'A delivery failed: There is no such item.',
    'Uma entrega falhou: There is no such item.',
  ]);
});

it('keeps a hostile name within its own bounds', () => {
  const name = '\u202eevil\u2069\u2066\n<b>x</b>';
  const sentence = eventSentence(row('player.joined', { playerId: '1', name }), 'en', null);
  expect(sentence).toBe('\u2068 evil <b>x</b>\u2069 joined');
});

it('keeps hostile values of a reason within their own bounds', () => {
  const values = ['\u202eevil\u2069', '@everyone\n'];
  const event = row('server.program-fault', { name: 'Fjord', code: 'interpreter-missing', values });
  expect(eventSentence(event, 'en', null)).toMatch(
    /^\u2068Fjord\u2069 cannot start: \u2068 evil \u2069 is run by \u2068@everyone \u2069, which does not exist\. /,
  );
});

it('shows an unknown kind, or an unknown payload, as it stands', () => {
  expect(eventSentence(row('moon.risen', { full: true }), 'en', null)).toBe('moon.risen {"full":true}');
  expect(eventSentence(row('player.joined', { who: 'x' }), 'pt-BR', null)).toBe('player.joined {"who":"x"}');
  expect(eventSentence(row('toString', {}), 'en', null)).toBe('toString {}');
});

it('names the server that an agent was refused for, within its own bounds', () => {
  const refused = row('agent.refused', samples['agent.refused']);
  expect(eventSentence(refused, 'en', 'Fjord\u202e')).toMatch(/^A Game Agent for \u2068Fjord \u2069 from /);
  expect(eventSentence(refused, 'en', null)).toMatch(/^A Game Agent from /);
});
