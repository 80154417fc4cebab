import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const schemes = ['light', 'dark'] as const;
type Scheme = (typeof schemes)[number];

const declared = /^ {2}--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);$/gm;
const colors = new Map(
  [...css.matchAll(declared)].map(([, name = '', light = '', dark = '']) => [name, { light, dark }]),
);

const colorOf = (name: string, scheme: Scheme): string => {
  const color = colors.get(name)?.[scheme];
  if (color === undefined) throw new Error(`tokens.css has no colour --${name}`);
  return color;
};

/** Relative luminance as WCAG 2.2 defines it. */
const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255)
    .map((channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
};

/** WCAG 2.2 AA for text of normal size. */
const minimum = 4.5;
const surfaces = ['surface-page', 'surface-card', 'surface-raised', 'console'];
const tones = ['tone-ok', 'tone-busy', 'tone-warn', 'tone-bad', 'tone-idle'];
const texts = ['text', 'text-quiet', 'accent', ...tones];

const pairs = [
  ...texts.flatMap((text) => surfaces.map((surface) => [text, surface] as const)),
  ...tones.map((tone) => [tone, `${tone}-soft`] as const),
  ['accent', 'accent-soft'],
  ['text', 'accent-soft'],
  ['text', 'menu-item-hover'],
  ['text-quiet', 'menu-item-hover'],
  ['mantine-color-placeholder', 'surface-card'],
] as const;

// Guarantee: the formula gives the figures that WCAG names.
test('contrast of known colours', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.478, 2);
});

// Guarantee: in light and dark, every text colour can be read on every surface that it appears on.
test.each(schemes)('every text on every surface, %s', (scheme) => {
  const faint = pairs.flatMap(([text, surface]) => {
    const found = contrast(colorOf(text, scheme), colorOf(surface, scheme));
    return found < minimum ? [`--${text} on --${surface}: ${found.toFixed(2)}`] : [];
  });
  expect(faint).toEqual([]);
});
