/** Reads the product's mark from its only source, renderer/public/icon.svg. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { arc, type Colour, type Outlines, type Point, readColour } from './raster.ts';

const markFile = resolve(import.meta.dirname, '../../renderer/public/icon.svg');

export interface Mark {
  /** Side of the square that the mark is drawn in. */
  readonly size: number;
  readonly background: Colour;
  /** Radius of the square's corners. */
  readonly radius: number;
  /** The tower, with its gate. */
  readonly outlines: Outlines;
}

/** Reads the path commands that the mark uses. @throws for any other */
const readPath = (path: string): Point[][] => {
  const outlines: Point[][] = [];
  let at: Point = [0, 0];
  for (const [, command = '', text = ''] of path.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const values = (text.match(/-?\d*\.?\d+/g) ?? []).map(Number);
    const isRelative = command === command.toLowerCase();
    const origin = (): Point => (isRelative ? at : [0, 0]);
    const go = (points: readonly Point[]) => {
      outlines.at(-1)?.push(...points);
      at = points.at(-1) ?? at;
    };
    const lineTo = (x: number, y: number) => go([[origin()[0] + x, origin()[1] + y]]);
    switch (command.toLowerCase()) {
      case 'm':
        at = [origin()[0] + (values[0] ?? 0), origin()[1] + (values[1] ?? 0)];
        outlines.push([at]);
        for (let index = 2; index < values.length; index += 2)
          lineTo(values[index] ?? 0, values[index + 1] ?? 0);
        break;
      case 'l':
        for (let index = 0; index < values.length; index += 2)
          lineTo(values[index] ?? 0, values[index + 1] ?? 0);
        break;
      case 'h':
        for (const x of values) go([[origin()[0] + x, at[1]]]);
        break;
      case 'v':
        for (const y of values) go([[at[0], origin()[1] + y]]);
        break;
      case 'a': {
        const [radius = 0, , , , , x = 0, y = 0] = values;
        const end: Point = [origin()[0] + x, origin()[1] + y];
        // SVG's flag gives the direction; the mark's own arc runs from right to left over the top.
        go(values[4] === 1 ? arc(at, end, radius) : arc(end, at, radius).toReversed().slice(1).concat([end]));
        break;
      }
      case 'z':
        at = outlines.at(-1)?.[0] ?? at;
        break;
      default:
        throw new Error(`The mark has a path command that is not drawn here: ${command}`);
    }
  }
  return outlines;
};

export const readMark = async (): Promise<Mark> => {
  const svg = await readFile(markFile, 'utf8');
  const find = (pattern: RegExp): string => {
    const found = pattern.exec(svg)?.[1];
    if (found === undefined) throw new Error(`${markFile} lacks ${pattern}`);
    return found;
  };
  return {
    size: Number(find(/viewBox="0 0 (\d+) \d+"/)),
    background: readColour(find(/<rect[^>]* fill="(#[0-9a-f]{6})"/)),
    radius: Number(find(/<rect[^>]* rx="([\d.]+)"/)),
    outlines: readPath(find(/<path[^>]* d="([^"]+)"/)),
  };
};
