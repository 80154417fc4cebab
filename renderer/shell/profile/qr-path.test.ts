import { encodeQR } from 'qr';
import { expect, test } from 'vitest';
import { qrPath } from './qr-path.ts';

/** The modules that a path covers. */
const covered = (path: string): ReadonlySet<string> => {
  const cells = [...path.matchAll(/M(\d+) (\d+)h(\d+)v1H\d+z/g)].flatMap(([, x, y, width]) =>
    Array.from({ length: Number(width) }, (_, index) => `${Number(x) + index},${y}`),
  );
  return new Set(cells);
};

// Guarantee: the drawing is the code, module by module, with the quiet margin that scanners need.
test('the path draws the code', () => {
  const text = 'otpauth://totp/Castellan:owner?secret=JBSWY3DPEHPK3PXP&issuer=Castellan';
  const { modules, path } = qrPath(text);
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 });
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`${x},${y}`] : [])));
  expect(modules).toBe(rows.length);
  expect([...covered(path)].sort()).toEqual(dark.sort());
  expect(dark.some((cell) => Number(cell.split(',')[0]) < 4)).toBe(false);
});
