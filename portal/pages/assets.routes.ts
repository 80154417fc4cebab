import type { Express } from 'express';
import { stylesheet, stylesheetVersion } from './stylesheet.ts';

/** A year: its address changes with its content. */
const cacheForEver = 'public, max-age=31536000, immutable';

export const bindAssets = (app: Express): void => {
  app.get('/assets/portal.css', (request, response) => {
    // While processes are replaced one by one, a page of a newer one may ask an older one for its style.
    const isOurs = request.query.v === stylesheetVersion;
    response.set({
      'Cache-Control': isOurs ? cacheForEver : 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    response.type('css').send(stylesheet);
  });
};
