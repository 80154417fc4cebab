import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { StoredMessage } from '#simulators/discord/state.ts';

/** Every tenth event is an alert. */
const alertEvery = 10;

/** Makes a player say the numbers from 1 to `events`, all at the same time. */
export const recordChat = async (database: pg.Client, events: number): Promise<void> => {
  await database.query(
    `insert into event_logs (kind, severity, payload)
     select 'chat.message', case when number % $2 = 0 then 'alert' else 'info' end,
            jsonb_build_object('playerId', null, 'name', 'Otter', 'text', number::text)
       from generate_series(1, $1::int) as number`,
    [events, alertEvery],
  );
};

/** Whether the bot has reported everything as posted, so that nothing is sent again. */
export const isSettled = async (database: pg.Client): Promise<boolean> => {
  const { rowCount } = await database.query('select from discord_event_lanes where batch is not null');
  return rowCount === 0;
};

/** The numbers that a reader sees, from the top. */
export const numbersIn = (messages: Iterable<StoredMessage>): number[] =>
  [...messages].flatMap(({ message }) =>
    message.embeds.flatMap(({ description = '' }) =>
      [...description.matchAll(/Otter\u2069: \u2068(\d+)\u2069/g)].map(([, number]) => Number(number)),
    ),
  );

export interface Tally {
  readonly missing: number;
  readonly doubled: number;
  readonly outOfOrder: number;
}

/** Compares the messages in one channel with what `recordChat` wrote; alerts and other events are each in order. */
export const tally = (numbers: readonly number[], events: number): Tally => {
  const isAlert = (number: number) => number % alertEvery === 0;
  const steps = [numbers.filter(isAlert), numbers.filter((number) => !isAlert(number))].flatMap((lane) =>
    lane.slice(1).map((number, index) => number - (lane[index] ?? 0)),
  );
  const distinct = new Set(numbers).size;
  return {
    missing: events - distinct,
    doubled: numbers.length - distinct,
    outOfOrder: steps.filter((step) => step < 0).length,
  };
};

const mostIdleSeconds = 60;

/** Waits as long as there is progress: a busy machine takes longer, a hanging one makes no progress. */
export const untilDone = async (isDone: () => Promise<boolean>, progress: () => number): Promise<void> => {
  let seen = 0;
  for (let idleSeconds = 0; !(await isDone()) && idleSeconds < mostIdleSeconds; idleSeconds += 1) {
    await delay(1000);
    const now = progress();
    if (now !== seen) idleSeconds = 0;
    seen = now;
  }
};
