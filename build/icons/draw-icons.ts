/** Draws all icons of the desktop: `node build/icons/draw-icons.ts [folder]`. No checkout holds them; each build draws them. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { toIco, toPng } from './encode.ts';
import { readMark } from './mark.ts';
import { badges, grounds, overlayPicture, programPicture, trayPicture } from './shapes.ts';

/** Sizes of an icon in the notification area, at 100 to 300 percent. */
export const traySides = [16, 20, 24, 32, 40, 48] as const;
/** Linux desktops ask for about this size, and for twice as much. */
const linuxTraySide = 24;
const overlaySides = [16, 20, 24, 32] as const;
const programSides = [16, 20, 24, 32, 40, 48, 64, 256] as const;
/** The icon of a window on Linux. */
const windowSide = 256;
/** Linux looks for these sizes below `hicolor`. */
export const linuxSides = [16, 24, 32, 48, 64, 128, 256, 512] as const;

/** The program's own icon as Windows reads it, in all sizes. */
export const programIco = async (): Promise<Buffer> => {
  const mark = await readMark();
  return toIco(programSides.map((side) => programPicture(side, mark)));
};

/** The program's own icon as one picture of this size. */
export const programPng = async (side: number): Promise<Buffer> =>
  toPng(programPicture(side, await readMark()));

/** @param folder is created; holds `castellan.ico`, `castellan.png`, `tray-<state>-<ground>` and `overlay-<badge>.png` */
export const drawIcons = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true });
  const write = (name: string, content: Buffer) => writeFile(join(folder, name), content);
  await write('castellan.ico', await programIco());
  await write('castellan.png', await programPng(windowSide));
  const mark = await readMark();
  for (const ground of grounds)
    for (const badge of [null, ...badges]) {
      const draw = (side: number) => trayPicture(side, ground, badge, mark);
      const name = `tray-${badge ?? 'well'}-${ground}`;
      if (ground !== 'own') {
        await write(`${name}.ico`, toIco(traySides.map(draw)));
        continue;
      }
      await write(`${name}.png`, toPng(draw(linuxTraySide)));
      await write(`${name}@2x.png`, toPng(draw(linuxTraySide * 2)));
    }
  for (const badge of ['warning', 'bad'] as const)
    for (const side of overlaySides) {
      const scale = side / overlaySides[0];
      const suffix = scale === 1 ? '' : `@${scale}x`;
      await write(`overlay-${badge}${suffix}.png`, toPng(overlayPicture(side, badge)));
    }
};

if (import.meta.main) await drawIcons(resolve(process.argv[2] ?? 'dist/icons'));
