import { expect, test } from 'vitest';
import { lasts, type Product, productDraft } from '#contracts/store/store.ts';
import {
  draftOf,
  faultIn,
  fieldsOf,
  linesForGame,
  newCommand,
  newFields,
  newItem,
  newRole,
} from './product-draft.ts';
import { suggestKey } from './suggest-key.ts';

const full: Product = {
  id: 'p',
  version: 3,
  currentPrice: 250,
  priceUntil: null,
  priceSchedule: [
    { from: '2026-12-01T10:00:30.000Z', until: '2026-12-02T10:00:00.000Z', price: 200 },
    { from: '2026-12-03T10:00:00.000Z', until: null, price: 300 },
  ],
  createdAt: '2026-01-01T00:00:00.000Z',
  archivedAt: null,
  heldAt: null,
  heldReason: null,
  heldWhy: null,
  picture: null,
  approval: null,
  notes: [],
  notForSale: null,
  notForSaleWhy: null,
  name: 'Starter kit',
  shortCode: 'KIT',
  description: 'Two lines\nof text',
  category: 'Kits',
  price: 250,
  game: 'ark-asa',
  clusterIds: ['c'],
  serverIds: ['s'],
  lines: [
    { kind: 'item', item: 'PrimalItem_X_C', quantity: 5, quality: 0 },
    { kind: 'item', item: 'PrimalItem_Y_C', quantity: 1 },
    {
      kind: 'command',
      command: 'AddXP {survivorNumber}',
      success: ['done *', 'ok'],
      failure: ['no *'],
      needsPlayer: false,
      counterCommand: 'TakeXP {survivorNumber}',
      lasts: { key: 'xp', seconds: 5400, extends: false, taken: ['gone *'] },
    },
    {
      kind: 'item',
      item: 'PrimalItem_Z_C',
      quantity: 1,
      lasts: { key: 'kit:z', seconds: 864_000, extends: true, everyDay: true },
    },
    {
      kind: 'role',
      roleId: '123456789012345678',
      roleName: 'VIP',
      lasts: { key: 'role:vip', seconds: 3600, extends: true },
    },
  ],
  limits: {
    perMember: 10,
    perPeriod: { count: 2, days: 7 },
    cooldownSeconds: 5400,
    saleFrom: '2026-03-01T10:20:30.000Z',
    saleUntil: '2026-04-01T10:20:30.000Z',
  },
  stock: 0,
  isEnabled: true,
  onWipe: 'regrant',
  regrantMost: 2,
};

// Guarantee: a product that is opened and saved untouched stays the same, to the second.
test('what is not touched is saved as it was read', () => {
  expect(productDraft.parse(draftOf(fieldsOf(full), full))).toEqual(
    productDraft.parse(
      Object.fromEntries(Object.keys(productDraft.shape).map((key) => [key, full[key as keyof Product]])),
    ),
  );
});

test('empty fields limit nothing', () => {
  const draft = productDraft.parse(
    draftOf(
      {
        ...newFields('minecraft'),
        name: 'Kit',
        lines: [{ kind: 'item', key: 1, item: 'stone', quantity: 1, quality: '', lasts: null }],
      },
      null,
    ),
  );
  expect(draft.limits).toEqual({});
  expect(draft.stock).toBeNull();
  expect(draft.lines).toEqual([{ kind: 'item', item: 'stone', quantity: 1 }]);
});

test('a pause is shown in the largest unit that fits', () => {
  expect(fieldsOf(full)).toMatchObject({ cooldown: 90, cooldownUnit: 60 });
  expect(fieldsOf({ ...full, limits: { cooldownSeconds: 61 } })).toMatchObject({
    cooldown: 61,
    cooldownUnit: 1,
  });
  expect(fieldsOf({ ...full, limits: { cooldownSeconds: 172_800 } })).toMatchObject({
    cooldown: 2,
    cooldownUnit: 86_400,
  });
});

// Guarantee: a product of a game whose console gives no items does not begin with one, and loses no item that is chosen.
test('lines of a game without items', () => {
  expect(newFields('palworld').lines).toMatchObject([{ kind: 'command' }]);
  const lines = [newItem(), { ...newItem(), item: 'minecraft:dirt' }];
  expect(linesForGame('palworld', lines)).toMatchObject([{ kind: 'command' }, { item: 'minecraft:dirt' }]);
  expect(linesForGame('minecraft', lines)).toBe(lines);
});

test.each([
  ['periodHalf', { periodCount: 2 as const }],
  ['periodHalf', { periodDays: 2 as const }],
  ['saleOrder', { saleFrom: '2026-01-02T00:00', saleUntil: '2026-01-01T00:00' }],
  [null, { saleFrom: '2026-01-02T00:00' }],
] as const)('a contradiction is found: %s', (fault, changes) =>
  expect(faultIn({ ...newFields('minecraft'), ...changes })).toBe(fault),
);

// Guarantee: the suggested name for something that lasts is one that the API accepts.
test.each([
  ['lp user {player} parent add VIP+', 'rank:vip'],
  ['whitelist add {player}', 'whitelist'],
  ['/admin add {handle} 5', 'admin:5'],
  ['{player}', 'command:one'],
  ['fly on {player}', 'command:fly-on'],
])('the suggestion for %s', (command, key) => {
  expect(suggestKey({ ...newCommand(), command })).toBe(key);
  expect(lasts.shape.key.parse(suggestKey({ ...newRole(), roleName: 'Épica ★' }))).toBe('role:e-pica');
});

// Guarantee: the times of a kept draft keep their meaning, whatever time zone the reader has chosen since.
test('a draft keeps its time zone', () => {
  const typed = { ...newFields('minecraft'), saleFrom: '2026-06-01T20:00' };
  const startIn = (zone: string) => draftOf({ ...typed, zone }, null).limits?.saleFrom;
  expect(startIn('America/Sao_Paulo')).toBe('2026-06-01T23:00:00.000Z');
  expect(startIn('Asia/Tokyo')).toBe('2026-06-01T11:00:00.000Z');
});
