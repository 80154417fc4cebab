import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TokenClaims } from '#contracts/license/licenses.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import type { KeptBackup } from '#runtime/backup/backup-manifest.ts';
import { type DatedAhead, isDatedAhead, notesAfter } from '#runtime/backup/dated-ahead.ts';
import { outdatedBackups } from '#runtime/backup/rotation.ts';
import type { ClockLook } from '#runtime/clock.ts';
import { ofUse } from '#runtime/license/check-license.ts';
import { nextCheckMs } from '#runtime/license/check-schedule.ts';
import { type DerivedLicense, deriveLicense, type LicenseFacts } from '#runtime/license/derive-license.ts';
import { claimsFor } from '#runtime/license/testing/fake-portal.ts';
import { newestFullMs, nextBackupMs } from './backup-times.ts';
import { backupsHealthOf, countedOf } from './backups-health.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const years70Ms = 25_568 * dayMs;
/** By the machine's clock, in any time zone. */
const noon = new Date(2026, 4, 1, 12).getTime();
const daysBefore = 60;
const daysAfter = 12;
/** The clock is wrong for this day. */
const setMs = noon + 22 * hourMs;
const rightMs = setMs + dayMs;
/** Minute by minute until the day after the wrong one is over; later, only nights and passing dates matter. */
const stepMs = (trueMs: number): number => (trueMs < rightMs + dayMs ? minuteMs : 15 * minuteMs);
const hwid = `sha256:${'ab'.repeat(32)}`;
const graceDays = 7;

interface Day {
  readonly name: string;
  /** How far the clock is set for a day; 0: not at all. */
  readonly byMs: number;
  /** A backup that lies in the folder from the beginning, dated so far ahead; null: none. */
  readonly foundMs: number | null;
  /** The process starts again while the clock is wrong, and after it was put right. */
  readonly restarts: boolean;
}

interface Taken extends KeptBackup {
  /** When it was really taken. */
  readonly trueMs: number;
}

let count = 0;
const backupAt = (takenMs: number, trueMs: number): Taken => {
  count += 1;
  return {
    ...{ name: `${count}`, takenAt: new Date(takenMs).toISOString(), trueMs, kind: 'nightly' },
    ...{ reason: 'nightly', cause: { kind: 'nightly' }, bytes: 1, version: null, isListed: true },
  };
};

/** What two months of nights have left. */
const history = (): Taken[] => {
  let kept: Taken[] = [];
  for (let night = daysBefore; night > 0; night -= 1) {
    const atMs = noon - (night - 1) * dayMs - 8 * hourMs - 29 * minuteMs;
    kept = [backupAt(atMs, atMs), ...kept];
    const outdated = new Set<KeptBackup>(outdatedBackups(kept, atMs));
    kept = kept.filter((backup) => !outdated.has(backup));
  }
  return kept;
};

/** The license of an installation whose portal answers, unless the clock is so wrong that its certificate is not accepted. */
const openLicense = (startMs: number) => {
  let claims: TokenClaims = claimsFor(hwid, startMs);
  let lastCheck: Extract<LicenseFacts['record'], { kind: 'open' }>['lastCheck'] = null;
  let held: ClockLook = { nowMs: startMs, monotonicMs: startMs };
  let dueMs = startMs;
  let state: DerivedLicense['state'] | null = null;
  const derive = ({ nowMs, monotonicMs }: ClockLook): DerivedLicense => {
    const passedMs = monotonicMs - held.monotonicMs;
    const { tenantId } = claims;
    return deriveLicense({
      record: { kind: 'open', token: { kind: 'verified', claims }, tenantId, refusal: null, lastCheck },
      ...{ hwid, nowMs, graceDays },
      knownMs: claims.iat * 1000 + passedMs,
      unsetMs: held.nowMs + passedMs,
    });
  };
  return {
    restart(look: ClockLook) {
      held = look;
    },
    /** The state after a minute, in which the portal may have been asked. */
    after(look: ClockLook, trueMs: number): DerivedLicense {
      const { nowMs, monotonicMs } = look;
      const schedule = (derived: DerivedLicense) => {
        state = derived.state;
        const issuedMs = claims.iat * 1000;
        dueMs = monotonicMs + nextCheckMs({ state, issuedMs, nowMs, retryAfterMs: 0, random: 0.5 }) - nowMs;
        return derived;
      };
      const derived = derive(look);
      if (derived.state !== state) schedule(derived);
      if (monotonicMs < dueMs) return derived;
      const at = new Date(nowMs).toISOString();
      const fresh = claimsFor(hwid, trueMs);
      const confirmed = { outcome: 'confirmed', token: '', claims: fresh, endsAt: null } as const;
      const isReached = Math.abs(nowMs - trueMs) < 60 * dayMs;
      const answer = isReached ? ofUse(confirmed, { held: claims, nowMs, graceDays }) : null;
      if (answer?.outcome === 'confirmed') {
        claims = fresh;
        held = look;
        lastCheck = { at, outcome: 'confirmed', detail: null };
      } else lastCheck = { at, outcome: 'unreachable', detail: answer?.detail ?? 'certificate' };
      return schedule(derive(look));
    },
  };
};

const inWords = ({ state, code }: DerivedLicense) => code ?? state;

/** Lives through the days minute by minute. */
const live = ({ byMs, foundMs, restarts }: Day) => {
  let kept = history();
  const old = new Set(kept.map(({ trueMs }) => trueMs));
  if (foundMs !== null) kept = [backupAt(noon + foundMs, noon - 30 * dayMs), ...kept];
  const found = foundMs === null ? null : kept[0];
  const license = openLicense(noon - dayMs / 2);
  let startedMs = noon - 5 * dayMs;
  let notes: DatedAhead = {};
  let passing: DatedAhead = {};
  let before: ClockLook | null = null;
  let own: { readonly name: string; readonly beganMs: number } | null = null;
  const takenAtMs: number[] = [];
  let falselyFresh = 0;
  const seen = {
    health: '',
    wrongHealth: '',
    rightHealth: '',
    license: '',
    wrongLicense: '',
    rightLicense: '',
  };

  for (let trueMs = noon; trueMs < noon + daysAfter * dayMs; trueMs += stepMs(trueMs)) {
    const isWrong = trueMs >= setMs && trueMs < rightMs;
    const nowMs = trueMs + (isWrong ? byMs : 0);
    const look = { nowMs, monotonicMs: trueMs };
    if (restarts && (trueMs === setMs + hourMs || trueMs === rightMs + hourMs)) {
      startedMs = nowMs;
      before = null;
      own = null;
      passing = {};
      license.restart(look);
    }
    const derived = license.after(look, trueMs);
    const isBehind = derived.code === 'CLOCK_ROLLED_BACK';
    if (!isBehind) notes = notesAfter(notes, kept, look, before);
    passing = isBehind ? notesAfter(passing, kept, look, null) : {};
    before = look;
    const seenAhead = { ...notes, ...passing };
    const checked = kept.map((backup) => ({
      ...backup,
      check: null,
      isDatedAhead: isDatedAhead(backup, seenAhead, nowMs),
    }));
    const ownBackup = own && { name: own.name, agoMs: trueMs - own.beganMs };
    const newestMs = newestFullMs(countedOf(checked, nowMs), nowMs, ownBackup);
    if (nextBackupMs({ hour: 3, nowMs, startedMs, newestMs, failedMs: null }) <= nowMs) {
      const taken = backupAt(nowMs, trueMs);
      own = { name: taken.name, beganMs: trueMs };
      takenAtMs.push(trueMs);
      kept = [taken, ...kept];
      const outdated = new Set<KeptBackup>(outdatedBackups(kept, nowMs, { seenAhead }));
      kept = kept.filter((backup) => !outdated.has(backup));
    }
    const { status, detail } = backupsHealthOf(checked, null, nowMs, startedMs, ownBackup);
    const newestTrueMs = Math.max(...checked.map((backup) => backup.trueMs));
    if (detail?.includes(healthReasons['backup-fresh']) && trueMs - newestTrueMs > hourMs + minuteMs)
      falselyFresh += 1;
    seen.health = status;
    seen.license = inWords(derived);
    if (trueMs === rightMs - minuteMs) {
      seen.wrongHealth = status;
      seen.wrongLicense = inWords(derived);
    }
    if (trueMs === rightMs + hourMs) {
      seen.rightHealth = status;
      seen.rightLicense = inWords(derived);
    }
  }
  const between = (fromMs: number, toMs: number) =>
    takenAtMs.filter((atMs) => atMs >= fromMs && atMs < toMs).length;
  return {
    taken: {
      wrong: between(setMs, rightMs),
      right: between(rightMs, rightMs + dayMs),
      all: takenAtMs.length,
      inAnHour: Math.max(...takenAtMs.map((atMs) => between(atMs, atMs + hourMs))),
    },
    falselyFresh,
    ...seen,
    old: kept.filter(({ trueMs }) => old.has(trueMs)).map(({ trueMs }) => trueMs),
    isFoundThere: found ? kept.includes(found) : null,
  };
};

const spans = { '1 hour': hourMs, '1 day': dayMs, '8 days': 8 * dayMs, '70 years': years70Ms };
type Span = keyof typeof spans;
/** What a day has to come to: backups in it, in the day after and in all; health in it, an hour after and at the end; the license. */
type Expected = readonly [number, number, number, string, string, string, string];
const dated = (span: Span, ...expected: Expected): readonly [Day, Expected] => [
  { name: `a backup dated ${span} ahead`, byMs: 0, foundMs: spans[span], restarts: false },
  expected,
];
const set = (span: Span, way: 'ahead' | 'back', ...expected: Expected): readonly [Day, Expected] => [
  {
    name: `${span} ${way}`,
    byMs: way === 'ahead' ? spans[span] : -spans[span],
    ...{ foundMs: null, restarts: false },
  },
  expected,
];
const restarted = ([day, _]: readonly [Day, Expected], ...expected: Expected): readonly [Day, Expected] => [
  { ...day, name: `${day.name}, restarted`, restarts: true },
  expected,
];

const aRightDay: Day = { name: 'a right clock', byMs: 0, foundMs: null, restarts: false };
const dayAhead = set('1 day', 'ahead', 1, 2, 13, 'ok', 'degraded', 'ok', 'grace');
const yearsAhead = set('70 years', 'ahead', 1, 2, 13, 'ok', 'degraded', 'degraded', 'CLOCK_AHEAD');
const dayBack = set('1 day', 'back', 1, 1, 12, 'ok', 'ok', 'ok', 'CLOCK_ROLLED_BACK');
const yearsBack = set('70 years', 'back', 2, 1, 13, 'degraded', 'ok', 'ok', 'CLOCK_ROLLED_BACK');
const days: readonly (readonly [Day, Expected])[] = [
  [aRightDay, [1, 1, 12, 'ok', 'ok', 'ok', 'valid']],
  dated('1 hour', 1, 1, 12, 'ok', 'ok', 'ok', 'valid'),
  dated('1 day', 1, 1, 12, 'ok', 'ok', 'ok', 'valid'),
  dated('8 days', 1, 1, 12, 'degraded', 'degraded', 'ok', 'valid'),
  dated('70 years', 1, 1, 12, 'degraded', 'degraded', 'degraded', 'valid'),
  set('1 hour', 'ahead', 1, 2, 13, 'ok', 'ok', 'ok', 'valid'),
  dayAhead,
  set('8 days', 'ahead', 1, 2, 13, 'ok', 'degraded', 'ok', 'CLOCK_AHEAD'),
  yearsAhead,
  set('1 hour', 'back', 2, 1, 13, 'ok', 'ok', 'ok', 'CLOCK_ROLLED_BACK'),
  dayBack,
  set('8 days', 'back', 2, 1, 13, 'degraded', 'ok', 'ok', 'CLOCK_ROLLED_BACK'),
  yearsBack,
  restarted(dayAhead, 2, 2, 14, 'ok', 'degraded', 'ok', 'grace'),
  restarted(yearsAhead, 2, 2, 14, 'ok', 'degraded', 'degraded', 'CLOCK_AHEAD'),
  restarted(dayBack, 1, 2, 13, 'ok', 'ok', 'ok', 'CLOCK_ROLLED_BACK'),
  restarted(yearsBack, 2, 2, 14, 'degraded', 'ok', 'ok', 'CLOCK_ROLLED_BACK'),
];

const head = [
  ...['clock', 'backups in the wrong day', 'in the day after', `in ${daysAfter} days`, 'most in an hour'],
  ...['health in the wrong day', 'an hour after', 'at the end', 'old backups lost', 'falsely fresh (min)'],
  ...['license in the wrong day', 'an hour after'],
];
const rows: (readonly (string | number)[])[] = [head, head.map(() => '---')];
let keptByARightClock: readonly number[] = [];

beforeAll(() => {
  keptByARightClock = live(aRightDay).old;
});
afterAll(async () => {
  const file = process.env.CASTELLAN_CLOCKS_TABLE;
  if (file) await writeFile(file, rows.map((cells) => `| ${cells.join(' | ')} |\n`).join(''));
});

// Guarantee: with a backup from the future, and with a clock that is set by an hour, a day, 8 days or 70 years, ahead or back, and put
// right a day later, there is at most one backup an hour and two more than nights; none that a right clock would have kept is deleted,
// none is called fresh that is not; and the license works as soon as the clock is right.
test.each(days.map(([day, expected]) => ({ ...day, expected })))('$name', ({ expected, ...day }) => {
  const { taken, falselyFresh, old, isFoundThere, ...seen } = live(day);
  const kept = new Set(old);
  const lost = keptByARightClock.filter((trueMs) => !kept.has(trueMs)).length;
  rows.push([
    ...[day.name, taken.wrong, taken.right, taken.all, taken.inAnHour],
    ...[seen.wrongHealth, seen.rightHealth, seen.health, lost, falselyFresh],
    ...[seen.wrongLicense, seen.rightLicense],
  ]);
  expect(rows.at(-1)?.slice(1)).toEqual([
    ...expected.slice(0, 3),
    1,
    ...expected.slice(3, 6),
    ...[0, 0, expected[6], 'valid'],
  ]);
  // Kept while its date lies ahead, and until the night after it has passed and all that are kept are younger.
  if (day.foundMs !== null) expect(isFoundThere).toBe(true);
});
