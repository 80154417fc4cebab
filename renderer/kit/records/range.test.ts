import { afterEach, describe, expect, it } from 'vitest';
import { asInstant, asLocal, dayStart, presetRange, rangeChoiceIn, rangeIn } from './range.ts';

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

// Guarantee: a date is never changed while it is being typed, whatever the time zone: the year 2026 is typed as 0002,
// 0020, 0202, 2026.
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

const spans = (timeZone: string, now: string) => {
  process.env.TZ = timeZone;
  const at = new Date(now);
  return {
    today: presetRange('today', at),
    yesterday: presetRange('yesterday', at),
    week: presetRange('7-days', at),
    month: presetRange('30-days', at),
  };
};

// Guarantee: a day begins when the wall clock says so, including days of 23 and of 25 hours, a day without midnight,
// and zones with half hours.
describe('spans of days', () => {
  it('in Berlin, on the day of 25 hours', () => {
    expect(spans('Europe/Berlin', '2026-10-25T22:59:59Z')).toEqual({
      today: { from: '2026-10-24T22:00:00.000Z' },
      yesterday: { from: '2026-10-23T22:00:00.000Z', to: '2026-10-24T22:00:00.000Z' },
      week: { from: '2026-10-18T22:00:00.000Z' },
      month: { from: '2026-09-25T22:00:00.000Z' },
    });
  });
  it('in Berlin, after the day of 23 hours', () => {
    expect(spans('Europe/Berlin', '2026-03-30T00:30:00Z').yesterday).toEqual({
      from: '2026-03-28T23:00:00.000Z',
      to: '2026-03-29T22:00:00.000Z',
    });
  });
  it('in São Paulo, on a day that began at one o’clock', () => {
    expect(spans('America/Sao_Paulo', '2018-11-04T12:00:00Z').today).toEqual({
      from: '2018-11-04T03:00:00.000Z',
    });
  });
  it('in Kolkata, just after midnight', () => {
    expect(spans('Asia/Kolkata', '2026-01-01T18:30:00Z')).toMatchObject({
      today: { from: '2026-01-01T18:30:00.000Z' },
      yesterday: { from: '2025-12-31T18:30:00.000Z', to: '2026-01-01T18:30:00.000Z' },
    });
  });
});

// Guarantee: a preset in the address takes precedence over times, and an invalid one counts as none.
it.each([
  [{ when: 'today', from: '2026-01-01T00:00:00Z' }, 'today'],
  [{ when: 'range' }, 'range'],
  [{ from: '2026-01-01T00:00:00Z' }, 'range'],
  [{ when: 'constructor', to: 'nonsense' }, null],
  [{}, null],
])('%j means %s', (values, choice) => {
  expect(rangeChoiceIn(values)).toBe(choice);
});

// Guarantee: the community's days begin at its own midnight, on a device in any zone, and typed times are in its time zone.
describe.each(['UTC', 'Asia/Tokyo', 'America/Los_Angeles'])('on a device in %s', (timeZone) => {
  it('days in São Paulo', () => {
    process.env.TZ = timeZone;
    const [now, zone] = [new Date('2026-11-27T02:59:59Z'), 'America/Sao_Paulo'];
    expect(dayStart(now, 0, zone).toISOString()).toBe('2026-11-26T03:00:00.000Z');
    expect(dayStart(now, 1, zone).toISOString()).toBe('2026-11-27T03:00:00.000Z');
    expect(asInstant('2026-11-27T10:30', zone)).toBe('2026-11-27T13:30:00.000Z');
    expect(asLocal('2026-11-27T13:30:00.000Z', zone)).toBe('2026-11-27T10:30');
  });
  it.each(['0002', '0020', '0202', '2026'])('the year %s stays as it is', (year) => {
    process.env.TZ = timeZone;
    const typed = `${year}-05-06T10:10`;
    expect(asLocal(asInstant(typed, 'America/Sao_Paulo'), 'America/Sao_Paulo')).toBe(typed);
  });
  it.each(['2026-13-01T00:00', '2026-01-01T25:00', '0000-01-01T00:00'])('%s is no time', (typed) => {
    expect(asInstant(typed, 'America/Sao_Paulo')).toBeUndefined();
  });
});
