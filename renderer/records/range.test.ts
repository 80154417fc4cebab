import { afterEach, describe, expect, it } from 'vitest';
import { asInstant, asLocal, rangeIn } from './range.ts';

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

// Guarantee: a date that is being typed is never changed under the fingers, whatever the time zone: the year 2026 is
// typed as 0002, 0020, 0202, 2026.
describe.each(['UTC', 'Europe/Berlin', 'America/Sao_Paulo', 'Asia/Kolkata'])('in %s', (timeZone) => {
  it.each(['0002', '0020', '0202', '2026'])('the year %s stays as it is', (year) => {
    process.env.TZ = timeZone;
    const typed = `${year}-05-06T10:10`;
    expect(asLocal(asInstant(typed))).toBe(typed);
  });
});

// Guarantee: nothing in an address makes a time that the API refuses.
it.each([
  undefined,
  '',
  'yesterday',
  '+275760-09-13T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
])('%s is no time', (text) => {
  expect(asInstant(text)).toBeUndefined();
  expect(asLocal(text)).toBe('');
  expect(rangeIn({ ...(text !== undefined && { from: text, to: text }) })).toEqual({});
});
