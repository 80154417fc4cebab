/** Prints what a command tells people. */
export interface Terminal {
  /** The answer, on stdout. */
  say(text: string): void;
  /** What went wrong, on stderr. */
  complain(text: string): void;
}

export const openTerminal = (): Terminal => {
  // A reader that exits early (`castellan start | head`) must not end the stack.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return {
    say: (text) => void process.stdout.write(`${text}\n`),
    complain: (text) => void process.stderr.write(`${text}\n`),
  };
};

/** Rows under their headings, in columns of equal width. */
export const table = (headings: readonly string[], rows: readonly (readonly string[])[]): string => {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) =>
    all.reduce((widest, row) => Math.max(widest, [...(row[column] ?? '')].length), 0),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [line(headings), rule, ...rows.map(line)].join('\n');
};
