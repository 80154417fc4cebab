import decodeQR from 'qr/decode.js';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { QrCode } from './qr-code.tsx';

const pixelsPerModule = 4;

// Guarantee: a scanner reads the drawing as exactly the text, and it has a name for readers who cannot see it.
test.each(['otpauth://totp/Castellan:Zo%C3%AB?secret=JBSWY3DPEHPK3PXP&issuer=Castellan', 'x'.repeat(300)])(
  '%s',
  (text) => {
    const svg = renderToStaticMarkup(createElement(QrCode, { text, label: 'QR code' }));
    expect(svg).toContain('role="img" aria-label="QR code"');
    const modules = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
    const size = modules * pixelsPerModule;
    const data = new Uint8Array(size * size * 4).fill(255);
    for (const [, x, y, width] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1H\d+z/g))
      for (let row = 0; row < pixelsPerModule; row += 1)
        for (let column = 0; column < Number(width) * pixelsPerModule; column += 1) {
          const pixel = (Number(y) * pixelsPerModule + row) * size + Number(x) * pixelsPerModule + column;
          data.set([0, 0, 0], pixel * 4);
        }
    expect(decodeQR({ width: size, height: size, data })).toBe(text);
  },
);
