import type { IntervalTerms } from '#contracts/store/rewards.ts';

/** Times are whole minutes since 1970, so time played is a set of minutes. */
export interface ModelSession {
  readonly player: number;
  readonly joined: number;
  seen: number;
  isOpen: boolean;
}

export interface ModelVersion {
  readonly terms: Pick<IntervalTerms, 'points' | 'minutes' | 'mostPerDay'>;
  readonly from: number;
  until: number | null;
}

const countedMinutes = 7 * 24 * 60;

/** What a rule should pay, counted minute by minute in memory. */
export class ExpectedIntervals {
  readonly sessions: ModelSession[] = [];
  readonly versions: ModelVersion[] = [];
  /** By member: the points of each interval, in order. */
  readonly paid = new Map<number, number[]>();
  readonly #counted = new Map<ModelSession, Set<number>>();
  readonly #byDay = new Map<string, number>();
  readonly #dayOf: (at: Date) => string;

  constructor(zone: string) {
    const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone });
    this.#dayOf = (at) => format.format(at);
  }

  /**
   * Runs a round at that time. @param memberOf a player's current member
   * @param familyOf a member with those merged into it
   */
  pay(now: number, memberOf: (player: number) => number, familyOf: (member: number) => readonly number[]) {
    for (const version of this.versions)
      for (const member of new Set(this.sessions.map(({ player }) => memberOf(player))))
        this.#payMember(
          now,
          version,
          member,
          this.sessions.filter(({ player }) => memberOf(player) === member),
          familyOf(member),
        );
  }

  #payMember(
    now: number,
    { terms, from, until }: ModelVersion,
    member: number,
    sessions: readonly ModelSession[],
    family: readonly number[],
  ) {
    const minutesOf = ({ joined, seen }: ModelSession): readonly number[] => {
      if (joined <= now - countedMinutes) return [];
      const [first, last] = [
        Math.max(joined, from),
        Math.min(seen, joined + countedMinutes, until ?? Number.POSITIVE_INFINITY),
      ];
      return Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
    };
    const counted = new Set(sessions.flatMap((session) => [...(this.#counted.get(session) ?? [])]));
    const free = [...new Set(sessions.flatMap(minutesOf))]
      .filter((minute) => !counted.has(minute))
      .toSorted((one, other) => one - other);
    const whole = Math.floor(free.length / terms.minutes);
    for (let number = 1; number <= whole; number += 1) {
      const last = free[number * terms.minutes - 1] ?? 0;
      this.#enter(member, family, terms, this.#dayOf(new Date(last * 60_000)));
    }
    const taken = new Set(free.slice(0, whole * terms.minutes));
    for (const session of sessions) {
      const known = this.#counted.get(session) ?? new Set();
      for (const minute of minutesOf(session)) if (taken.has(minute)) known.add(minute);
      this.#counted.set(session, known);
    }
  }

  #enter(
    member: number,
    family: readonly number[],
    { points, mostPerDay }: ModelVersion['terms'],
    day: string,
  ) {
    const given = family.reduce((sum, one) => sum + (this.#byDay.get(`${one} ${day}`) ?? 0), 0);
    const left = (mostPerDay ?? Number.POSITIVE_INFINITY) - given;
    const now = Math.max(0, Math.min(points, left));
    this.#byDay.set(`${member} ${day}`, (this.#byDay.get(`${member} ${day}`) ?? 0) + now);
    this.paid.set(member, [...(this.paid.get(member) ?? []), now]);
  }
}
