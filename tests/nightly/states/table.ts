import { type Observer, observerNames } from './observers.ts';
import { linesAbout, marks, type Row } from './situation.ts';

const heads: Readonly<Record<Observer, string>> = {
  overview: 'Overview',
  badge: 'Badge',
  tray: 'Tray',
  health: '`/api/health`',
  status: '`castellan status`',
  discord: 'Discord',
};

const longest = 110;

const cellOf = (lines: readonly string[]): string => {
  const text = lines
    .join('; ')
    .replace(/\s+/g, ' ')
    .replaceAll('|', '/')
    .replace(/\/[^ ]+\/home\b/g, 'HOME')
    .trim();
  if (text === '') return 'ok';
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
};

/** Every situation with what each observer said at each moment, as a table in Markdown. */
export const tableOf = (rows: readonly Row[]): string => {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const names = observerNames.map((name) => heads[name]);
  return [
    line(['Situation', 'After', ...names]),
    line(['---', '---:', ...names.map(() => '---')]),
    ...rows.flatMap(({ situation, samples }) =>
      marks.map((mark, index) => {
        const sample = samples.get(mark);
        const cells = observerNames.map((name) =>
          sample?.[name] === undefined ? '–' : cellOf(linesAbout(situation, name, sample)),
        );
        return line([index === 0 ? situation.name : '', `${mark} s`, ...cells]);
      }),
    ),
  ].join('\n');
};
