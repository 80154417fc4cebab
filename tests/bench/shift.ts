import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { mostShift, openShiftWindow } from '#harness/layout-shift.ts';
import { openPanel } from '#harness/panel.ts';
import { enlivenAll } from '../screenshots/enliven-all.ts';
import { picturedPages } from '../screenshots/panel-pictures.ts';
import type { Bench } from './harness/report.ts';

export const shiftBench: Bench = {
  summary: 'how much each page of the panel moves while it opens and while live data comes',
  async run(say, args = []) {
    const { values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        seconds: { type: 'string', default: '5' },
        only: { type: 'string' },
        json: { type: 'boolean' },
      },
    });
    const liveMs = Number(values.seconds) * 1000;
    await using panel = await openPanel({ discord: true });
    say('letting some life into the demo …');
    await enlivenAll(panel);
    await using shiftWindow = await openShiftWindow(panel);
    const table: Record<string, { opening: number; live: number }> = {};
    const findings: string[] = [];
    const wanted = values.only?.split(',');
    const pages = (await picturedPages(panel)).filter(({ name }) => wanted?.includes(name) ?? true);
    for (const { name, path } of pages) {
      const { opened, live } = await shiftWindow.shiftOf(path, () => delay(liveMs));
      table[name] = { opening: opened.sum, live: live.sum };
      for (const [when, { sum, sources }] of Object.entries({ opening: opened, live }))
        if (sum >= mostShift) findings.push(`${name}, ${when}: ${sources.join('; ')}`);
      say(`${name}: ${opened.sum.toFixed(4)} ${live.sum.toFixed(4)}`);
    }
    const worst = (when: 'opening' | 'live') =>
      Math.max(...Object.values(table).map((figures) => figures[when]));
    return {
      title: `Layout shift of each page of the panel, at 1100 × 800, while it opens and in ${values.seconds} s after`,
      tables: { 'Layout shift': table },
      findings,
      aims: (['opening', 'live'] as const).map((when) => ({
        what: `largest shift of a page, ${when}`,
        value: worst(when),
        aim: `< ${mostShift}`,
        met: worst(when) < mostShift,
      })),
    };
  },
};
