import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { surfaces, themeSourceOf } from './window-theme.ts';

// Guarantee: a window opens in the background colour of the page that it will show.
test('the surface behind the page', async () => {
  const tokens = await readFile(resolve(import.meta.dirname, '../../renderer/kit/design/tokens.css'), 'utf8');
  const [, light, dark] = /--surface-page: light-dark\((#\w+), (#\w+)\)/.exec(tokens) ?? [];
  expect(surfaces).toEqual({ light, dark });
});

// Guarantee: the frame follows the theme chosen for the page, and the system where that was chosen.
test('the source of the theme', () => {
  expect((['auto', 'light', 'dark'] as const).map(themeSourceOf)).toEqual(['system', 'light', 'dark']);
});
