/** Shapes as polygons, and how much of each pixel they cover. */

export type Point = readonly [x: number, y: number];
export type Colour = readonly [red: number, green: number, blue: number];
/** Closed lines; an area inside two of them is a hole. */
export type Outlines = readonly (readonly Point[])[];

const arcSteps = 24;
/** Scan lines per pixel row. */
const samples = 16;

/** At most half a circle, drawn clockwise, from its second point to its last. */
export const arc = ([x1, y1]: Point, [x2, y2]: Point, radius: number): Point[] => {
  const half = Math.hypot(x2 - x1, y2 - y1) / 2;
  const height = Math.sqrt(Math.max(0, radius ** 2 - half ** 2)) / (half * 2);
  const centre: Point = [(x1 + x2) / 2 - (y2 - y1) * height, (y1 + y2) / 2 + (x2 - x1) * height];
  const from = Math.atan2(y1 - centre[1], x1 - centre[0]);
  const sweep = 2 * Math.asin(Math.min(1, half / radius));
  return Array.from({ length: arcSteps }, (_, step) => {
    const angle = from + (sweep * (step + 1)) / arcSteps;
    return [centre[0] + radius * Math.cos(angle), centre[1] + radius * Math.sin(angle)];
  });
};

/** How much of each pixel the shape covers, row by row, by the even-odd rule. */
export const coverageOf = (outlines: Outlines, width: number, height: number): Float64Array => {
  const covered = new Float64Array(width * height);
  for (let row = 0; row < height * samples; row += 1) {
    const crossings = crossingsAt(outlines, (row + 0.5) / samples);
    const first = Math.floor(row / samples) * width;
    for (let index = 0; index + 1 < crossings.length; index += 2) {
      const from = Math.max(0, crossings[index] ?? 0);
      const to = Math.min(width, crossings[index + 1] ?? 0);
      for (let x = Math.floor(from); x < to; x += 1)
        covered[first + x] = (covered[first + x] ?? 0) + (Math.min(to, x + 1) - Math.max(from, x)) / samples;
    }
  }
  return covered;
};

const crossingsAt = (outlines: Outlines, y: number): readonly number[] => {
  const found: number[] = [];
  for (const outline of outlines)
    for (const [index, [x1, y1]] of outline.entries()) {
      const [x2, y2] = outline[(index + 1) % outline.length] ?? [x1, y1];
      if (y1 > y !== y2 > y) found.push(x1 + ((y - y1) / (y2 - y1)) * (x2 - x1));
    }
  return found.sort((a, b) => a - b);
};

/** Scales the outlines and moves them to a place in another picture. */
export const placed = (outlines: Outlines, scale: number, left: number, top: number): Outlines =>
  outlines.map((outline) => outline.map(([x, y]): Point => [left + x * scale, top + y * scale]));

/** @param text such as `#3f51d8` */
export const readColour = (text: string): Colour => {
  const number = Number.parseInt(text.slice(1), 16);
  return [number >> 16, (number >> 8) & 0xff, number & 0xff];
};
