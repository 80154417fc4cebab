import type { Express, Response } from 'express';
import { findFont } from './fonts.ts';
import { stylesheet, stylesheetVersion } from './stylesheet.ts';

/** A year: the address changes with the content. */
const cacheForEver = 'public, max-age=31536000, immutable';

/** While processes are replaced one by one, a page from a newer one may request its assets from an older one. */
const mark = (response: Response, isOurs: boolean): Response =>
  response.set({
    'Cache-Control': isOurs ? cacheForEver : 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
  });

export const bindAssets = (app: Express): void => {
  app.get('/assets/portal.css', (request, response) => {
    mark(response, request.query.v === stylesheetVersion)
      .type('css')
      .send(stylesheet);
  });
  app.get('/assets/fonts/:name', (request, response, next) => {
    const font = findFont(request.params.name);
    if (!font) return next();
    mark(response, request.query.v === font.version)
      .type('font/woff2')
      .send(font.bytes);
  });
};
