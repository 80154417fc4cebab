import { encodeQR } from 'qr';

interface QrPath {
  /** The modules of one side, with the quiet margin around it. */
  readonly modules: number;
  /** An SVG path in modules. */
  readonly path: string;
}

const margin = 4;

/** A QR code as one path: a bar for each run of dark modules in a row. */
export const qrPath = (text: string): QrPath => {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: margin });
  const bars = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => {
      if (!isDark || row[x - 1]) return [];
      const end = row.indexOf(false, x);
      return [`M${x} ${y}h${(end === -1 ? row.length : end) - x}v1H${x}z`];
    }),
  );
  return { modules: rows.length, path: bars.join('') };
};
