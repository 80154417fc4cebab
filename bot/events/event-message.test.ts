import type { APIEmbed } from 'discord.js';
import { expect, test } from 'vitest';
import type { BatchEvent, EventBatch } from '#contracts/discord/discord-events.ts';
import type { Language } from '#contracts/kernel/language.ts';
import { safeText } from './discord-text.ts';
import { eventMessage, isMessageOf, plainMessage } from './event-message.ts';

const event = (more: Partial<BatchEvent> = {}): BatchEvent => ({
  id: '1',
  at: '2026-01-02T03:04:05.000Z',
  kind: 'player.joined',
  severity: 'info',
  serverId: 's1',
  serverName: 'Fjord',
  payload: { playerId: 'p1', name: 'Otter' },
  ...more,
});
const batch = (events: BatchEvent[], more: Partial<EventBatch> = {}): EventBatch => ({
  id: 'AbCd1234_-xy',
  channelId: '333333333333333333',
  lane: 'rest',
  openedAt: '2026-01-02T03:04:05.000Z',
  isRepeat: false,
  roleIds: [],
  leftOut: 0,
  events,
  ...more,
});
const embedsOf = (given: EventBatch, language: Language = 'en'): readonly APIEmbed[] =>
  eventMessage(given, language).embeds ?? [];
const shown = (text: string | undefined) => (text ?? '').replaceAll(/[\u2068\u2069\\]/g, '');
const chat = (text: string, id = 1) =>
  event({ id: String(id), kind: 'chat.message', payload: { playerId: null, name: 'Otter', text } });

// Guarantee: one event is one embed with a sentence; similar events share an embed that says how many, in order; both languages.
test('how events look', () => {
  expect(embedsOf(batch([event()]))).toMatchObject([
    {
      color: 0x5b8def,
      title: 'Player joined',
      timestamp: '2026-01-02T03:04:05.000Z',
      footer: { text: 'Castellan · AbCd1234_-xy' },
    },
  ]);
  expect(shown(embedsOf(batch([event()]))[0]?.description)).toBe('Otter joined');
  expect(shown(embedsOf(batch([event()]))[0]?.author?.name)).toBe('Fjord');
  const many = ['Ann', 'Ben', 'Cid'].map((name) => event({ payload: { playerId: name, name } }));
  const [embed, other] = embedsOf(
    batch([
      ...many,
      event({ kind: 'stack.started', serverId: null, serverName: null, payload: { version: '1' } }),
    ]),
    'pt-BR',
  );
  expect(embed?.title).toBe('3 × Jogador entrou');
  expect(shown(embed?.description).split('\n')).toEqual(
    ['Ann', 'Ben', 'Cid'].map((name) => `<t:1767323045:T> ${name} entrou no jogo`),
  );
  expect(embed?.footer).toBeUndefined();
  expect(other).toMatchObject({ title: 'API iniciada', footer: { text: 'Castellan · AbCd1234_-xy' } });
  expect(other?.author).toBeUndefined();
});

// Guarantee: what players write is plain text: no style, no link, no mention, no other text direction, no extra line.
test('hostile names', () => {
  const hostile = '@everyone <@1> [x](https://evil.example) **b** `c` discord.gg/abc \u202egnp.exe\nsecond';
  const message = eventMessage(batch([chat(hostile)]), 'en');
  const description = message.embeds?.[0]?.description ?? '';
  for (const raw of ['@everyone', '<@', '](', 'https://', '**', 'discord.gg', '\u202e', '\n'])
    expect(description.replaceAll(/\\./g, '??')).not.toContain(raw);
  expect(message.allowed_mentions).toEqual({ parse: [], roles: [] });
  expect(message.content).toBeUndefined();
  expect(safeText('a_b')).toBe('\u2068a\\_b\u2069');
});

// Guarantee: only the rule's role is mentioned.
test('a role', () => {
  const message = eventMessage(
    batch([chat('<@&555555555555555555>')], { roleIds: ['444444444444444444'] }),
    'en',
  );
  expect(message.content).toBe('<@&444444444444444444>');
  expect(message.allowed_mentions).toEqual({ parse: [], roles: ['444444444444444444'] });
});

const lengthOf = (embeds: readonly APIEmbed[]) =>
  embeds
    .flatMap(({ title, description, author, footer }) => [title, description, author?.name, footer?.text])
    .join('').length;

// Guarantee: no batch, whatever its content, exceeds Discord's limits, and no event goes uncounted.
test.each([
  ['long texts', Array.from({ length: 50 }, (_, index) => chat('*'.repeat(500), index))],
  ...['', 'a'].map((first): [string, BatchEvent[]] => [
    `a cut among pairs of surrogates, ${first.length} later`,
    Array.from({ length: 9 }, (_, index) => ({
      ...chat(`${first}${'*'.repeat(200)}${'𝕬'.repeat(99)}`),
      serverId: `s${index}`,
    })),
  ]),
  ['long names in an alphabet of surrogates', [chat('𝕬'.repeat(2000))]],
  [
    'as many servers as events',
    Array.from({ length: 50 }, (_, index) =>
      event({
        serverId: `s${index}`,
        serverName: '𝕬'.repeat(300),
        payload: { playerId: '', name: '_'.repeat(300) },
      }),
    ),
  ],
])('%s', (_what, events) => {
  const embeds = embedsOf(batch(events, { leftOut: 1234 }));
  expect(embeds.length).toBeLessThanOrEqual(10);
  expect(lengthOf(embeds)).toBeLessThanOrEqual(6000);
  for (const { title, description, author } of embeds) {
    expect(title?.length ?? 0).toBeLessThanOrEqual(256);
    expect(description?.length ?? 0).toBeLessThanOrEqual(4096);
    // Discord refuses half a surrogate pair.
    expect(description).toBe(description?.toWellFormed());
    expect(author?.name.length ?? 0).toBeLessThanOrEqual(256);
  }
  expect(embeds[0]?.description).toContain('1,234 events were left out');
  const told = embeds.slice(1).reduce((sum, { title, description = '' }) => {
    const more = /…and ([\d,]+) more/.exec(description)?.[1] ?? '0';
    const lines = description.split('\n').length - (more === '0' ? 0 : 1);
    expect(Number(/^(\d+)/.exec(title ?? '')?.[1] ?? 1)).toBe(lines + Number(more));
    return sum + lines + Number(more);
  }, 0);
  expect(told).toBe(events.length);
});

// Guarantee: a message is recognized by its mark, and nothing that a player writes can carry it.
test('the mark', () => {
  const given = batch([event()]);
  for (const message of [eventMessage(given, 'en'), plainMessage(given, 'pt-BR')]) {
    expect(message).toMatchObject({ nonce: given.id, enforce_nonce: true });
    expect(isMessageOf(given.id, message.embeds ?? [])).toBe(true);
    expect(isMessageOf('another', message.embeds ?? [])).toBe(false);
  }
  expect(isMessageOf(given.id, embedsOf(batch([chat(`Castellan · ${given.id}`)], { id: 'other' })))).toBe(
    false,
  );
});

// Guarantee: a message names its community, and is still found by its mark after the community was renamed.
test.each(['The Keep', 'מבצר', 'x'.repeat(200), 'Other · batch'])('in the name of %s', (community) => {
  const given = batch([event()], { community });
  const { embeds = [] } = eventMessage(given, 'en');
  const text = embeds.at(-1)?.footer?.text ?? '';
  expect(text.startsWith(community.slice(0, 90))).toBe(true);
  expect(text.length).toBeLessThan(150);
  expect(isMessageOf(given.id, embeds)).toBe(true);
  expect(isMessageOf(given.id, embedsOf(batch([event()])))).toBe(true);
});
