import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { drawIcons, programIco, traySides } from './draw-icons.ts';
import { type Picture, toPng } from './encode.ts';
import { readMark } from './mark.ts';
import { type Badge, badges, type Ground, grounds, overlayPicture, trayPicture } from './shapes.ts';

const mark = await readMark();
const alphaOf = ({ pixels }: Picture): readonly number[] => [...pixels.filter((_, index) => index % 4 === 3)];
const states: readonly (Badge | null)[] = [null, ...badges];

// Guarantee: without any colour, each state of the stack differs from every other one, at each size and on each taskbar, in at
// least a 25th of its pixels.
test.each(traySides.flatMap((side) => grounds.map((ground) => [side, ground] as const)))(
  'states are told by shape at %i on %s',
  (side: number, ground: Ground) => {
    const shapes = states.map((badge) => alphaOf(trayPicture(side, ground, badge, mark)));
    for (const [index, one] of shapes.entries())
      for (const other of shapes.slice(index + 1)) {
        const differing = one.filter((alpha, at) => Math.abs(alpha - (other[at] ?? 0)) > 96).length;
        expect(differing).toBeGreaterThan((side * side) / 25);
      }
  },
);

// Guarantee: the tower stands on whole pixels: at 16 its merlons and its foot are as dark as they can be, and both sides are alike.
test('nothing blurs', () => {
  for (const side of traySides) {
    const { pixels } = trayPicture(side, 'dark', null, mark);
    const alphaAt = (x: number, y: number) => pixels[(y * side + x) * 4 + 3];
    for (let y = 0; y < side; y += 1)
      for (let x = 0; x < side / 2; x += 1) expect(alphaAt(x, y)).toBe(alphaAt(side - 1 - x, y));
    const rows = [Math.round(side / 8), Math.round(side / 4)];
    for (const y of rows) for (let x = 0; x < side; x += 1) expect([0, 255]).toContain(alphaAt(x, y));
  }
});

// Guarantee: over the button in the taskbar, a warning and a failure differ in shape, not only in colour.
test('overlays', () => {
  const [warning, bad] = [overlayPicture(16, 'warning'), overlayPicture(16, 'bad')].map(alphaOf);
  const differing = warning?.filter((alpha, at) => Math.abs(alpha - (bad?.[at] ?? 0)) > 96).length;
  expect(differing).toBeGreaterThan(20);
});

// Guarantee: the one file holds each size that Windows asks for, as a bitmap where Windows can read nothing else.
test('the files', async () => {
  await using folder = await temporaryFolder('icons');
  await drawIcons(folder.path);
  const names = await readdir(folder.path);
  for (const state of ['well', ...badges])
    for (const end of ['-light.ico', '-dark.ico', '-own.png', '-own@2x.png'])
      expect(names).toContain(`tray-${state}${end}`);
  const ico = await readFile(`${folder.path}/tray-well-dark.ico`);
  const sides = Array.from({ length: ico.readUInt16LE(4) }, (_, index) => ico[6 + index * 16]);
  expect(sides).toEqual([...traySides]);
  for (const index of sides.keys()) expect(ico.readUInt32LE(ico.readUInt32LE(6 + index * 16 + 12))).toBe(40);
  const program = await programIco();
  const last = program.readUInt16LE(4) - 1;
  expect(program[6 + last * 16]).toBe(0);
  expect(
    program
      .subarray(program.readUInt32LE(6 + last * 16 + 12))
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
  expect(
    toPng(trayPicture(16, 'dark', null, mark))
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
});
