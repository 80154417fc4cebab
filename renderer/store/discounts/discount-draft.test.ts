import { expect, test } from 'vitest';
import type { Discount } from '#contracts/store/discounts.ts';
import { bodyOf, fieldsOf } from './discount-draft.ts';

const saved: Discount = {
  id: 'd',
  version: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  hasCode: true,
  uses: 3,
  name: 'Summer',
  off: { kind: 'percent', percent: 15 },
  productIds: ['p'],
  categories: ['Kits'],
  roleIds: ['800000000000000001'],
  code: 'SUMMER',
  mostUses: 10,
  mostPerMember: null,
  validFrom: '2026-06-01T00:00:30.000Z',
  validUntil: null,
  isEnabled: true,
};

// Guarantee: a discount that is opened and saved untouched stays the same, to the second.
test('there and back', () => {
  const {
    id: _id,
    version: _version,
    createdAt: _createdAt,
    hasCode: _hasCode,
    uses: _uses,
    ...draft
  } = saved;
  expect(bodyOf(fieldsOf(saved), saved)).toEqual(draft);
});

// Guarantee: a draft that the API would refuse cannot be sent.
test('drafts that are not complete', () => {
  const fields = fieldsOf(saved);
  expect(bodyOf({ ...fields, name: ' ' }, saved)).toBeNull();
  expect(bodyOf({ ...fields, percent: '' }, saved)).toBeNull();
  expect(bodyOf({ ...fields, kind: 'points' }, saved)).toBeNull();
  expect(bodyOf({ ...fields, code: 'a|b' }, saved)).toBeNull();
  expect(bodyOf({ ...fields, validUntil: '2020-01-01T00:00' }, saved)).toBeNull();
  expect(bodyOf({ ...fields, kind: 'points', points: 5, code: '' }, saved)).toMatchObject({
    off: { kind: 'points', points: 5 },
    code: null,
  });
});

// Guarantee: typed times are in the time zone that the dialog names, whatever the reader has chosen since.
test('a discount keeps its time zone', () => {
  const fields = fieldsOf(saved, 'Asia/Tokyo');
  expect(fields.validFrom).toBe('2026-06-01T09:00');
  expect(bodyOf(fields, saved)?.validFrom).toBe(saved.validFrom);
  expect(bodyOf({ ...fields, validFrom: '2026-06-01T10:00' }, saved)?.validFrom).toBe(
    '2026-06-01T01:00:00.000Z',
  );
});
