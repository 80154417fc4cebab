import { expect, test } from 'vitest';
import { descendantsOf, parseWindowsBoot } from './windows-processes.ts';

const process = (pid: number, parent: number, created: number) => ({
  pid,
  parent,
  created: created === 0 ? '' : String(133_000_000_000_000_000n + BigInt(created)),
  program: `C:\\${pid}.exe`,
});

// Guarantee: processes that a batch file has started are found after its end, and none that merely has a parent with its pid.
test('descendants', () => {
  const root = process(10, 1, 100);
  const all = [
    process(23, 21, 130),
    process(21, 10, 120),
    // Older than the batch file, so a child of an earlier process with its pid.
    process(30, 10, 90),
    // The pid was given to another program, which also has a child.
    process(10, 4, 200),
    process(31, 10, 210),
    process(32, 10, 0),
    process(33, 4, 150),
  ];
  expect(descendantsOf(all, root).map(({ pid }) => pid)).toEqual([21, 23]);
  expect(descendantsOf([], root)).toEqual([]);
});

// Guarantee: boots of Windows are told apart by its counter; if that cannot be read, they all count as one.
test('starts of Windows', () => {
  const printed = (count: string) =>
    `\r\nHKEY_LOCAL_MACHINE\\SYSTEM\\PrefetchParameters\r\n    BootId    REG_DWORD    ${count}\r\n\r\n`;
  expect(parseWindowsBoot(printed('0x1f'))).toBe('windows-31');
  expect(parseWindowsBoot(printed('0x20'))).not.toBe(parseWindowsBoot(printed('0x1f')));
  expect(parseWindowsBoot('')).toBe('windows');
});
