import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atWallTime, wallTime } from './wall-clock.ts';

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/Sao_Paulo',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
];
const at = (text: string) => {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = text.split(/\D/).map(Number);
  return { year, month, day, hour, minute, second: 0 };
};

// Guarantee: the time on a clock leads back to the moment at which the clock showed it, in any zone, also in repeated hours.
test.each(zones)('there and back in %s', (zone) => {
  const first = Date.UTC(1, 6, 1);
  fc.assert(
    fc.property(fc.integer({ min: first / 1000, max: 4_000_000_000 }), (seconds) => {
      const shown = wallTime(new Date(seconds * 1000), zone);
      expect(wallTime(atWallTime(shown, zone), zone)).toEqual(shown);
    }),
    { numRuns: 300 },
  );
});

// Guarantee: a moment is read as the clocks of its zone showed it, whatever the zone of this device.
test.each([
  ['2026-11-27T03:00:00Z', 'America/Sao_Paulo', { day: 27, hour: 0, minute: 0 }],
  ['2026-11-27T02:59:59Z', 'America/Sao_Paulo', { day: 26, hour: 23, minute: 59, second: 59 }],
  ['2026-11-27T03:00:00Z', 'Asia/Kathmandu', { day: 27, hour: 8, minute: 45 }],
  ['0001-01-01T12:00:00Z', 'UTC', { year: 1, month: 1, day: 1, hour: 12 }],
])('%s in %s', (iso, zone, shown) => {
  expect(wallTime(new Date(iso), zone)).toMatchObject(shown);
});

// Guarantee: a repeated hour means the first; a skipped one comes after the jump, as on this device.
test.each([
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['2018-11-04T00:00', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
  ['2011-12-30T12:00', 'Pacific/Apia', '2011-12-30T22:00:00.000Z'],
  ['2026-02-30T00:00', 'UTC', '2026-03-02T00:00:00.000Z'],
  ['0099-05-06T10:10', 'UTC', '0099-05-06T10:10:00.000Z'],
])('%s in %s is %s', (text, zone, iso) => {
  expect(atWallTime(at(text), zone).toISOString()).toBe(iso);
});
