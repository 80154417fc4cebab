import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { plotOf } from './day/plot.ts';
import { minuteMs, type Outage, simulateDays } from './day/simulate.ts';
import type { Bench } from './harness/report.ts';

const installations = 1_000_000;
const days = 4;
const hourMs = 60 * minuteMs;
/** The outage is on the second day: the first shows an ordinary day. */
const beginsMs = 34 * hourMs;
/** In the longest one, no installation has an answered check. */
const outagesHours = [1, 4, 25] as const;
const plottedHours = 4;

/** What one portal process renews in a second on two cores that it shares with its Postgres, with room to spare. */
const capacityPerSecond = 2000;

const plotFile = resolve(import.meta.dirname, '../../.cache/bench/day.svg');

const figuresOf = (load: Float64Array, { fromMs, toMs }: Outage) => {
  const minutes = (begin: number, end: number) => load.subarray(begin / minuteMs, end / minuteMs);
  const peak = (part: Float64Array) => part.reduce((highest, checks) => Math.max(highest, checks), 0);
  const mean = (part: Float64Array) => part.reduce((sum, checks) => sum + checks, 0) / part.length;
  const average = mean(minutes(0, 24 * hourMs));
  const calm = minutes(toMs, toMs + 2 * hourMs).findIndex((checks) => checks < 2 * average);
  return {
    'before, a minute': average,
    'before, peak': peak(minutes(0, 24 * hourMs)),
    'during, a minute': mean(minutes(fromMs, toMs)),
    'during, peak': peak(minutes(fromMs, toMs)),
    'after, peak': peak(minutes(toMs, toMs + 2 * hourMs)),
    'peak / average': peak(minutes(toMs, toMs + 2 * hourMs)) / average,
    'peak, a second': peak(minutes(toMs, toMs + 2 * hourMs)) / 60,
    'below twice the average after, min': calm,
    'a day later, peak / average': peak(minutes(toMs + 20 * hourMs, toMs + 26 * hourMs)) / average,
  };
};

export const dayBench: Bench = {
  summary: "a day's checks of a million installations with an outage of the portal in it",
  async run(say) {
    const rows: Record<string, ReturnType<typeof figuresOf>> = {};
    for (const hours of outagesHours) {
      say(`simulating an outage of ${hours} h`);
      const outage = { fromMs: beginsMs, toMs: beginsMs + hours * hourMs };
      const load = simulateDays({ installations, days, outage, random: Math.random });
      rows[`away for ${hours} h`] = figuresOf(load, outage);
      if (hours !== plottedHours) continue;
      await mkdir(join(plotFile, '..'), { recursive: true });
      const title = `Checks a minute of ${installations.toLocaleString('en')} installations, portal away for ${hours} h`;
      await writeFile(plotFile, plotOf(load, outage, title));
      say(`plot: ${plotFile}`);
    }
    const ofPlotted = rows[`away for ${plottedHours} h`]?.['peak / average'] ?? Number.NaN;
    const worst = Math.max(...Object.values(rows).map((row) => row['peak, a second']));
    return {
      title: `Daily checks of ${installations.toLocaleString('en')} installations in virtual time, with the client's own schedule`,
      tables: { 'Checks that are asked for': rows },
      aims: [
        {
          what: `${plottedHours} h away: peak of the load afterwards ÷ average before`,
          value: ofPlotted,
          aim: '≤ 20',
          met: ofPlotted <= 20,
        },
        {
          what: 'any outage: checks a second afterwards, at the peak',
          value: worst,
          aim: `≤ ${capacityPerSecond}`,
          met: worst <= capacityPerSecond,
        },
      ],
    };
  },
};
