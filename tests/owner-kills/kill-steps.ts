import { setTimeout as delay } from 'node:timers/promises';
import type { Endpoint } from '#contracts/kernel/http.ts';
import { eventually } from '#harness/eventually.ts';
import { armKill, type Moment } from './moments.ts';
import type { OwnerStack } from './owner-stack.ts';

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** Sent again as it is until an answer comes: it has a key or a version, or a shop sends it. */
  readonly isRepeated: boolean;
}

/** A request as the panel sends it. */
export const asked = (
  { method, path, idempotent }: Endpoint,
  {
    params = {},
    body = {},
  }: { readonly params?: Readonly<Record<string, string>>; readonly body?: object } = {},
): Request => ({
  method,
  path: path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? '')),
  headers: idempotent ? { 'Idempotency-Key': crypto.randomUUID() } : {},
  body: JSON.stringify(body),
  isRepeated: idempotent === true || 'version' in body,
});

export interface Step {
  readonly name: string;
  readonly request: Request;
  /** Ids of what the step has made, as the database or the game has it: one is right. */
  readonly made: () => Promise<readonly string[]>;
  /** A statement of the transaction that saves it; by default the row of the audit log. */
  readonly write?: RegExp;
  /** Its answer says that it has begun, not that it is there. */
  readonly isOnlyBegun?: boolean;
}

export interface StepOutcome {
  readonly journey: string;
  readonly step: string;
  readonly moments: readonly Moment[];
  readonly lost: number;
  readonly twice: number;
}

/** Carries out steps of journeys; the API is killed in each of them. */
export interface KillSteps {
  /** @returns the id of what it has made */
  step(journey: string, step: Step): Promise<string>;
  /** What the API does by itself: it is killed at each of these statements in turn, as far as they come. */
  during(
    journey: string,
    writes: readonly (readonly [name: string, write: RegExp])[],
    isOver: () => Promise<boolean>,
  ): Promise<void>;
  /** To be true once, at the end of a journey and of its round: a console command, an item, a message. */
  expectOnce(journey: string, name: string, count: () => Promise<number> | number): Promise<void>;
  /** Counts again what was made since the last time: nothing may have been added, and nothing may be gone. */
  recount(): Promise<void>;
  readonly outcomes: readonly StepOutcome[];
}

export interface KillStepsOptions {
  readonly stack: OwnerStack;
  readonly random: () => number;
  /** Of the next kill. */
  readonly nextMoment: () => Moment;
  readonly say: (line: string) => void;
}

const isKeyed = ({ headers = {} }: Request): boolean => 'Idempotency-Key' in headers;

const patientMs = 120_000;
const auditRow = /insert into "?audit_logs/;

interface Tally {
  readonly journey: string;
  readonly step: string;
  readonly moments: Moment[];
  lost: number;
  twice: number;
}

export const createKillSteps = ({ stack, random, nextMoment, say }: KillStepsOptions): KillSteps => {
  const tallies = new Map<string, Tally>();
  const counts: { readonly tally: Tally; readonly count: () => Promise<number> }[] = [];
  const tallyOf = (journey: string, step: string): Tally => {
    const name = `${journey}: ${step}`;
    const tally = tallies.get(name) ?? { journey, step, moments: [], lost: 0, twice: 0 };
    tallies.set(name, tally);
    return tally;
  };
  const note = (tally: Tally, count: number) => {
    if (count < 1) tally.lost += 1;
    if (count > 1) tally.twice += 1;
    if (count !== 1) say(`${tally.journey}: ${tally.step}: ${count} instead of 1`);
  };
  /** @returns null: no answer came */
  const send = async ({ method, path, headers, body }: Request) => {
    try {
      const answer = await stack.api().fetch(path, {
        method,
        headers: { 'Content-Type': 'application/json', ...headers },
        body,
      });
      return { isSaved: answer.ok, status: answer.status, text: await answer.text() };
    } catch {
      return null;
    }
  };

  return {
    async step(journey, { name, request, made, write = auditRow, isOnlyBegun = false }) {
      const tally = tallyOf(journey, name);
      const moment = nextMoment();
      tally.moments.push(moment);
      armKill(stack.database, { moment, write, random, kill: stack.kill });
      const first = await send(request);
      if (first && !first.isSaved) throw new Error(`${journey}: ${name}: ${first.status} ${first.text}`);
      await stack.restart();
      const before = await made();
      const isSaved = first !== null && !isOnlyBegun;
      if (isSaved && before.length === 0) note(tally, 0);
      // A person looks before they send again what the panel does not; a key makes even a second click harmless.
      if (isSaved ? isKeyed(request) : request.isRepeated || before.length === 0) {
        // What has just started may not let it through yet, as while an agent comes back.
        await eventually(async () => {
          const again = await send(request);
          const isThere = before.length > 0 && again?.status === 409;
          if (!again?.isSaved && !isThere)
            throw new Error(`${journey}: ${name}: again ${again?.status} ${again?.text}`);
        }, patientMs);
      }
      const ids = await eventually(async () => {
        const found = await made();
        if (found.length === 0) throw new Error(`${journey}: ${name}: nothing was made`);
        return found;
      }, patientMs);
      note(tally, ids.length);
      if (ids.length === 1) counts.push({ tally, count: async () => (await made()).length });
      say(`${journey}: ${name}: killed ${moment}${first ? ', saved' : ''}`);
      return ids[0] ?? '';
    },
    async during(journey, writes, isOver) {
      let kills = 0;
      for (const [name, write] of writes) {
        const tally = tallyOf(journey, name);
        const moment = random() < 0.5 ? 'unsaved' : 'committed';
        let isKilled = false;
        const kill = () => {
          isKilled = true;
          stack.kill();
        };
        const arm = () => armKill(stack.database, { moment, write, random, kill });
        // Before the next process starts, which goes on at once.
        if (kills === 0) arm();
        else await stack.restart(arm);
        // A killed API does not answer.
        while (!isKilled && !(await isOver().catch(() => false))) await delay(20);
        if (!isKilled) break;
        kills += 1;
        tally.moments.push(moment);
        say(`${journey}: ${name}: killed ${moment}`);
      }
      if (kills === 0) return stack.database.open();
      await stack.restart();
    },
    async expectOnce(journey, name, count) {
      const tally = tallyOf(journey, name);
      const counted = await eventually(async () => {
        const now = await count();
        if (now === 0) throw new Error('none yet');
        return now;
      }, patientMs).catch((error: Error) => {
        say(`${journey}: ${name}: ${error.message}`);
        return 0;
      });
      note(tally, counted);
      if (counted === 1) counts.push({ tally, count: async () => count() });
    },
    async recount() {
      for (const { tally, count } of counts.splice(0)) note(tally, await count());
    },
    get outcomes() {
      return [...tallies.values()];
    },
  };
};
