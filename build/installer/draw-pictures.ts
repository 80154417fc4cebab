/**
 * Draws the pictures for the installer's pages from the product's mark: `node build/installer/draw-pictures.ts [folder]`.
 * NSIS shows bitmaps regardless of resolution, so there is one of each for every common screen scale.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Mark, readMark } from '../icons/mark.ts';
import { type Colour, coverageOf, placed } from '../icons/raster.ts';

/** In percent, as Windows names them; the installer takes the next larger one. */
const pictureScales = [100, 150, 200] as const;

/** Where the mark's tower is in a picture, in pixels. */
interface Place {
  readonly left: number;
  readonly top: number;
  /** Side of the mark's whole square. */
  readonly side: number;
}

const mix = (from: Colour, to: Colour, share: number): Colour => [
  from[0] + (to[0] - from[0]) * share,
  from[1] + (to[1] - from[1]) * share,
  from[2] + (to[2] - from[2]) * share,
];

/** An uncompressed 24-bit bitmap, bottom row first: the only form that every NSIS shows. */
const toBitmap = (
  mark: Mark,
  {
    width,
    height,
    ground,
    towers,
  }: {
    readonly width: number;
    readonly height: number;
    /** The background before anything is drawn on it; depth goes from 0 at the top to 1 at the bottom. */
    readonly ground: (depth: number) => Colour;
    readonly towers: readonly (Place & { readonly colour: Colour; readonly strength: number })[];
  },
): Buffer => {
  const layers = towers.map((tower) => {
    const outlines = placed(mark.outlines, tower.side / mark.size, tower.left, tower.top);
    return { ...tower, covered: coverageOf(outlines, width, height) };
  });
  const rowBytes = Math.ceil((width * 3) / 4) * 4;
  const headBytes = 54;
  const bitmap = Buffer.alloc(headBytes + rowBytes * height);
  bitmap.write('BM', 'latin1');
  bitmap.writeUInt32LE(bitmap.length, 2);
  bitmap.writeUInt32LE(headBytes, 10);
  bitmap.writeUInt32LE(40, 14);
  bitmap.writeInt32LE(width, 18);
  bitmap.writeInt32LE(height, 22);
  bitmap.writeUInt16LE(1, 26);
  bitmap.writeUInt16LE(24, 28);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      let colour = ground((y + 0.5) / height);
      for (const { colour: top, strength, covered } of layers)
        colour = mix(colour, top, strength * (covered[y * width + x] ?? 0));
      const at = headBytes + (height - 1 - y) * rowBytes + x * 3;
      const [red, green, blue] = colour;
      bitmap.set([Math.round(blue), Math.round(green), Math.round(red)], at);
    }
  return bitmap;
};

const white: Colour = [255, 255, 255];
const night: Colour = [22, 30, 74];

/** Beside the first and the last page: the mark on its own colour, and large behind it. */
const drawSide = (mark: Mark, scale: number): Buffer => {
  const [width, height] = [Math.round(164 * scale), Math.round(314 * scale)];
  const small = 88 * scale;
  const large = 300 * scale;
  return toBitmap(mark, {
    width,
    height,
    ground: (depth) => mix(mark.background, night, depth),
    towers: [
      { left: 20 * scale, top: height - large * 0.76, side: large, colour: white, strength: 0.06 },
      { left: (width - small) / 2, top: 44 * scale, side: small, colour: white, strength: 1 },
    ],
  });
};

/** On the right of the white header of the other pages. */
const drawHead = (mark: Mark, scale: number): Buffer => {
  const [width, height] = [Math.round(150 * scale), Math.round(57 * scale)];
  const side = 48 * scale;
  const place = { left: width - side - 2 * scale, top: (height - side) / 2, side };
  return toBitmap(mark, {
    width,
    height,
    ground: () => white,
    towers: [{ ...place, colour: mark.background, strength: 1 }],
  });
};

/** @returns the files, by name: `side-150.bmp`, `head-150.bmp` and so on */
export const drawPictures = async (folder: string): Promise<readonly string[]> => {
  const mark = await readMark();
  await mkdir(folder, { recursive: true });
  const names: string[] = [];
  for (const percent of pictureScales)
    for (const [name, draw] of [
      ['side', drawSide],
      ['head', drawHead],
    ] as const) {
      names.push(`${name}-${percent}.bmp`);
      await writeFile(join(folder, `${name}-${percent}.bmp`), draw(mark, percent / 100));
    }
  return names;
};

if (import.meta.main) await drawPictures(resolve(process.argv[2] ?? 'dist/installer-pictures'));
