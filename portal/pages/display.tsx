import type { ReactNode } from 'react';

export type Tone = 'good' | 'warn' | 'bad';

/** A state in a word or two; the colour only underlines it. */
export const Badge = ({ tone, children }: { tone?: Tone; children: ReactNode }) => (
  <span className={tone ? `badge ${tone}` : 'badge'}>{children}</span>
);

export interface NoticeProps {
  readonly tone?: Tone;
  /** It answers what was just done: a screen reader reads it out. */
  readonly live?: boolean;
  readonly children: ReactNode;
}

/** Something to be read before the rest. */
export const Notice = ({ tone, live, children }: NoticeProps) => (
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

/** Names and values; a value of null is left out together with its name. */
export const Facts = ({ facts }: { facts: Readonly<Record<string, ReactNode>> }) => (
  <dl className="facts">
    {Object.entries(facts)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [<dt key={`${name}-name`}>{name}</dt>, <dd key={`${name}-value`}>{value}</dd>])}
  </dl>
);

export interface TableRow {
  readonly key: string;
  readonly cells: readonly ReactNode[];
}

export interface TableProps {
  /** What the table holds; read out, and shown unless `hideCaption`. */
  readonly caption: string;
  readonly hideCaption?: boolean;
  readonly head: readonly string[];
  readonly rows: readonly TableRow[];
  /** Said instead of an empty table. */
  readonly empty: string;
}

/** Wider than a phone, it scrolls by itself, with the keyboard too. */
export const Table = ({ caption, hideCaption, head, rows, empty }: TableProps) =>
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
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, index) => (
                <td key={head[index]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const momentFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** `3 Mar 2026, 12:00 UTC`; all times of the portal are in UTC and say so. */
export const formatMoment = (at: Date): string => `${momentFormat.format(at)} UTC`;

/** In a narrow column it breaks between day and hour, and nowhere else. */
const unbroken = (text: string): string => text.replace(/(?<!,) /g, '\u00a0');

/** @param at ISO 8601 or a Date */
export const Moment = ({ at, dayOnly = false }: { at: string | Date; dayOnly?: boolean }) => {
  const date = new Date(at);
  const text = dayOnly ? dayFormat.format(date) : formatMoment(date);
  return <time dateTime={date.toISOString()}>{unbroken(text)}</time>;
};
