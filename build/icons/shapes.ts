/**
 * The family of icons, each drawn for its own size: edges lie on whole pixels, so that nothing blurs at 16. A badge shows the
 * state of the stack by its shape; its colour only repeats it.
 */
import { emptyPicture, erase, type Picture, paint } from './encode.ts';
import type { Mark } from './mark.ts';
import { arc, type Colour, coverageOf, type Outlines, type Point, placed, readColour } from './raster.ts';

export const badges = ['busy', 'warning', 'bad', 'stopped'] as const;
export type Badge = (typeof badges)[number];

/** The background: a light taskbar, a dark one, or an unknown one, where the tower has its own square. */
export const grounds = ['light', 'dark', 'own'] as const;
export type Ground = (typeof grounds)[number];

/** The tones of renderer/kit/design/tokens.css. */
const tones: Readonly<Record<Ground, Readonly<Record<Badge | 'tower' | 'sign', Colour>>>> = {
  light: {
    tower: readColour('#161a22'),
    sign: readColour('#ffffff'),
    busy: readColour('#3f51d8'),
    warning: readColour('#8a5208'),
    bad: readColour('#b3261e'),
    stopped: readColour('#5b6472'),
  },
  dark: {
    tower: readColour('#ffffff'),
    sign: readColour('#0e1116'),
    busy: readColour('#8ea0ff'),
    warning: readColour('#f0b95a'),
    bad: readColour('#ff8f85'),
    stopped: readColour('#a2abb9'),
  },
  // Mid tones, visible on both.
  own: {
    tower: readColour('#ffffff'),
    sign: readColour('#ffffff'),
    busy: readColour('#6a7bf0'),
    warning: readColour('#b8730f'),
    bad: readColour('#d9453b'),
    stopped: readColour('#7b8594'),
  },
};

const white: Colour = [255, 255, 255];

const rectangle = (left: number, top: number, right: number, bottom: number): readonly Point[] => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
];

const circle = (x: number, y: number, radius: number): readonly Point[] => [
  [x - radius, y],
  ...arc([x - radius, y], [x + radius, y], radius),
  ...arc([x + radius, y], [x - radius, y], radius),
];

/** A thick line from one point to another. */
const line = ([x1, y1]: Point, [x2, y2]: Point, width: number): readonly Point[] => {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [((x2 - x1) / length) * (width / 2), ((y2 - y1) / length) * (width / 2)];
  return [
    [x1 - dy, y1 + dx],
    [x2 - dy, y2 + dx],
    [x2 + dy, y2 - dx],
    [x1 + dy, y1 - dx],
  ];
};

/** The tower alone, as large as the picture and symmetrical, with every edge on a whole pixel. */
const towerIn = (side: number): Outlines => {
  const margin = Math.max(1, Math.round(side / 24));
  const unit = (side - 2 * margin) / 16;
  const left = (units: number) => margin + Math.round(units * unit);
  const right = (units: number) => side - left(16 - units);
  const top = margin;
  const down = (units: number) => top + Math.round(units * unit);
  const bottom = side - margin;
  const gateWidth = right(10) - left(6);
  const spring = bottom - Math.round(3.5 * unit);
  const tower: Point[] = [
    [left(0), top],
    [left(4), top],
    [left(4), down(3)],
    [left(6), down(3)],
    [left(6), top],
    [right(10), top],
    [right(10), down(3)],
    [right(12), down(3)],
    [right(12), top],
    [right(16), top],
    [right(16), down(7.5)],
    [right(14), down(9.5)],
    [right(14), bottom],
    [right(10), bottom],
    [right(10), spring],
    ...arc([left(6), spring], [right(10), spring], gateWidth / 2)
      .toReversed()
      .slice(1),
    [left(6), spring],
    [left(6), bottom],
    [left(2), bottom],
    [left(2), down(9.5)],
    [left(0), down(7.5)],
  ];
  return [tower];
};

/** An isosceles triangle in a square, shrunk on all sides by the inset, or grown by a negative one. */
const triangle = (side: number, inset: number): readonly Point[] => {
  const height = side * 1.04;
  const halfBase = side * 0.53;
  const slope = Math.hypot(height, halfBase);
  // The inscribed circle: the triangle shrinks towards its centre.
  const radius = (halfBase * height) / (halfBase + slope);
  const scale = (radius - inset) / radius;
  const [x, y] = [side / 2, side - radius];
  const corners: readonly Point[] = [
    [x, side - height],
    [x + halfBase, side],
    [x - halfBase, side],
  ];
  return corners.map(([atX, atY]): Point => [x + (atX - x) * scale, y + (atY - y) * scale]);
};

/** A badge's outer shape in a square of this side. */
const badgeBody = (badge: Badge, side: number, inset = 0): readonly Point[] => {
  const half = side / 2;
  if (badge === 'warning') return triangle(side, inset);
  if (badge !== 'stopped') return circle(half, half, half - inset);
  const from = Math.round(side / 10) + inset;
  return rectangle(from, from, side - from, side - from);
};

/** The sign on the badge, in parts. */
const badgeSign = (badge: Badge, side: number): Outlines => {
  const half = side / 2;
  switch (badge) {
    case 'stopped':
    case 'busy':
      return [];
    case 'bad': {
      const reach = side * 0.2;
      const [from, to] = [half - reach, half + reach];
      const width = Math.max(1.3, side / 7);
      return [line([from, from], [to, to], width), line([to, from], [from, to], width)];
    }
    case 'warning': {
      const thin = Math.max(1, Math.round(side / 8));
      // Its sides lie on whole pixels, with the same space left and right.
      const width = (side - thin) % 2 === 0 ? thin : Math.max(1, thin - 1);
      const [left, right] = [(side - width) / 2, (side + width) / 2];
      const dot = Math.max(1, width);
      const bottom = side - Math.max(1, Math.round(side / 9));
      const top = Math.round(side * 0.36);
      const end = bottom - dot - Math.max(1, Math.round(side / 14));
      return [rectangle(left, top, right, end), rectangle(left, bottom - dot, right, bottom)];
    }
  }
};

/** The tower on a taskbar, with the badge at its lower right; null: all is well. */
export const trayPicture = (side: number, ground: Ground, badge: Badge | null, mark: Mark): Picture => {
  const picture = ground === 'own' ? programPicture(side, mark) : emptyPicture(side);
  const tone = tones[ground];
  if (ground !== 'own') paint(picture, coverageOf(towerIn(side), side, side), tone.tower);
  if (badge === null) return picture;
  const badgeSide = Math.round(side * 0.57);
  const gap = Math.max(1, Math.round(side / 16));
  const at = side - badgeSide;
  const cover = (outlines: Outlines) => coverageOf(placed(outlines, 1, at, at), side, side);
  // The gap around the badge separates it from the tower.
  erase(picture, cover([badgeBody(badge, badgeSide, -gap)]));
  const hollow =
    badge === 'busy' ? [badgeBody(badge, badgeSide, Math.max(2, Math.round(badgeSide / 5)))] : [];
  paint(picture, cover([badgeBody(badge, badgeSide), ...hollow]), tone[badge]);
  for (const part of badgeSign(badge, badgeSide)) paint(picture, cover([part]), tone.sign);
  return picture;
};

const overlayTones = {
  warning: { rim: readColour('#161a22'), body: readColour('#f0b429'), sign: readColour('#161a22') },
  bad: { rim: white, body: readColour('#c4281f'), sign: white },
} as const;

/** The badge alone, which Windows lays over our button in the taskbar; its rim sets it off from the icon below. */
export const overlayPicture = (side: number, badge: keyof typeof overlayTones): Picture => {
  const picture = emptyPicture(side);
  const tone = overlayTones[badge];
  const cover = (outline: readonly Point[]) => coverageOf([outline], side, side);
  paint(picture, cover(badgeBody(badge, side)), tone.rim);
  paint(picture, cover(badgeBody(badge, side, Math.max(1, side / 16))), tone.body);
  for (const part of badgeSign(badge, side)) paint(picture, cover(part), tone.sign);
  return picture;
};

/** The program's own icon: the tower in white on its square. */
export const programPicture = (side: number, mark: Mark): Picture => {
  const picture = emptyPicture(side);
  const scale = side / mark.size;
  const radius = mark.radius * scale;
  const corner = (from: Point, to: Point) => [from, ...arc(from, to, radius)];
  const square: readonly Point[] = [
    ...corner([0, radius], [radius, 0]),
    ...corner([side - radius, 0], [side, radius]),
    ...corner([side, side - radius], [side - radius, side]),
    ...corner([radius, side], [0, side - radius]),
  ];
  paint(picture, coverageOf([square], side, side), mark.background);
  // Large icons are the mark itself; small ones have a tower drawn for their few pixels.
  const small = side < 64;
  const room = Math.round(side * 0.5 + (side < 24 ? 2 : 0));
  const inner = room % 2 === side % 2 ? room : room + 1;
  const tower = small
    ? placed(towerIn(inner + 2), 1, (side - inner) / 2 - 1, (side - inner) / 2 - 1)
    : placed(mark.outlines, scale, 0, 0);
  paint(picture, coverageOf(tower, side, side), white);
  return picture;
};
