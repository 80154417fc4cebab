type Figures = Readonly<Record<string, number>>;

export interface Aim {
  readonly what: string;
  readonly value: number;
  readonly aim: string;
  readonly met: boolean;
}

export interface Report {
  readonly title: string;
  /** Subject → figure → value; the figure's name contains the unit. */
  readonly tables: Readonly<Record<string, Readonly<Record<string, Figures>>>>;
  /** Lines for people, below the tables. */
  readonly findings?: readonly string[];
  readonly aims: readonly Aim[];
}

export interface Bench {
  readonly summary: string;
  /**
   * @param say progress, for stderr
   * @param args the arguments after the bench's name
   */
  run(say: (line: string) => void, args?: readonly string[]): Promise<Report>;
}

const rounded = (value: number): string => {
  if (Number.isNaN(value)) return '–';
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toFixed(digits);
};

export const formatReport = ({ title, tables, findings = [], aims }: Report): string => {
  const lines = [title];
  for (const [caption, rows] of Object.entries(tables)) lines.push('', caption, ...formatTable(rows));
  if (findings.length > 0) lines.push('', 'Findings', ...findings.map((finding) => `  ${finding}`));
  if (aims.length > 0) lines.push('', 'Aims');
  for (const { what, value, aim, met } of aims)
    lines.push(`  ${met ? 'met ' : 'MISSED'} ${what}: ${rounded(value)} (aim: ${aim})`);
  return lines.join('\n');
};

const formatTable = (rows: Readonly<Record<string, Figures>>): string[] => {
  const columns = [...new Set(Object.values(rows).flatMap((figures) => Object.keys(figures)))];
  const cells = [
    ['', ...columns],
    ...Object.entries(rows).map(([name, figures]) => [
      name,
      ...columns.map((c) => rounded(figures[c] ?? Number.NaN)),
    ]),
  ];
  const widths =
    cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  return cells.map(
    (row) =>
      `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ')}`,
  );
};
