import { expect, test } from 'vitest';
import { followClock, type KnownClock } from './follow-clock.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;
const start = Date.parse('2026-11-30T10:00:00Z');

/** A machine whose clock is looked at each minute; what really passes is known here alone. */
const openMachine = () => {
  let real = start;
  /** How far the clock is ahead of what is real. */
  let off = 0;
  let bootedReal = start - hour;
  let last: number | null = null;
  let steadySince = real;
  let known: KnownClock | null = null;
  /** What the portal signed last. */
  let signed: number | null = null;
  const look = () => {
    const bootedMs = bootedReal + off;
    if (last !== null && Math.abs(bootedMs - last) > minute) steadySince = real;
    known = followClock(known, {
      nowMs: real + off,
      bootedMs,
      lastBootedMs: last,
      steadyMs: real - steadySince,
      signedMs: signed,
    });
    last = bootedMs;
  };
  look();
  return {
    /** With a look each minute, or each hour where days pass. */
    run(ms: number) {
      const step = ms > 2 * day ? hour : minute;
      for (let passed = 0; passed < ms; passed += step) {
        real += step;
        look();
      }
    },
    set(ms: number) {
      off += ms;
    },
    /** The portal answers. */
    sign() {
      signed = real;
      look();
    },
    sleep(ms: number) {
      real += ms;
    },
    /** A virtual machine, whose time since its start stands still. */
    pause(ms: number) {
      real += ms;
      bootedReal += ms;
      look();
    },
    /** The API alone. */
    restartApi(ms = 0) {
      real += ms;
      last = null;
      steadySince = real;
      look();
    },
    reboot(offMs: number, setMs = 0) {
      real += offMs;
      bootedReal = real;
      off += setMs;
      last = null;
      steadySince = real;
      look();
    },
    /** How far what is proven is from what is real. */
    error: () => real + off - (known?.unprovenMs ?? 0) - real,
    isDoubted: () => (known?.unprovenMs ?? 0) > 0,
  };
};

// Guarantee: a clock that goes ahead while the machine runs is not believed for as long as it jumped, at most 30 days, and
// when it is put right in that time, it never was.
test.each([
  ['an hour', hour, hour],
  ['a day', day, day],
  ['8 days', 8 * day, 8 * day],
  ['a year', year, 30 * day],
  ['70 years', 70 * year, 30 * day],
])('%s ahead', (_name, jump, doubted) => {
  const machine = openMachine();
  machine.run(hour);
  machine.set(jump);
  machine.run(doubted - 2 * hour > 0 ? doubted - 2 * hour : doubted / 2);
  expect(Math.abs(machine.error())).toBeLessThanOrEqual(minute);
  machine.set(-jump);
  machine.run(10 * minute);
  expect(Math.abs(machine.error())).toBeLessThanOrEqual(minute);
  expect(machine.isDoubted()).toBe(false);
  // Not put right: believed in the end.
  machine.set(jump);
  machine.run(doubted + 3 * hour);
  expect(machine.error()).toBe(jump);
});

// Guarantee: the same holds if it jumps while the machine is off, from more than a day on; a machine that was only off is
// believed at once after a night, and after weeks no later than in as much time.
test.each([
  ['a night', 12 * hour, 0, false],
  ['a week', 7 * day, 0, true],
  ['a night, and wakes a year ahead', 12 * hour, year, true],
  ['a night, and wakes a year behind', 12 * hour, -year, false],
  ['a night, and wakes in 2000', 12 * hour, -26 * year, false],
])('off for %s', (_name, offMs, jump, isDoubted) => {
  const machine = openMachine();
  machine.run(hour);
  machine.reboot(offMs, jump);
  expect(machine.isDoubted()).toBe(isDoubted);
  // Time servers put it right soon.
  machine.set(-jump);
  machine.run(20 * minute);
  if (jump !== 0) expect(Math.abs(machine.error())).toBeLessThanOrEqual(12 * hour + 2 * minute);
  machine.run(8 * day);
  expect(machine.error()).toBe(0);
});

// Guarantee: once the portal has answered, a machine that was off for long, or paused with its host, is believed at once, however
// often; a clock that differs a little from the portal's soon is, and one that is a year ahead is not.
test('what the portal has signed', () => {
  const machine = openMachine();
  for (let week = 0; week < 60; week += 1) {
    if (week % 2 === 0) machine.reboot(5 * day);
    else machine.pause(5 * day);
    expect(machine.isDoubted()).toBe(true);
    machine.sign();
    expect(machine.isDoubted()).toBe(false);
    machine.run(2 * day);
  }
  machine.reboot(5 * day, 6 * minute);
  machine.sign();
  machine.run(15 * minute);
  expect(machine.isDoubted()).toBe(false);
  machine.reboot(5 * day, year);
  machine.sign();
  machine.run(hour);
  expect(machine.isDoubted()).toBe(true);
  expect(machine.error()).toBeLessThanOrEqual(0);
});

// Guarantee: sleep, a restart of the API after days, small corrections and clocks that are set back raise no doubt.
test('what is no jump', () => {
  const machine = openMachine();
  for (const change of [
    () => machine.sleep(3 * day),
    () => machine.restartApi(3 * day),
    () => machine.set(2 * minute),
    () => machine.set(-2 * minute),
    () => machine.set(-hour),
    () => machine.set(-year),
  ]) {
    change();
    machine.run(5 * minute);
    expect(machine.isDoubted()).toBe(false);
  }
});

// Guarantee: after a wrong time was believed and put right, the next jump is doubted again.
test('a jump after a wrong time was believed', () => {
  const machine = openMachine();
  machine.set(year);
  machine.run(31 * day);
  machine.set(-year);
  machine.run(2 * day);
  machine.set(30 * day);
  machine.run(hour);
  expect(machine.isDoubted()).toBe(true);
});

// Guarantee: two API processes count a jump once, on one machine or on two, and one on another machine counts none that is not its own.
test('several processes', () => {
  const known = {
    seenMs: start,
    bootedMs: start - day,
    trustedMs: start,
    unprovenMs: 0,
    jumpedMs: null,
    untilMs: null,
  };
  const nowMs = start + year + minute;
  const look = {
    nowMs,
    bootedMs: start - day + year,
    lastBootedMs: start - day,
    steadyMs: hour,
    signedMs: null,
  };
  const once = followClock(known, look);
  expect(once.unprovenMs).toBe(year);
  expect(followClock(once, { ...look, nowMs: nowMs + 1000 }).unprovenMs).toBe(year);
  const after = {
    ...{ nowMs: nowMs + minute, bootedMs: start - 90 * day + year, lastBootedMs: start - 90 * day },
    ...{ steadyMs: hour, signedMs: null },
  };
  expect(followClock(once, after).unprovenMs).toBe(year);
  const elsewhere = { nowMs: start + minute, bootedMs: start - 90 * day, steadyMs: hour, signedMs: null };
  expect(followClock(known, { ...elsewhere, lastBootedMs: elsewhere.bootedMs }).unprovenMs).toBe(0);
});
