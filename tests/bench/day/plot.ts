import type { Outage } from './simulate.ts';
import { minuteMs } from './simulate.ts';

const size = { width: 1200, height: 420 };
const margin = { left: 70, right: 20, top: 40, bottom: 40 };
const plotWidth = size.width - margin.left - margin.right;
const plotHeight = size.height - margin.top - margin.bottom;
const minutesPerHour = 60;
const gridLines = 5;

/** Checks a minute over the hours of a simulation, as an SVG that any browser shows. */
export const plotOf = (load: Float64Array, outage: Outage, title: string): string => {
  const highest = Math.max(...load);
  const step = 10 ** Math.floor(Math.log10(highest / gridLines));
  const gridStep = Math.ceil(highest / gridLines / step) * step;
  const x = (minute: number) => margin.left + (minute / load.length) * plotWidth;
  const y = (checks: number) => margin.top + plotHeight * (1 - checks / (gridStep * gridLines));
  const at = (value: number) => value.toFixed(1);
  const line = [...load].map((checks, minute) => `${at(x(minute))},${at(y(checks))}`).join(' ');
  const from = x(outage.fromMs / minuteMs);
  const to = x(outage.toMs / minuteMs);
  const grid = Array.from({ length: gridLines + 1 }, (_, index) => index * gridStep).map(
    (checks) => `
  <line x1="${margin.left}" x2="${size.width - margin.right}" y1="${at(y(checks))}" y2="${at(y(checks))}" stroke="#ddd"/>
  <text x="${margin.left - 8}" y="${at(y(checks) + 4)}" text-anchor="end">${checks.toLocaleString('en')}</text>`,
  );
  const hours = Array.from({ length: load.length / minutesPerHour / 6 + 1 }, (_, index) => index * 6).map(
    (hour) => `
  <text x="${at(x(hour * minutesPerHour))}" y="${size.height - margin.bottom + 20}" text-anchor="middle">${hour} h</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" font-family="sans-serif" font-size="12">
  <rect width="100%" height="100%" fill="white"/>
  <text x="${margin.left}" y="22" font-size="15">${title}</text>
  <rect x="${at(from)}" y="${margin.top}" width="${at(to - from)}" height="${plotHeight}" fill="#f7d9d4"/>
  <text x="${at(from + 4)}" y="${margin.top + 14}" fill="#a33">portal away</text>${grid.join('')}${hours.join('')}
  <polyline points="${line}" fill="none" stroke="#1f7a8c" stroke-width="1.2"/>
</svg>
`;
};
