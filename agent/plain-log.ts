import { printableLines } from '#runtime/printable.ts';

/** Printed in their own places, except the component, which is always the agent. */
const notDetails = new Set(['time', 'level', 'msg', 'component', 'err']);

/** The log's JSON lines as plain text, for people who read this program's output: time, level, message, and the other members. */
export const toPlainLine = (line: string): string => {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(line);
  } catch {
    return `${printableLines(line.trimEnd())}\n`;
  }
  const { time, level, msg, err } = entry;
  const details = Object.entries(entry)
    .filter(([name]) => !notDetails.has(name))
    .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  const stack = (err as { stack?: string } | undefined)?.stack;
  const cause = stack === undefined ? '' : `\n  ${stack.replaceAll('\n', '\n  ')}`;
  // A configuration's faults and a stack are on separate lines.
  const words = `${String(msg ?? '').trimEnd()}${details.join('')}${cause}`;
  return `${time} ${String(level).toUpperCase().padEnd(5)} ${printableLines(words)}\n`;
};
