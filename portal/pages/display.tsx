import type { ReactNode } from 'react';
import { useFormat } from './reader.ts';

export type Tone = 'good' | 'warn' | 'bad';

/** A state in a word or two; the colour only emphasizes it. */
export const Badge = ({ tone, children }: { tone?: Tone; children: ReactNode }) => (
  <span className={tone ? `badge ${tone}` : 'badge'}>{children}</span>
);

/** Something to read before the rest. */
export const Notice = ({
  tone,
  live,
  children,
}: {
  readonly tone?: Tone;
  /** It answers what was just done: a screen reader announces it. */
  readonly live?: boolean;
  readonly children: ReactNode;
}) => (
  <div className={tone ? `notice ${tone}` : 'notice'} role={live ? 'status' : undefined}>
    {children}
  </div>
);

export const Card = ({ title, children }: { title?: ReactNode; children: ReactNode }) => (
  <section className="card">
    {title && <h2>{title}</h2>}
    {children}
  </section>
);

/** A section of a page: a heading and a hairline. */
export const Section = ({ title, children }: { title?: ReactNode; children: ReactNode }) => (
  <section className="section">
    {title && <h2>{title}</h2>}
    {children}
  </section>
);

/** Names and values; an entry with the value null is left out. */
export const Facts = ({ facts }: { facts: Readonly<Record<string, ReactNode>> }) => (
  <dl className="facts">
    {Object.entries(facts)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [<dt key={`${name}-name`}>{name}</dt>, <dd key={`${name}-value`}>{value}</dd>])}
  </dl>
);

interface TableRow {
  readonly key: string;
  readonly cells: readonly ReactNode[];
}

/** If it is wider than a phone, it scrolls separately, with the keyboard too. */
export const Table = ({
  caption,
  hideCaption,
  head,
  figures = [],
  rows,
  empty,
}: {
  /** What the table contains; read by screen readers, and visible unless `hideCaption`. */
  readonly caption: string;
  readonly hideCaption?: boolean;
  readonly head: readonly string[];
  /** Columns of figures to compare, which are aligned to the right. */
  readonly figures?: readonly string[];
  readonly rows: readonly TableRow[];
  /** Shown instead of an empty table. */
  readonly empty: string;
}) =>
  rows.length === 0 ? (
    <p className="quiet">{empty}</p>
  ) : (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <section className="table-scroll" aria-label={caption} tabIndex={0}>
      <table>
        <caption className={hideCaption ? 'hidden-visually' : undefined}>{caption}</caption>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col" className={figures.includes(name) ? 'figure' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, index) => (
                <td key={head[index]} className={figures.includes(head[index] ?? '') ? 'figure' : undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );

/** In a narrow column it breaks only between day and hour. */
const unbroken = (text: string): string => text.replace(/(?<!,) /g, '\u00a0');

/** @param at ISO 8601 or a Date */
export const Moment = ({ at, dayOnly = false }: { at: string | Date; dayOnly?: boolean }) => {
  const { day, moment } = useFormat();
  const date = new Date(at);
  const text = dayOnly ? day(date) : moment(date);
  return <time dateTime={date.toISOString()}>{unbroken(text)}</time>;
};
